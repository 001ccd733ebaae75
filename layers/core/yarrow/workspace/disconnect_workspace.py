"""Closes a connection."""

from typing import Final

from yarrow.observability.logs import logger
from yarrow.protocol.caller import Caller
from yarrow.store.workspace import keys
from yarrow.workspace import known_connections
from yarrow.workspace.lost_frame import tell_of_lost_frame
from yarrow.workspace.open_workspace import WorkspaceBusyError

TOO_LARGE: Final = 1009
"""The WebSocket status with which API Gateway closes a connection for a frame or message over its limits."""


def disconnect_workspace(connection_id: str, caller: Caller, task_name: str | None, status: int | None = None) -> None:
    """Forget a connection, if it is known. If it was closed for a frame that was too large, its session says so."""
    if status == TOO_LARGE and (task := known_connections.task_of(connection_id, task_name)) is not None:
        try:
            tell_of_lost_frame(keys.key_of(caller.user_id, task), connection_id)
        except WorkspaceBusyError:
            logger.warning("a workspace is busy; the notice of a frame that was too large is dropped")
    known_connections.leave(connection_id, caller.user_id, task_name)
