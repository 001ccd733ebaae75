"""Persistent state of a run: checked, held until the run ends, optionally shown (`agent-runner.md` §6.5; RNR-36): one
document, scope → key → value, as a snapshot, then JSON Patch (EVT-13).
"""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from yarrow.formats import json_text
from yarrow.formats.json_patch import Operation, pointer
from yarrow.observability.logs import logger
from yarrow.protocol.events import events
from yarrow.protocol.runner.models import AgentRunState
from yarrow.protocol.runner.vocabulary import StateScope
from yarrow.worker.results.payloads import StateUpdated
from yarrow.worker.run_options import RunOptions

MAX_STATE_KEYS: Final = 50
"""They are written in one transaction with the run's end."""

MAX_SHOWN_BYTES: Final = 256 * 1024
"""JSON bytes; a larger state is not shown."""


class StateUpdates:
    def __init__(self, options: RunOptions, ids: events.RunIds) -> None:
        self.by_scope: dict[StateScope, dict[str, Any]] = {}
        self._options = options
        self._ids = ids
        self._shows = options.shows_state
        self._is_shown = False

    def begin(self, state: AgentRunState) -> Iterator[events.Event]:
        there: dict[str, dict[str, Any]] = {
            scope: getattr(state, scope) for scope in sorted(self._options.state_scopes)
        }
        if not self._shows or not any(there.values()):
            return
        if len(json_text.dumps(there).encode()) > MAX_SHOWN_BYTES:
            logger.warning("the state is too large to show")
            self._shows = False
            return
        yield self._snapshot(there)

    def keep(self, update: StateUpdated) -> bool:
        """Hold an update until the run ends; False if the run may not store it."""
        values = self.by_scope.get(update.scope, {})
        is_new = update.key not in values
        if update.scope not in self._options.state_scopes or (is_new and self._count() == MAX_STATE_KEYS):
            return False
        self.by_scope.setdefault(update.scope, {})[update.key] = update.value
        return True

    def show(self, update: StateUpdated) -> Iterator[events.Event]:
        if not self._shows:
            return
        if self._is_shown:
            change: Operation = {"path": pointer(update.scope, update.key), "op": "add", "value": update.value}
            yield events.StateDelta(**self._ids, delta=(change,))
        else:
            empty: dict[str, dict[str, Any]] = {scope: {} for scope in sorted(self._options.state_scopes)}
            yield self._snapshot({**empty, update.scope: {update.key: update.value}})

    def _count(self) -> int:
        return sum(map(len, self.by_scope.values()))

    def _snapshot(self, state: Mapping[str, Any]) -> events.Event:
        self._is_shown = True
        return events.StateSnapshot(**self._ids, snapshot=state)
