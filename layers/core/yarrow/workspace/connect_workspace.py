"""Opens a connection: it is stored here, and the table's stream sends its first frames, since API Gateway takes no
frames for a connection whose $connect is not answered yet.
"""

import time
from dataclasses import dataclass

from yarrow.access import limits
from yarrow.agents import bindings
from yarrow.protocol.caller import Caller
from yarrow.protocol.problems import Code, Problem
from yarrow.settings import settings
from yarrow.store.workspace import connections, keys, log
from yarrow.workspace import known_connections
from yarrow.workspace.open_workspace import Workspace


@dataclass(frozen=True, slots=True)
class OpeningConnection:
    """A connection that is being opened: its caller, its task if known, and its page (C52)."""

    connection_id: str
    caller: Caller
    task_name: str | None
    client_tag: str | None
    at_ms: int


def connect_workspace(connection: OpeningConnection) -> None:
    """Store a connection. Raises Problem 404 for an unknown task and 429 at the limit of connections."""
    user_id, task_name = connection.caller.user_id, connection.task_name
    if task_name is None:
        # The page may have named it on an earlier connection, and does not when it reconnects.
        page = None if connection.client_tag is None else connections.page(user_id, connection.client_tag)
        task_name = None if page is None or bindings.for_task(page.task_name) is None else page.task_name
        connections.open_without_task(connection.connection_id, user_id, task_name)
        if task_name is None:
            return
    if bindings.for_task(task_name) is None:
        raise Problem(Code.AGENT_TASK_NOT_FOUND, "no agent has a workspace with this task name")
    key = keys.key_of(user_id, task_name)
    log.create(key, user_id, task_name)
    workspace = Workspace.load(key)
    if workspace is None:
        raise Problem(Code.AGENT_TASK_NOT_FOUND, "no agent has a workspace with this task name")
    _check_number(workspace, connection)
    # Not when a frame joins the workspace: the frame may be a late one of an earlier connection.
    known_connections.forget_earlier(workspace, connection.connection_id, connection.client_tag)
    known_connections.join(workspace, connection.connection_id, connection.client_tag)


def _check_number(workspace: Workspace, connection: OpeningConnection) -> None:
    """Raise Problem 429 if the user has too many connections to the workspace, not counting this page's own."""
    others = [
        other
        for other in workspace.stored.connections
        if other.expires_at > time.time() and (other.client_tag is None or other.client_tag != connection.client_tag)
    ]
    most = settings.workspace_connections_per_user
    if most and len(others) >= most:
        raise limits.refusal(
            Code.AGENT_WORKSPACE_CONNECTION_LIMIT, "too many open connections to the workspace", params={"limit": most}
        )
