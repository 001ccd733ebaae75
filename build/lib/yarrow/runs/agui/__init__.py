"""Continuing a stored session from an AG-UI client's request."""
