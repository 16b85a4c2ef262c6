"""The way in for language models and other agents: tools, resources and a prompt by the Model Context Protocol."""
