"""Pause, resume, retry and cancel (WSP-15 … WSP-18, C29). The run itself is stopped by `advance`, from the state."""

from collections.abc import Callable, Mapping
from typing import Final

from yarrow.protocol.workspace.commands import Action, Control
from yarrow.protocol.workspace.models import Execution
from yarrow.workspace.commands.draft import Draft
from yarrow.workspace.state import changes
from yarrow.workspace.state.notices import notice
from yarrow.workspace.state.session import WorkspaceSession


def control(draft: Draft, command: Control) -> None:
    """Change the state of a session's work, unless a later control that undoes this one is applied already."""
    session = draft.session(command.session_id)
    draft.keep_settings(session)
    at, made = draft.request.at_ms, len(draft.changes)
    frees = command.action in _FREEING
    if at >= (session.controlled_at if frees else session.freed_at):
        _ACTIONS[command.action](draft, session)
    if len(draft.changes) > made:
        return
    # There is nothing to do, but the page gets the state, and the action's time counts against earlier ones.
    canceled, paused = session.canceled, session.paused
    if frees:
        canceled = canceled and session.canceled_at > at
        paused = not canceled and session.paused_at > max(at, session.freed_at)
    _set(draft, session, command.action, paused=paused, canceled=canceled)


def _pause(draft: Draft, session: WorkspaceSession) -> None:
    """Hold waiting commands and stop the run; a resume repeats its command."""
    if session.paused or session.canceled:
        return
    _set(draft, session, "pause", paused=True, canceled=False)
    draft.changes.append(changes.held(session.id))
    _tell(draft, session, "paused")


def _resume(draft: Draft, session: WorkspaceSession) -> None:
    """Resume: the agent gets the control if it takes it, else the stopped command again."""
    if not session.paused and not session.canceled:
        return
    _set(draft, session, "resume", paused=False, canceled=False)
    _tell(draft, session, "resumed")
    if draft.takes("workspace.control"):
        draft.queue(session, "workspace.control", {"action": "resume"})
    elif session.held is not None:
        draft.requeue(session, session.held)


def _cancel(draft: Draft, session: WorkspaceSession) -> None:
    """Cancel the run, drop waiting commands, and fail subtasks that are not done."""
    if session.canceled:
        return
    draft.changes.append(changes.abandoned(session.id, draft.position.stamp()))
    _set(draft, session, "cancel", paused=False, canceled=True)
    _tell(draft, session, "canceled")


def _retry(draft: Draft, session: WorkspaceSession) -> None:
    """Reset subtasks, answers and flags; the agent gets the control if it takes it, else its latest command again."""
    draft.changes.append(changes.reset(session.id, draft.position.stamp()))
    _set(draft, session, "retry", paused=False, canceled=False)
    _tell(draft, session, "retried")
    if draft.takes("workspace.control"):
        draft.queue(_emptied(session), "workspace.control", {"action": "retry"})
    elif session.latest is not None:
        draft.requeue(session, session.latest)


def _emptied(session: WorkspaceSession) -> WorkspaceSession:
    """Return the session as it is after the reset, without waiting commands."""
    return WorkspaceSession(session.id, session.name, session.updated_at, session.language, context=session.context)


def _set(draft: Draft, session: WorkspaceSession, action: Action, *, paused: bool, canceled: bool) -> None:
    state: Execution = {"paused": paused, "canceled": canceled, "started": session.started}
    draft.changes.append(changes.execution(session.id, state, draft.request.at_ms, action))


def _tell(draft: Draft, session: WorkspaceSession, what: str) -> None:
    draft.log(session.id, what, source="execution")
    draft.say(session.id, notice(draft.language, what))
    draft.touch(session.id)


_FREEING: Final[frozenset[Action]] = frozenset({"resume", "retry"})
_ACTIONS: Final[Mapping[Action, Callable[[Draft, WorkspaceSession], None]]] = {
    "pause": _pause,
    "resume": _resume,
    "cancel": _cancel,
    "retry": _retry,
}
