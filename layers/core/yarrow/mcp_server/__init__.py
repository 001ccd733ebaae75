"""The MCP server: agents and sessions for clients of the Model Context Protocol (MCP-02)."""
