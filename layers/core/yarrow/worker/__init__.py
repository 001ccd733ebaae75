"""Execution of one run."""
