"""Continuing a stored session from AG-UI."""
