"""Counters and slots: rates, daily use, runs and streams at once."""
