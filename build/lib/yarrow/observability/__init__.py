"""What an operator sees of the service: its log and its metrics (`docs/observability.md`). It knows nothing of runs."""
