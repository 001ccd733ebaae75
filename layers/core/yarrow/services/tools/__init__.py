"""The backend tools: what a runner may have the host run for it, and how such a tool is registered."""
