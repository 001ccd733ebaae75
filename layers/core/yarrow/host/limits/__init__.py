"""What a user may use: how much a minute, and how much a day."""
