"""What a caller may use: their own sessions, within their rates and limits."""
