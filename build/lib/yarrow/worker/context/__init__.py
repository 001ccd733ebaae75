"""The context of a run: what its runner is given."""
