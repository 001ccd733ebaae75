"""The runner protocol, as `agent-runner.md` has it: what a runner is written against."""
