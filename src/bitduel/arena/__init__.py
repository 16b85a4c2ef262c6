"""Many matches between players, measured."""
