"""What a caller does with runs and sessions: one module a use case, named as the function's folder is."""
