"""The routes of `functions/stream_events`: a run's events, as server-sent events or as a Durable Stream."""
