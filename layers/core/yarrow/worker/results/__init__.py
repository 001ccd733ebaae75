"""A runner's results, validated and turned into events."""
