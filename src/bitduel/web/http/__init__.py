"""The plumbing of HTTP: where the site is reached, what is refused, and how answers are streamed."""
