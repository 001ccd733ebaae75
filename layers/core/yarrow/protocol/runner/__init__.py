"""The runner protocol (`agent-runner.md`)."""
