"""A run's events (`agui-http-agent.md`, `divination-run.md`)."""
