"""Runner data."""
