"""State shared by client and agent for one run (C46): STATE_SNAPSHOT, then STATE_DELTA. The client sends it with every
run. It is stored between runs only for clients that ask (`client_state`).
"""

from collections.abc import Iterator, Sequence
from typing import Any

from yarrow.formats import json_text
from yarrow.formats.json_patch import Operation, PatchError, apply, without_tests
from yarrow.observability.logs import logger
from yarrow.protocol.events import events
from yarrow.worker.results.state_updates import MAX_SHOWN_BYTES


class SharedState:
    """State that is unused if the agent shows its persistent state: a client has one state."""

    def __init__(self, ids: events.RunIds, *, is_shared: bool) -> None:
        self._ids = ids
        self._is_shared = is_shared
        self._is_emitted = False
        self._document: Any = {}

    @property
    def document(self) -> Any:
        """The state now; None if it was never emitted."""
        return self._document if self._is_emitted else None

    def begin(self, sent: Any) -> Iterator[events.Event]:
        """Begin with the client's state, unless it is empty."""
        if not self._is_shared or not sent:
            return
        if len(json_text.dumps(sent).encode()) > MAX_SHOWN_BYTES:
            logger.warning("the shared state is too large")
            self._is_shared = False
            return
        self._document = sent
        yield self._snapshot()

    def change(self, operations: Sequence[Operation]) -> list[events.Event] | None:
        """Apply a change and return its events; None if it is not allowed or invalid."""
        if not self._is_shared:
            return None
        try:
            self._document = apply(self._document, operations, MAX_SHOWN_BYTES)
        except PatchError:
            return None
        if not self._is_emitted:
            return [self._snapshot()]
        changes = without_tests(operations)
        return [events.StateDelta(**self._ids, delta=changes)] if changes else []

    def _snapshot(self) -> events.Event:
        self._is_emitted = True
        return events.StateSnapshot(**self._ids, snapshot=self._document)
