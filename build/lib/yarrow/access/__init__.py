"""What a caller may use: own sessions, within rates and limits."""
