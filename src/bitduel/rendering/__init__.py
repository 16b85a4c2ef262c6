"""Neutral drawing data to SVG: boards, charts and the line of a review, for the site, for files and for notebooks."""
