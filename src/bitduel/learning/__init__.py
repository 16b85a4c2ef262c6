"""Hints, reviews, graded lessons, puzzles and progress: everything that teaches, for every interface."""
