"""A run's stored events as AG-UI clients take them: one line of JSON in, one line or nothing out.

Source: `agui-http-agent.md` and what released clients accept (EVT-07 … EVT-28, DIV-33a, C10 … C13). What is stored has
members that AG-UI does not know, and one type. A client strips the ones with a warning and an older one dies of the
other, so extras go into `metadata`, and the divination becomes CUSTOM. The steps are the host's own stages, which the
scenarios of the document do not have, and are left out. Most events are spliced without being parsed.

Nothing here frames events (`sse`) or decides on their order, which stays as it is stored.
"""

from collections.abc import Callable, Mapping
from typing import Any, Final

from yarrow.formats import json_text
from yarrow.protocol.events import sse
from yarrow.protocol.events.base import FRAMING, RunIds, RunStarted, encode

PROTOCOL_VERSION: Final = "1.0"
"""The version of AG-UI that is spoken here; every run says so."""

DERIVED: Final = "yarrow.divination-derived"
"""The name of the CUSTOM event that DIVINATION_DERIVED becomes (C11)."""

SESSION: Final = "yarrow.threadId"
"""The metadata of RUN_STARTED that names the session to the other routes, where the client calls it otherwise (C5)."""

CANCELED: Final = "RUN_CANCELED"


class Profile:
    """One run's events for one client: feed it every stored line in order.

    `ids` are the names the run's events are stored under, `thread_id` what the client calls the thread.
    `protocol_version` is what the client says it speaks; one that says nothing is older than 1.0 and knows no cancelled
    outcome (EVT-28).
    """

    def __init__(self, ids: RunIds, thread_id: str | None = None, protocol_version: str | None = None) -> None:
        self._ids_text = encode(RunStarted(**ids)).removeprefix('{"type":"RUN_STARTED"').removesuffix("}")
        self.ids = ids
        self._told_ids = {"threadId": thread_id or ids["thread_id"], "runId": ids["run_id"]}
        self._knows_outcomes = protocol_version is not None
        self._output: dict[str, Any] | None = None

    def line(self, stored: str) -> str | None:
        """The event for the client; None when it has no place there. Raises ValueError for what was not stored."""
        kind = sse.event_type(stored)
        bare = stored.replace(self._ids_text, "", 1)  # they stand right after the type
        rewrite = _REWRITTEN.get(kind)
        return bare if rewrite is None else rewrite(self, bare)

    def _started(self, bare: str) -> str:
        event = json_text.loads(bare.encode())
        told = {"type": event.pop("type"), **self._told_ids, "protocolVersion": PROTOCOL_VERSION, **event}
        if self._told_ids["threadId"] != self.ids["thread_id"]:
            told["metadata"] = {SESSION: self.ids["thread_id"]}
        return json_text.dumps(told)

    def _finished(self, bare: str) -> str:
        event = json_text.loads(bare.encode())
        told = {"type": event.pop("type"), **self._told_ids, **event}
        if self._output is not None:
            told.setdefault("result", self._output)
        return json_text.dumps(told)

    def _failed(self, bare: str) -> str:
        if not self._knows_outcomes or json_text.loads(bare.encode()).get("code") != CANCELED:
            return bare
        return json_text.dumps({"type": "RUN_FINISHED", **self._told_ids, "outcome": {"type": "cancelled"}})

    def _text_ended(self, bare: str) -> str:
        event = json_text.loads(bare.encode())
        output = {name: event.pop(name) for name in list(event) if name not in FRAMING}
        self._output = output or self._output
        return json_text.dumps({**event, "metadata": output}) if output else bare

    def _derived(self, bare: str) -> str:
        named = bare.replace('"type":"DIVINATION_DERIVED"', f'"type":"CUSTOM","name":"{DERIVED}"', 1)
        return named.replace(',"divination":', ',"value":', 1)

    def _restated(self, bare: str) -> str:
        event = json_text.loads(bare.encode())
        return json_text.dumps({**event, "messages": [told for each in event["messages"] if (told := message(each))]})

    def _left_out(self, _: str) -> None:
        return None


_REWRITTEN: Final[Mapping[str, Callable[[Profile, str], str | None]]] = {
    "RUN_STARTED": Profile._started,
    "RUN_FINISHED": Profile._finished,
    "RUN_ERROR": Profile._failed,
    "TEXT_MESSAGE_END": Profile._text_ended,
    "DIVINATION_DERIVED": Profile._derived,
    "MESSAGES_SNAPSHOT": Profile._restated,
    "STEP_STARTED": Profile._left_out,
    "STEP_FINISHED": Profile._left_out,
}
"""What becomes of the types that are not told as they are stored, but for the names of the run."""


def failure(code: str, message: str) -> str:
    """The last event of a stream that cannot go on to the end of its run (EVT-08)."""
    return json_text.dumps({"type": "RUN_ERROR", "message": message, "code": code})


_TOLD_ROLES: Final = frozenset({"user", "assistant", "system", "developer", "tool", "reasoning"})
_MEDIA: Final = ("image", "audio", "video")


def message(stored: Mapping[str, Any]) -> dict[str, Any] | None:
    """A message of ours, on the wire, as AG-UI 1.0 has it; None for one whose shape we did not keep (MSG-06).

    A binary part becomes a part of its medium; one that does not say where its bytes are is left out.
    """
    told = {name: value for name, value in stored.items() if value is not None}
    if told.get("role") not in _TOLD_ROLES or (
        told["role"] == "reasoning" and not isinstance(told.get("content"), str)
    ):
        return None
    if isinstance(told.get("content"), list):
        told["content"] = [part for each in told["content"] if (part := _part(each))]
    return told


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
