"""A run's tool calls and results, for agents of later runs (MSG-08)."""

from bisect import bisect_left
from collections.abc import Iterable, Mapping, Set
from itertools import islice
from typing import Any, Final

from yarrow.formats import json_text
from yarrow.protocol.runner.vocabulary import CUT, RESULT_CHARACTERS
from yarrow.store.tool_use import Round, StoredCall, ToolUse

MAX_TOOL_USE_BYTES: Final = 256 * 1024
"""JSON in one item; the oldest calls are dropped first."""


class ToolHistory:
    def __init__(self, results: Iterable[Mapping[str, Any]] = ()) -> None:
        """`results` are from the client's tools."""
        self._answers = {result["tool_call_id"]: _cut(result_text(result)) for result in results}
        self._steps: list[tuple[str | None, list[str]]] = []
        self._calls: dict[str, StoredCall] = {}
        self._has_result = False
        """Whether a result has arrived since the last call: the next call begins a new round."""

    def call(self, call_id: str, name: str, parameters: Mapping[str, Any], message_id: str | None) -> None:
        """Add a call once; `message_id` is that of the last message that ended before it."""
        if call_id in self._calls:
            return
        if not self._steps or self._has_result or self._steps[-1][0] != message_id:
            self._steps.append((message_id, []))
            self._has_result = False
        self._steps[-1][1].append(call_id)
        self._calls[call_id] = StoredCall(call_id, name, json_text.dumps(parameters))

    def answer(self, call_id: str, content: str) -> None:
        """Add a call's result, unless it has one."""
        self._has_result = True
        if self._calls[call_id].result is None:
            self._calls[call_id] = self._calls[call_id]._replace(result=_cut(content))

    def tool_use(self, without: Set[str] = frozenset(), *, only_answered: bool = False) -> ToolUse | None:
        """Return the calls and results that fit in an item, None if there are none; not those `without`, nor those that
        have no result if `only_answered`.
        """
        left_out = {name for name, call in self._calls.items() if only_answered and call.result is None} | without
        self._calls = {name: call for name, call in self._calls.items() if name not in left_out}
        dropped = range(len(self._answers) + len(self._calls))
        least = bisect_left(dropped, True, key=lambda number: _fits(self._without(number)))
        tool_use = self._without(least)
        return tool_use if tool_use.rounds or tool_use.answers else None

    def _without(self, oldest: int) -> ToolUse:
        """Drop the oldest entries; the client's results precede every call."""
        answers = dict(islice(self._answers.items(), oldest, None))
        kept = set(islice(self._calls, max(0, oldest - len(self._answers)), None))
        rounds = (
            Round(message_id, tuple(self._calls[name] for name in names if name in kept))
            for message_id, names in self._steps
        )
        return ToolUse(tuple(round_ for round_ in rounds if round_.calls), answers)


def result_text(result: Mapping[str, Any]) -> str:
    """Return the text of a client tool's result (MSG-05)."""
    content = str(result["content"])
    return content if result.get("error") is None else f"error: {result['error']}\n{content}"


def _fits(tool_use: ToolUse) -> bool:
    return len(tool_use.to_json().encode()) <= MAX_TOOL_USE_BYTES


def _cut(content: str) -> str:
    return content if len(content) <= RESULT_CHARACTERS else content[:RESULT_CHARACTERS] + CUT
