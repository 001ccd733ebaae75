"""Tools of MCP servers: the wire, and the tools of one run."""
