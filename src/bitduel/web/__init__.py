"""Pages, live updates and a JSON API over the same games, views and store as the terminal."""
