"""Parses the payloads of results by their types, a plain `message.delta` on a fast path."""

from collections.abc import Mapping
from json.encoder import encode_basestring
from typing import Any, Final, NamedTuple

from yarrow.formats import json_text
from yarrow.protocol.runner.vocabulary import WORKSPACE_RESULTS
from yarrow.worker.results import payloads

_PAYLOADS: Final[Mapping[str, type[payloads.Payload]]] = {
    "message.delta": payloads.MessageDelta,
    "message.completed": payloads.MessageCompleted,
    "reasoning.delta": payloads.ReasoningDelta,
    "reasoning.completed": payloads.ReasoningCompleted,
    "tool.call.started": payloads.ToolCallStarted,
    "tool.call.completed": payloads.ToolCallCompleted,
    "state.updated": payloads.StateUpdated,
    "state.delta": payloads.StateChanged,
    "activity.snapshot": payloads.ActivityShown,
    "activity.delta": payloads.ActivityChanged,
    "artifact.created": payloads.ArtifactCreated,
    "action.requested": payloads.ActionRequested,
    "custom": payloads.CustomSent,
    "stage.started": payloads.StageStarted,
    "subagent.started": payloads.SubagentBegan,
    "subagent.finished": payloads.SubagentEnded,
    "subagent.failed": payloads.SubagentFailed,
    "run.failed": payloads.RunFailed,
    "run.completed": payloads.RunCompleted,
}

TERMINAL: Final[Mapping[str, payloads.Payload]] = {
    "run.failed": payloads.RunFailed(),
    "run.completed": payloads.RunCompleted(),
}
"""Used when the data of a terminal result is malformed: it ends the run all the same."""


def is_known(type_: str) -> bool:
    """Whether the host handles results of this type."""
    return type_ in _PAYLOADS or type_ in WORKSPACE_RESULTS


_MAX_BYTES: Final[Mapping[str, int]] = {
    "artifact.created": payloads.MAX_ARTIFACT_RESULT_BYTES,
    "message.delta": payloads.MAX_MESSAGE_RESULT_BYTES,
    "message.completed": payloads.MAX_MESSAGE_RESULT_BYTES,
    "tool.call.completed": payloads.MAX_MESSAGE_RESULT_BYTES,
}


def max_bytes(type_: str) -> int:
    """Return the JSON bytes allowed for one result."""
    return _MAX_BYTES.get(type_, payloads.MAX_RESULT_BYTES)


def read(type_: str, text: str) -> payloads.Payload:
    """Read the payload of a known type. Raises ValueError if it is malformed."""
    return _PAYLOADS[type_].model_validate_json(text)


class PlainDelta(NamedTuple):
    """A plain `message.delta`, and an upper bound of its JSON bytes."""

    content: str
    is_final: bool
    size: int


_PLAIN_MEMBERS: Final = frozenset({"content", "role", "is_final"})
_FRAME_BYTES: Final = len(json_text.dumps({"chunk": {"role": "assistant", "content": "", "is_final": False}})) - 2
"""Of all but the content."""


def size_of_delta(content: str) -> int:
    """Return an upper bound of a `message.delta`'s JSON bytes. Raises UnicodeEncodeError for a lone surrogate."""
    return _FRAME_BYTES + json_text.size(encode_basestring(content))


def plain_delta(data: Any) -> PlainDelta | None:
    """Read a plain `message.delta` fast, the most frequent result: the same as serialising and parsing it.

    None if it has other members or types or may be too large, for the slow path. Each value is read once, since its
    runner might change it meanwhile.
    """
    if type(data) is not dict or len(data) != 1 or type(chunk := data.get("chunk")) is not dict:
        return None
    chunk = chunk.copy()
    content, role, is_final = chunk.get("content"), chunk.get("role", "assistant"), chunk.get("is_final", False)
    if type(content) is not str or type(is_final) is not bool or type(role) is not str or role != "assistant":
        return None
    if not _PLAIN_MEMBERS.issuperset(chunk):
        return None
    try:
        size = size_of_delta(content)
    except UnicodeEncodeError:
        return None
    return PlainDelta(content, is_final, size) if size <= payloads.MAX_RESULT_BYTES else None
