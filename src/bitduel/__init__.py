"""Five small two-player games about doubling and bits, played exactly as their rulebooks say."""

__version__ = "0.1.0"
