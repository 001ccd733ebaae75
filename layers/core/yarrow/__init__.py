"""Yarrow: a serverless backend for agent runs."""

import gc

# What a function imports, it keeps. To look through it for garbage every 700 objects is a seventh of a cold start.
gc.set_threshold(10_000)
