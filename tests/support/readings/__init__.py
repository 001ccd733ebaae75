"""Recorded and dated casts, to test and measure readings by."""
