"""Logs and metrics for operators (`docs/observability.md`)."""
