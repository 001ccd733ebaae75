"""A run's stored events in AG-UI form, line by line.

Source: `agui-http-agent.md` and released clients (EVT-07 … EVT-28, DIV-33a, C10 … C13). Clients reject unknown members
and types.
"""

from collections.abc import Callable, Mapping
from typing import Any, Final

from yarrow.formats import json_text
from yarrow.protocol.events import sse
from yarrow.protocol.events.framing import DERIVED, FRAMING, RunIds
from yarrow.protocol.ui_schema.event_lines import without_hints

PROTOCOL_VERSION: Final = "1.0"

SESSION: Final = "yarrow.threadId"
"""In RUN_STARTED's metadata, if the client's thread id differs (C5)."""

CANCELED: Final = "RUN_CANCELED"


class Profile:
    """Converts one run's events, in order, for one client with its `thread_id`.

    Clients before 1.0 send no `protocol_version` and have no cancelled outcome (EVT-28).
    """

    def __init__(self, ids: RunIds, thread_id: str | None = None, protocol_version: str | None = None) -> None:
        written = json_text.dumps({"threadId": ids["thread_id"], "runId": ids["run_id"]})
        self._ids_text = f",{written[1:-1]}"
        self.ids = ids
        self._client_ids = {"threadId": thread_id or ids["thread_id"], "runId": ids["run_id"]}
        self._knows_outcomes = protocol_version is not None
        self._output: dict[str, Any] | None = None

    def line(self, stored: str) -> str | None:
        """None if dropped. Raises ValueError for a line that was not stored."""
        kind = sse.event_type(stored)
        bare = stored.replace(self._ids_text, "", 1)  # right after the type
        rewrite = _REWRITTEN.get(kind)
        return bare if rewrite is None else rewrite(self, bare)

    def _started(self, bare: str) -> str:
        event = json_text.loads(bare.encode())
        sent = {"type": event.pop("type"), **self._client_ids, "protocolVersion": PROTOCOL_VERSION, **event}
        if self._client_ids["threadId"] != self.ids["thread_id"]:
            sent["metadata"] = {SESSION: self.ids["thread_id"]}
        return json_text.dumps(sent)

    def _finished(self, bare: str) -> str:
        event = json_text.loads(bare.encode())
        sent = {"type": event.pop("type"), **self._client_ids, **event}
        if self._output is not None:
            sent.setdefault("result", self._output)
        return json_text.dumps(sent)

    def _failed(self, bare: str) -> str:
        if not self._knows_outcomes or json_text.loads(bare.encode()).get("code") != CANCELED:
            return bare
        return json_text.dumps({"type": "RUN_FINISHED", **self._client_ids, "outcome": {"type": "cancelled"}})

    def _text_ended(self, bare: str) -> str:
        bare = without_hints(bare)
        event = json_text.loads(bare.encode())
        output = {name: event.pop(name) for name in list(event) if name not in FRAMING}
        self._output = output or self._output
        return json_text.dumps({**event, "metadata": output}) if output else bare

    def _derived(self, bare: str) -> str:
        named = bare.replace('"type":"DIVINATION_DERIVED"', f'"type":"CUSTOM","name":"{DERIVED}"', 1)
        return named.replace(',"divination":', ',"value":', 1)

    def _snapshot(self, bare: str) -> str:
        event = json_text.loads(bare.encode())
        return json_text.dumps({**event, "messages": [sent for each in event["messages"] if (sent := message(each))]})

    def _left_out(self, _: str) -> None:
        return None


_REWRITTEN: Final[Mapping[str, Callable[[Profile, str], str | None]]] = {
    "RUN_STARTED": Profile._started,
    "RUN_FINISHED": Profile._finished,
    "RUN_ERROR": Profile._failed,
    "TEXT_MESSAGE_END": Profile._text_ended,
    "DIVINATION_DERIVED": Profile._derived,
    "MESSAGES_SNAPSHOT": Profile._snapshot,
    "STEP_STARTED": Profile._left_out,
    "STEP_FINISHED": Profile._left_out,
}


def failure(code: str, message: str) -> str:
    """Ends a stream before its run (EVT-08)."""
    return json_text.dumps({"type": "RUN_ERROR", "message": message, "code": code})


_KNOWN_ROLES: Final = frozenset({"user", "assistant", "system", "developer", "tool", "reasoning"})
_MEDIA: Final = ("image", "audio", "video")


def message(stored: Mapping[str, Any]) -> dict[str, Any] | None:
    """In AG-UI 1.0 form; None for an unknown shape (MSG-06)."""
    sent = {name: value for name, value in stored.items() if value is not None}
    if sent.get("role") not in _KNOWN_ROLES or (
        sent["role"] == "reasoning" and not isinstance(sent.get("content"), str)
    ):
        return None
    if isinstance(sent.get("content"), list):
        sent["content"] = [part for each in sent["content"] if (part := _part(each))]
    return sent


def _part(block: Mapping[str, Any]) -> dict[str, Any] | None:
    if block["type"] == "text":
        return {"type": "text", "text": block["text"]}
    medium, _, _ = block["mimeType"].partition("/")
    for source, name in (("url", "url"), ("data", "data"), ("file", "id")):
        if block.get(name):
            return {
                "type": medium if medium in _MEDIA else "document",
                "source": {"type": source, "value": block[name], "mimeType": block["mimeType"]},
            }
    return None
