"""A runner's results, checked and made into events."""
