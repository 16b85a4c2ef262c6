"""Neutral drawing data as SVG and PNG: boards, charts, animations and cards, for pages, files and notebooks."""
