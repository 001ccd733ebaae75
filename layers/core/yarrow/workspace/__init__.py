"""The workspace: a user's sessions with one agent, shown by pages over WebSocket connections."""
