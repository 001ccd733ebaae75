"""The context a runner is given."""
