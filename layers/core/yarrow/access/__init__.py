"""What a caller may use."""
