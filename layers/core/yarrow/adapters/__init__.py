"""Agents of other protocols and frameworks as runners. Nothing else of the platform imports this package."""
