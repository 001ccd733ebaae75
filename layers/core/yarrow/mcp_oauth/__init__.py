"""Users' sign-ins to MCP servers by OAuth: finding a server's authorization server, and getting and renewing tokens."""
