"""AG-UI requests, events and message snapshots."""
