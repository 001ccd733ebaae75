"""The state of a workspace: its sessions and the user's settings. `apply` is pure, total and bounded."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, Self

from yarrow.protocol.workspace.models import SessionEntry
from yarrow.workspace.state import changes, session_changes
from yarrow.workspace.state.changes import Change
from yarrow.workspace.state.session import WorkspaceSession

MAX_SESSIONS: Final = 30
MAX_BYTES: Final = 300_000
"""Limit of the sessions as JSON: even if incompressible, they fit into an item of the table with the rest."""
MAX_WAITING_BYTES: Final = 100_000
MAX_CAUSES: Final = 100
MAX_REMOVED: Final = 100


@dataclass(frozen=True)
class WorkspaceState:
    """A workspace after entry `number`. `latest_ms` is the latest time in it; new ones must be later."""

    number: int = 0
    sessions: tuple[WorkspaceSession, ...] = ()
    language: str = ""
    zoneinfo: str | None = None
    model: str = ""
    latest_ms: int = 0
    causes: tuple[str, ...] = ()
    """The causes of the latest entries, by which a repeated message is recognised."""
    removed: tuple[str, ...] = ()
    """Deleted sessions, whose runs may still be reported."""

    @classmethod
    def from_document(cls, document: Mapping[str, Any]) -> Self:
        return cls(
            number=document["number"],
            sessions=tuple(map(WorkspaceSession.from_document, document["sessions"])),
            language=document["language"],
            zoneinfo=document["zoneinfo"],
            model=document["model"],
            latest_ms=document["latest_ms"],
            causes=tuple(document["causes"]),
            removed=tuple(document["removed"]),
        )

    def document(self) -> dict[str, Any]:
        return {
            "number": self.number,
            "sessions": [session.document() for session in self.sessions],
            "language": self.language,
            "zoneinfo": self.zoneinfo,
            "model": self.model,
            "latest_ms": self.latest_ms,
            "causes": list(self.causes),
            "removed": list(self.removed),
        }

    def session(self, session_id: str | None) -> WorkspaceSession | None:
        """Return a session by its id, a UUID in upper or lower case."""
        wanted = (session_id or "").lower()
        return next((session for session in self.sessions if session.id.lower() == wanted), None)

    def active(self, preferred: str | None) -> str:
        """Return the session that a connection shows: its own, else the latest changed; empty without any (C53)."""
        own = self.session(preferred)
        if own is not None:
            return own.id
        return max(self.sessions, key=lambda session: session.updated_at).id if self.sessions else ""

    @property
    def entries(self) -> list[SessionEntry]:
        return [session.entry for session in self.sessions]

    @property
    def waiting_bytes(self) -> int:
        return sum(len(str(command)) for session in self.sessions for command in session.waiting)


def apply(state: WorkspaceState, entry_changes: Sequence[Change], cause: str = "") -> WorkspaceState:
    for change in entry_changes:
        state = _apply(state, change)
    causes = (*state.causes, cause)[-MAX_CAUSES:] if cause else state.causes
    return replace(_bounded(state), number=state.number + 1, causes=causes)


def _apply(state: WorkspaceState, change: Change) -> WorkspaceState:
    match change["op"]:
        case changes.SESSION_ADDED:
            return _added(state, change)
        case changes.SESSION_REMOVED:
            removed = change["session"]
            left = tuple(session for session in state.sessions if session.id != removed)
            return replace(state, sessions=left, removed=(*state.removed, removed)[-MAX_REMOVED:])
        case changes.SETTINGS:
            zoneinfo = change["zoneinfo"] or state.zoneinfo
            return replace(state, language=change["language"], zoneinfo=zoneinfo, model=change["model"])
    found = state.session(change.get("session"))
    if found is None:
        return state
    after = session_changes.apply(found, change)
    sessions = tuple(after if session is found else session for session in state.sessions)
    return replace(state, sessions=sessions, latest_ms=max(state.latest_ms, *_times(change), 0))


def _added(state: WorkspaceState, change: Change) -> WorkspaceState:
    if state.session(change["session"]) is not None:
        return state
    adopted_at = change.get("adopted_at", 0)
    new = WorkspaceSession(change["session"], change["name"], change["at"], change["language"], adopted_at=adopted_at)
    # The page keeps a tail; a session that leaves it is still in the history.
    kept = state.sessions
    if len(kept) >= MAX_SESSIONS:
        oldest = min(kept, key=lambda session: session.updated_at)
        kept = tuple(session for session in kept if session is not oldest)
    return replace(state, sessions=(*kept, new), latest_ms=max(state.latest_ms, change["at"]))


def _times(change: Change) -> Iterable[int]:
    yield change.get("at", 0)
    if change["op"] == changes.MESSAGE:
        yield change["message"]["createdAt"]


def _bounded(state: WorkspaceState) -> WorkspaceState:
    """Drop the oldest parts of the largest sessions until the state is within MAX_BYTES."""
    while sum(session.size for session in state.sessions) > MAX_BYTES:
        for largest in sorted(state.sessions, key=lambda session: -session.size):
            less = largest.without_oldest()
            if less is not None:
                state = replace(
                    state, sessions=tuple(less if session is largest else session for session in state.sessions)
                )
                break
        else:
            return state
    return state
