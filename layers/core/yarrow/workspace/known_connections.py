"""Which task a connection is for, and what its page showed before (C52, C53)."""

from yarrow.store.workspace import connections, keys
from yarrow.workspace.open_workspace import Workspace


def task_of(connection_id: str, named: str | None) -> str | None:
    """The task of a connection whose address names none: that of its frame, else of its latest command."""
    if named is not None:
        return named
    opened = connections.opened(connection_id)
    return None if opened is None else opened.task_name


def join(workspace: Workspace, connection_id: str, client_tag: str | None) -> None:
    """Add a connection to a workspace: it gets a snapshot. An older one of the same page is forgotten."""
    shown = workspace.stored.head.latest_session
    if client_tag is not None:
        page = connections.page(workspace.user_id, client_tag)
        if page is not None and page.task_name == workspace.task_name and page.active_session is not None:
            shown = page.active_session
        for other in workspace.stored.connections:
            if other.client_tag == client_tag and other.id != connection_id:
                connections.remove(workspace.key, other.id)
    connections.add(workspace.key, connection_id, workspace.user_id, client_tag, shown)


def bind(connection_id: str, user_id: str, client_tag: str | None, task_name: str) -> None:
    """Remember the task of a connection whose address names none; it leaves the one before."""
    opened = connections.opened(connection_id)
    if opened is not None and opened.task_name not in (None, task_name):
        connections.remove(keys.key_of(user_id, str(opened.task_name)), connection_id)
    connections.open_without_task(connection_id, user_id, task_name)
    remember(user_id, client_tag, task_name, None)


def remember(user_id: str, client_tag: str | None, task_name: str, shown: str | None) -> None:
    """Remember what a page shows, for its next connection."""
    if client_tag is not None:
        connections.remember(user_id, client_tag, task_name, shown)


def leave(connection_id: str, user_id: str, task_name: str | None) -> None:
    """Forget a connection."""
    if task_name is None:
        opened = connections.opened(connection_id)
        connections.forget(connection_id)
        task_name = None if opened is None else opened.task_name
    if task_name is not None:
        connections.remove(keys.key_of(user_id, task_name), connection_id)
