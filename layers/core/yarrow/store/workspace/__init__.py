"""Workspaces in the table: tickets, connections, the log."""
