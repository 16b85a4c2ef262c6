"""The Model Context Protocol: tools, resources and a prompt for language models and other agents."""
