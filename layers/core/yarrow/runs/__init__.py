"""Use cases on runs and sessions."""
