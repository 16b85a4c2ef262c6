"""What a game is and what a match is; imports nothing else of ours."""
