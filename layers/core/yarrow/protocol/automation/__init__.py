"""Automation jobs on the wire: requests, responses and the trigger of their runs."""
