"""A run's events as they are sent: server-sent events in their formats, and Durable Streams."""
