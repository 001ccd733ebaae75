"""The context that a runner receives."""
