"""Continues a stored session from AG-UI."""
