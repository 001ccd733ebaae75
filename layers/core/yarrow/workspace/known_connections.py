"""Which task a connection is for, and what its page showed before (C52, C53)."""

from yarrow.store.workspace import connections, keys
from yarrow.workspace.open_workspace import Workspace


def task_of(connection_id: str, named: str | None) -> str | None:
    """Return the task of a connection whose address names none: its frame's, else its latest command's."""
    if named is not None:
        return named
    opened = connections.opened(connection_id)
    return None if opened is None else opened.task_name


def join(workspace: Workspace, connection_id: str, client_tag: str | None) -> None:
    session_id = (
        _remembered_session(workspace.user_id, client_tag, workspace.task_name) or workspace.stored.head.latest_session
    )
    connections.add(workspace.key, connection_id, workspace.user_id, client_tag, session_id)


def forget_earlier(workspace: Workspace, connection_id: str, client_tag: str | None) -> None:
    """Forget the other connections of a page that has just opened this one."""
    for other in workspace.stored.connections:
        if client_tag is not None and other.client_tag == client_tag and other.id != connection_id:
            connections.remove(workspace.key, other.id)


def bind(connection_id: str, user_id: str, client_tag: str | None, task_name: str) -> None:
    """Store the task of a connection whose address names none; it leaves its earlier task's workspace."""
    opened = connections.opened(connection_id)
    if opened is not None and opened.task_name not in (None, task_name):
        connections.remove(keys.key_of(user_id, str(opened.task_name)), connection_id)
    connections.open_without_task(connection_id, user_id, task_name)
    remember(user_id, client_tag, task_name, _remembered_session(user_id, client_tag, task_name))


def remember(user_id: str, client_tag: str | None, task_name: str, shown: str | None) -> None:
    """Store which session a page shows, for its next connection."""
    if client_tag is not None:
        connections.remember(user_id, client_tag, task_name, shown)


def _remembered_session(user_id: str, client_tag: str | None, task_name: str) -> str | None:
    """Return the session that a page showed when it was last connected, if stored."""
    page = None if client_tag is None else connections.page(user_id, client_tag)
    return None if page is None or page.task_name != task_name else page.active_session


def leave(connection_id: str, user_id: str, task_name: str | None) -> None:
    if task_name is None:
        opened = connections.opened(connection_id)
        connections.forget(connection_id)
        task_name = None if opened is None else opened.task_name
    if task_name is not None:
        connections.remove(keys.key_of(user_id, task_name), connection_id)
