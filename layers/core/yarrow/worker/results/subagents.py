"""The agents that a runner calls, as SUBAGENT events (EVT-34).

An invocation's id is the same from each worker: it is made of its number in the run.
"""

import uuid
from collections.abc import Iterator
from typing import Any, Final

from yarrow.protocol.events import events
from yarrow.protocol.events.order import EventOrder
from yarrow.protocol.events.subagents import SUSPENDED, SubagentError, SubagentFinished, SubagentStarted
from yarrow.worker.results.payloads import SubagentBegan, SubagentEnded, SubagentFailed

MAX_SUBAGENTS: Final = 100
"""Invocations of a run."""

_NAMESPACE: Final = uuid.UUID("9a0e5f0a-3c5f-5b7a-8d0e-737562616765")


class Subagents:
    """The nested agents of one run; `log_key` names the run. Methods yield the events to store."""

    def __init__(self, order: EventOrder, ids: events.RunIds, log_key: str) -> None:
        self._order = order
        self._ids = ids
        self._log_key = log_key
        self._emitted: dict[str, str] = {}
        """The emitted id of every invocation, by the runner's id."""
        self._ended: set[str] = set()
        """The emitted ids of those that the runner has ended, which in a rerun may have ended before."""

    def id_of(self, subagent: str | None) -> str | None:
        """Return the emitted id of one that the runner has not ended, by its id; None for the run's own agent."""
        emitted = self._emitted.get(subagent or "")
        return None if emitted in self._ended else emitted

    def start(self, began: SubagentBegan, tool_call_id: str | None) -> Iterator[events.Event] | None:
        """Start one, unless an earlier worker did. None if it is one too many, or its id was used before."""
        if began.subagent_run_id in self._emitted or len(self._emitted) == MAX_SUBAGENTS:
            return None
        emitted = str(uuid.uuid5(_NAMESPACE, f"{self._log_key}/{len(self._emitted) + 1}"))
        self._emitted[began.subagent_run_id] = emitted
        if emitted in self._order.subagents.text:
            return iter(())
        parent = self._emitted.get(began.parent_subagent_run_id or "")
        started = SubagentStarted(
            **self._ids,
            subagent_run_id=emitted,
            name=began.name,
            description=began.description,
            parent_subagent_run_id=parent if parent in self._order.subagents_here else None,
            parent_tool_call_id=tool_call_id,
        )
        return iter((started,))

    def finish(self, ended: SubagentEnded) -> Iterator[events.Event]:
        """Finish one that is active."""
        if (emitted := self._end(ended.subagent_run_id)) is not None:
            yield SubagentFinished(**self._ids, subagent_run_id=emitted, result=ended.result)

    def fail(self, failed: SubagentFailed, message: str) -> Iterator[events.Event]:
        """End one that failed; `message` is public."""
        if (emitted := self._end(failed.subagent_run_id)) is not None:
            yield SubagentError(**self._ids, subagent_run_id=emitted, message=message, code=failed.code)

    def _end(self, subagent: str) -> str | None:
        """Note the end of one, and return its emitted id; None if it has ended before or never began."""
        emitted = self.id_of(subagent)
        if emitted is not None:
            self._ended.add(emitted)
        return self._order.active(emitted)

    def end_all(self, *, waits: bool) -> Iterator[events.Event]:
        """End those that the runner left active, the last first: suspended if the run `waits` for an answer."""
        outcome: dict[str, Any] | None = SUSPENDED if waits else None
        for emitted in reversed(self._order.subagents.open[:]):
            yield SubagentFinished(**self._ids, subagent_run_id=emitted, outcome=outcome)
