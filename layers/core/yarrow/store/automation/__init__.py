"""Automation jobs and their past runs."""
