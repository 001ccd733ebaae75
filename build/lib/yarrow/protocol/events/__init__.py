"""The events of a run and what they carry, as `agui-http-agent.md` and `divination-run.md` have them."""
