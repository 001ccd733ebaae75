"""AG-UI's own forms: its request, its events, its snapshot of messages."""
