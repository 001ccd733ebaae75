"""The console as a deployment serves it: a page and its files."""
