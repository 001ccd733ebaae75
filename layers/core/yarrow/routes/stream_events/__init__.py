"""The routes of `functions/stream_events`: a run's events, in two protocols, and its steps."""
