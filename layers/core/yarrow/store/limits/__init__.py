"""Rates, daily usage, concurrent runs and streams."""
