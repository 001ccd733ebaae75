"""Which agent answers a run, and what it may do."""
