"""Counters and slots: rates, daily usage, concurrent runs and streams."""
