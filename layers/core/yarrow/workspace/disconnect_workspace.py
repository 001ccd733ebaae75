"""Closing a connection."""

from yarrow.protocol.caller import Caller
from yarrow.workspace import known_connections


def disconnect_workspace(connection_id: str, caller: Caller, task_name: str | None) -> None:
    """Forget a connection; no effect on one that is not known."""
    known_connections.leave(connection_id, caller.user_id, task_name)
