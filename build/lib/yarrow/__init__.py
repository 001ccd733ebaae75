"""Yarrow: a serverless backend for agent runs."""
