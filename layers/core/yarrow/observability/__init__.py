"""Logs and metrics (`docs/observability.md`)."""
