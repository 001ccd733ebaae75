"""The routes of `functions/memories`: what the assistant remembers of a user."""
