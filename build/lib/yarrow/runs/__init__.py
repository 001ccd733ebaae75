"""Use cases on runs and sessions, one module each, named as the function's folder."""
