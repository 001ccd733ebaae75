"""Requests to hosts that a deployment's files or its users name."""
