"""The games: a module or package for each, and the registry that finds them by name."""
