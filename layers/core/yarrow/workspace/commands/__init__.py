"""What each command of the page changes: decided from the state, and nothing else."""
