"""Exact solving: the position table, retrograde analysis, evaluators, certificates and the atlas."""
