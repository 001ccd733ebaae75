"""A workspace as read, and appending to it: an entry is stored only if the state it was decided from is current."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final, Self

from yarrow.agents import bindings
from yarrow.agents.bindings import Binding
from yarrow.observability.logs import logger
from yarrow.store import clock, table
from yarrow.store.workspace import log
from yarrow.store.workspace.log import LogEntry, Stored
from yarrow.workspace.state import state as fold
from yarrow.workspace.state.changes import Change
from yarrow.workspace.state.state import WorkspaceState

_TRIES: Final = 20
_PAUSE: Final = 0.02


class WorkspaceBusyError(Exception):
    """Others kept appending to the workspace."""


@dataclass(frozen=True, slots=True)
class LogPosition:
    """The number of the next entry, and increasing times for its changes."""

    workspace: str
    number: int
    stamp: Callable[[], int]


Decide = Callable[[WorkspaceState, LogPosition], Sequence[Change]]
"""Returns what to append in a state; nothing if it is empty."""


@dataclass(slots=True)
class Workspace:
    key: str
    binding: Binding
    stored: Stored
    state: WorkspaceState

    @classmethod
    def load(cls, key: str) -> Self | None:
        """Read a workspace; None if it was never opened or no agent has it any more."""
        stored = log.read(key)
        binding = None if stored is None else bindings.for_task(stored.head.task_name)
        if stored is None or binding is None:
            return None
        return cls(key, binding, stored, _fold(stored))

    @property
    def user_id(self) -> str:
        return self.stored.head.user_id

    @property
    def task_name(self) -> str:
        return self.stored.head.task_name

    def reload(self) -> None:
        stored = log.read(self.key)
        if stored is not None:
            self.stored, self.state = stored, _fold(stored)

    def append(self, decide: Decide, cause: str) -> bool:
        """Append what is decided; after another entry was appended first, decide again.

        Returns False if there was nothing to append, or an entry of the same cause is there. Raises WorkspaceBusyError.
        """
        for tried in range(_TRIES):
            if tried:
                time.sleep(_PAUSE * min(tried, 5))
                self.reload()
            if cause in self.state.causes:
                return False
            position = LogPosition(self.key, self.state.number + 1, _stamps(self.state))
            changes = decide(self.state, position)
            if not changes:
                return False
            entry = LogEntry(position.number, changes, clock.now_ms(), cause)
            try:
                log.append(self.key, entry)
            except table.ConditionFailedError:
                continue
            self._appended(entry)
            return True
        raise WorkspaceBusyError(self.key)

    def _appended(self, entry: LogEntry) -> None:
        self.state = fold.apply(self.state, entry.changes, entry.cause)
        self.stored = replace(self.stored, entries=[*self.stored.entries, entry])
        if entry.number - self.stored.head.through >= log.COMPACT_EVERY:
            try:
                log.compact(self.key, self.stored, self.state.document())
            except Exception:  # the entry is stored; the next one compacts
                logger.warning("a workspace could not be compacted", exc_info=True)


def _fold(stored: Stored) -> WorkspaceState:
    state = WorkspaceState() if stored.head.state is None else WorkspaceState.from_document(stored.head.state)
    for entry in stored.entries:
        if entry.number > state.number:
            state = fold.apply(state, entry.changes, entry.cause)
    return state


def _stamps(state: WorkspaceState) -> Callable[[], int]:
    """Return a clock whose times are later than all in the state and strictly increase (WSP-22)."""
    latest = state.latest_ms

    def stamp() -> int:
        nonlocal latest
        latest = max(clock.now_ms(), latest + 1)
        return latest

    return stamp
