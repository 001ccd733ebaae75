"""Automation jobs on the wire: their fields, what is answered about them, and the trigger of their runs."""
