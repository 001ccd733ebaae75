"""A runner's results as events."""
