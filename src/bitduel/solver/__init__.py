"""Solving: the table of all positions, values backwards, evaluators, explanations, reviews, the atlas."""
