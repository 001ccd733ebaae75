"""Notifications of users' devices: which devices there are, and what they are sent of a deployment's events."""
