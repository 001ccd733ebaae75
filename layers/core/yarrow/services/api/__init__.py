"""The host's side of AgentRunAPIProxy: what a runner asks for during its run, checked and answered."""
