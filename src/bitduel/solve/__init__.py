"""Exact solving: every position and transition as arrays, then values backwards from the ends."""
