"""Commands about sessions: init, create, delete, switch, and the runtime context (WSP-04 … WSP-08)."""

import uuid
from collections.abc import Sequence

from yarrow.protocol.workspace.commands import CreateSession, DeleteSession, SwitchSession, UpdateContext
from yarrow.workspace.commands.draft import Draft
from yarrow.workspace.earlier_sessions import EarlierSession
from yarrow.workspace.state import changes
from yarrow.workspace.state.notices import notice
from yarrow.workspace.state.session import WorkspaceSession


def init(draft: Draft, earlier: Sequence[EarlierSession] = ()) -> None:
    """Create a session if there is none; the page sends this command many times (C54).

    `earlier` are the user's sessions from before there was a workspace.
    """
    if not draft.state.sessions:
        draft.keep_settings(None)
        for found in earlier:
            adopted_at = draft.position.stamp()
            added = changes.session_added(found.id, found.name, found.updated_at, draft.language, adopted_at)
            draft.changes.append(added)
            draft.changes += [changes.message(found.id, message) for message in found.messages]
        if not earlier or draft.takes("workspace.init"):
            add_session(draft, "")
        return
    session = draft.session(None)
    draft.keep_settings(session)
    draft.rerender(session)


def create_session(draft: Draft, command: CreateSession) -> None:
    """Create a session and make it the active one (WSP-05)."""
    draft.keep_settings(None)
    add_session(draft, command.name)


def delete_session(draft: Draft, command: DeleteSession) -> None:
    """Remove a session that is deleted from the store already (WSP-06); a new one replaces the last."""
    session = draft.state.session(command.session_id)
    draft.keep_settings(None)
    if session is None:
        return
    draft.changes.append(changes.session_removed(session.id))
    if len(draft.state.sessions) == 1:
        add_session(draft, "")


def switch_session(draft: Draft, command: SwitchSession) -> None:
    """Show another session (WSP-07); an unknown one is ignored."""
    session = draft.state.session(command.session_id)
    draft.keep_settings(session)
    if session is not None:
        draft.shows = session.id
        draft.rerender(session)


def update_context(draft: Draft, command: UpdateContext) -> None:
    """Bind a runtime context to one session (WSP-08)."""
    session = draft.session(command.session_id)
    draft.keep_settings(session)
    if command.context == session.context:
        return
    draft.changes.append(changes.context(session.id, command.context))
    draft.log(session.id, notice(draft.language, "context"), source="context")


def add_session(draft: Draft, name: str) -> None:
    """Add a session, show it, and queue its opening for the agent."""
    session_id = str(uuid.uuid4())
    named = name or notice(draft.language, "session", number=len(draft.state.sessions) + 1)
    at = draft.position.stamp()
    draft.changes.append(changes.session_added(session_id, named, at, draft.language))
    draft.shows = session_id
    if draft.takes("workspace.init"):
        new = WorkspaceSession(session_id, named, at, draft.language)
        draft.queue(new, "workspace.init", {"reason": "session_created", "name": named})
