"""Language models as players: a prompt in, a move out, through any OpenAI-compatible service."""
