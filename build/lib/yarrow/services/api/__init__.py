"""The host side of AgentRunAPIProxy: one module per namespace of actions."""
