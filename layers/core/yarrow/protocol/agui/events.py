"""A run's stored events in AG-UI form: one line of JSON in, one line or none out.

Source: `agui-http-agent.md` and released clients (EVT-07 … EVT-28, DIV-33a, C10 … C13). Clients reject unknown members
and types, so extra members move into `metadata` and the divination becomes CUSTOM. Steps are left out.
"""

from collections.abc import Callable, Mapping
from typing import Any, Final

from yarrow.formats import json_text
from yarrow.protocol.events import sse
from yarrow.protocol.events.base import DERIVED, FRAMING, RunIds, RunStarted, encode

PROTOCOL_VERSION: Final = "1.0"
"""The AG-UI version in RUN_STARTED."""

SESSION: Final = "yarrow.threadId"
"""The member of RUN_STARTED's metadata with the session id, if the client's thread id differs (C5)."""

CANCELED: Final = "RUN_CANCELED"


class Profile:
    """Converts one run's events for one client; needs every stored line in order.

    `thread_id` is the client's. Without `protocol_version` the client is older than 1.0 and has no cancelled outcome
    (EVT-28).
    """

    def __init__(self, ids: RunIds, thread_id: str | None = None, protocol_version: str | None = None) -> None:
        self._ids_text = encode(RunStarted(**ids)).removeprefix('{"type":"RUN_STARTED"').removesuffix("}")
        self.ids = ids
        self._client_ids = {"threadId": thread_id or ids["thread_id"], "runId": ids["run_id"]}
        self._knows_outcomes = protocol_version is not None
        self._output: dict[str, Any] | None = None

    def line(self, stored: str) -> str | None:
        """The event for the client; None if it is left out. Raises ValueError for a line that was not stored."""
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
"""How to rewrite each type that changes beyond the run's ids."""


def failure(code: str, message: str) -> str:
    """The last event of a stream that ends before its run (EVT-08)."""
    return json_text.dumps({"type": "RUN_ERROR", "message": message, "code": code})


_KNOWN_ROLES: Final = frozenset({"user", "assistant", "system", "developer", "tool", "reasoning"})
_MEDIA: Final = ("image", "audio", "video")


def message(stored: Mapping[str, Any]) -> dict[str, Any] | None:
    """A message in AG-UI 1.0 form; None for an unknown shape (MSG-06). Binary parts become media parts."""
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
