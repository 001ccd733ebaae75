"""What a connection is sent for one entry of the log: pure.

Frames append and replace. They cannot remove a message, clear a prompt or delete a session: for such an entry the page
gets a snapshot, which has everything up to now.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from yarrow.protocol.workspace.frames import Frames, PageSnapshot
from yarrow.protocol.workspace.models import Artifact, Log, Message
from yarrow.workspace.state import changes
from yarrow.workspace.state.changes import Change
from yarrow.workspace.state.notices import notice
from yarrow.workspace.state.session import WorkspaceSession, thinking_message
from yarrow.workspace.state.state import WorkspaceState

_NEEDS_SNAPSHOT: Final = frozenset({changes.SESSION_REMOVED, changes.SELECTED, changes.CONTEXT})
_CHANGES_LIST: Final = frozenset({changes.SESSION_ADDED, changes.TOUCHED})
_CHANGES_PROMPT: Final = frozenset({changes.PROMPT, changes.QUESTION, changes.ANSWERED, changes.ASKED})
_CHANGES_SUBTASKS: Final = frozenset({changes.SUBTASKS, changes.RESET, changes.ABANDONED})


@dataclass(slots=True)
class _Update:
    messages: list[Message] = field(default_factory=list)
    logs: list[Log] = field(default_factory=list)
    artifacts: list[Artifact] = field(default_factory=list)
    ops: set[str] = field(default_factory=set)


def entry_frames(entry: Sequence[Change], state: WorkspaceState, active: str, frames: Frames) -> list[bytes] | None:
    """Return the frames of an entry for a connection that shows the session `active`; None if it needs a snapshot.

    `state` is the latest; what is replaced as a whole is taken from it. Artifacts have their URLs already.
    """
    updates: dict[str, _Update] = {}
    begun = {change["run"] for change in entry if change["op"] == changes.STARTED}
    over = {change["run"] for change in entry if change["op"] == changes.ENDED}
    for change in entry:
        op = change["op"]
        if op in _NEEDS_SNAPSHOT:
            return None
        if op == changes.ENDED and change.get("thinking", change["run"] not in begun):
            return None
        update = updates.setdefault(change.get("session", ""), _Update())
        update.ops.add(op)
        if op == changes.MESSAGE:
            update.messages.append(change["message"])
        elif op == changes.LOG:
            update.logs.append(change["log"])
        elif op == changes.ARTIFACT:
            update.artifacts.append(change["artifact"])
        elif op == changes.THINKING:
            update.messages.append(thinking_message(change["run"], change["at"]))
        elif op == changes.STARTED and change["run"] not in over and (at := change.get("thinking_at", change["at"])):
            update.messages.append(thinking_message(change["run"], at))
    sent: list[bytes] = []
    for session_id, update in updates.items():
        of_session = _session_frames(session_id, update, state, frames)
        if of_session is None:
            return None
        sent += of_session
    if any(update.ops & _CHANGES_LIST for update in updates.values()):
        sent.append(frames.session_list(state.entries, active))
    return sent


def execution_frames(entries: Iterable[Sequence[Change]], state: WorkspaceState, frames: Frames) -> list[bytes]:
    """Return the states of sessions whose work these entries paused, resumed, cancelled or retried (WSP-30).

    A snapshot has them too, but other clients listen for this frame.
    """
    changed = {change["session"]: None for entry in entries for change in entry if change["op"] == changes.EXECUTION}
    found = [state.session(session_id) for session_id in changed]
    return [frames.execution(session.id, session.execution) for session in found if session is not None]


def snapshot_frames(
    state: WorkspaceState, active: str, frames: Frames, artifacts: Mapping[str, Sequence[Artifact]]
) -> list[bytes]:
    """Return the list of sessions and a snapshot; `artifacts` have URLs, by session."""
    return [frames.session_list(state.entries, active), *frames.snapshot(snapshot(state, active, artifacts))]


def snapshot(state: WorkspaceState, active: str, artifacts: Mapping[str, Sequence[Artifact]]) -> PageSnapshot:
    """Return all that the page keeps (WSP-19)."""
    sessions = state.sessions
    thinking = {session.id: session.thinking for session in sessions}
    return PageSnapshot(
        sessions=state.entries,
        active_session_id=active,
        conversations={
            session.id: [
                *_older(session),
                *session.messages,
                *([placeholder] if (placeholder := thinking[session.id]) else []),
            ]
            for session in sessions
        },
        subtasks={session.id: session.subtasks for session in sessions},
        # The page shows log lines that have a subtask's key in its dialog; these would be duplicates.
        subtask_logs={session.id: {} for session in sessions},
        artifacts={session.id: artifacts.get(session.id, session.artifacts) for session in sessions},
        runtime_logs={session.id: session.logs for session in sessions},
        prompts={session.id: session.prompt for session in sessions if session.prompt is not None},
        runtime_contexts={session.id: session.context for session in sessions if session.context is not None},
        execution_states={session.id: session.execution for session in sessions},
    )


def _older(session: WorkspaceSession) -> list[Message]:
    """Return a notice as first message, if older messages were left out."""
    if not session.has_older or not session.messages:
        return []
    text, at = notice(session.language, "older"), session.messages[0]["createdAt"] - 1
    return [{"id": f"older-{session.id}", "role": "assistant", "content": text, "createdAt": at}]


def _session_frames(session_id: str, update: _Update, state: WorkspaceState, frames: Frames) -> list[bytes] | None:
    session = state.session(session_id)
    if session is None:  # it was deleted since; a snapshot follows
        return []
    prompt = session.prompt if update.ops & _CHANGES_PROMPT else None
    if prompt is None and update.ops & _CHANGES_PROMPT:
        return None
    if changes.RESET in update.ops:  # its answers are cleared
        prompt = session.prompt
    sent: list[bytes] = []
    if update.messages or prompt is not None:
        sent += frames.conversation(session_id, update.messages, prompt)
    sent += frames.logs(session_id, update.logs)
    if update.ops & _CHANGES_SUBTASKS:
        sent.append(frames.subtasks(session_id, session.subtasks))
    sent += frames.artifacts(session_id, update.artifacts)
    if changes.EXECUTION in update.ops or changes.STARTED in update.ops:
        sent.append(frames.execution(session_id, session.execution))
    return sent
