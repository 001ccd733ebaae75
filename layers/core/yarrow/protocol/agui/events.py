"""Converts a run's stored events to AG-UI form, line by line.

Source: `agui-http-agent.md` and released clients (EVT-07 … EVT-28, DIV-33a, C10 … C13). Clients reject unknown members
and types.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final

from msgspec import structs

from yarrow.formats import json_text
from yarrow.protocol.events import events
from yarrow.protocol.events.event_types import EventType
from yarrow.protocol.events.events import Document
from yarrow.protocol.events.framing import RunIds
from yarrow.protocol.runner.vocabulary import MESSAGE_TAKEN
from yarrow.protocol.ui_schema.hints import MEMBER as UI_HINTS

PROTOCOL_VERSION: Final = "1.0"

SESSION: Final = "yarrow.threadId"
"""The member of RUN_STARTED's metadata with the thread id, if the client's differs (C5)."""

RUN: Final = "yarrow.runId"
"""The same for the run's id, if a client resumes under the id of the run that asked (ASK-03)."""

CANCELED: Final = "RUN_CANCELED"


FindType = Callable[[str], EventType | None]
"""Finds the event type that an installed agent's package declares."""


class Profile:
    """Converts one run's events, in order, for one client with its `thread_id` and `run_id`.

    Clients before 1.0 send no `protocol_version` and have no cancelled outcome (EVT-28). `find` is for types that
    agents declare. `listed` are the messages that the client sent.
    """

    def __init__(
        self,
        ids: RunIds,
        find: FindType,
        thread_id: str | None = None,
        protocol_version: str | None = None,
        run_id: str | None = None,
        listed: Sequence[Any] = (),
    ) -> None:
        self.ids = ids
        self._find = find
        self._client_ids = {"threadId": thread_id or ids["thread_id"], "runId": run_id or ids["run_id"]}
        self._knows_outcomes = protocol_version is not None
        self._listed = listed
        self._output: dict[str, Any] | None = None

    def line(self, stored: str) -> str | None:
        """Convert a stored line; None if it is dropped. Raises ValueError for a line that was not stored."""
        event = events.read(stored)
        return None if event is None else self.of(event)

    def of(self, event: events.Event) -> str | None:
        """Convert an event as `line` does."""
        match event:
            case events.TextMessageContent(message_id=name, delta=delta, timestamp=None):  # most events are these
                return events.encode_document({"type": "TEXT_MESSAGE_CONTENT", "messageId": name, "delta": delta})
            case events.StepStarted() | events.StepFinished():
                return None
            case _ if events.is_of_subagent(event) and not self._knows_outcomes:
                return None  # clients before 1.0 fail at a type that they do not know
            case events.RunStarted():
                return self._started(event)
            case events.RunFinished():
                return self._finished(event)
            case events.RunError(code="RUN_CANCELED") if self._knows_outcomes:
                return self._canceled(event)
            case events.TextMessageEnd():
                return self._text_ended(event)
            case events.DeclaredEvent():
                return self._declared(event)
            case events.ToolCallResult(parts=tuple()):
                return events.encode_document(self._with_parts(_bare(event)))
            case events.MessagesSnapshot():
                return self._conversation(event)
            case events.Custom(name=name, value=value) if name == MESSAGE_TAKEN and self._knows_outcomes:
                # One event of the protocol for the whole message of a user.
                taken = {"messageId": value["id"], "role": "user", "delta": value["content"]}
                return events.encode_document({"type": "TEXT_MESSAGE_CHUNK", **taken})
        return events.encode_document(_bare(event))

    def messages(self, stored: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
        """Convert the messages of a snapshot."""
        return [self._with_parts(sent) for entry in stored if (sent := message(entry))]

    def _with_parts(self, sent: dict[str, Any]) -> dict[str, Any]:
        """Put a result's parts in place of its text, for clients that know them (EVT-33)."""
        parts = sent.pop("parts", None)
        if not self._knows_outcomes:
            sent.pop("subagentRunId", None)
        return {**sent, "content": parts} if parts and self._knows_outcomes else sent

    def _started(self, event: events.RunStarted) -> str:
        type_, own = _parts(event)
        sent = {**type_, **self._client_ids, "protocolVersion": PROTOCOL_VERSION, **own}
        own = {SESSION: self.ids["thread_id"], RUN: self.ids["run_id"]}
        client = {SESSION: self._client_ids["threadId"], RUN: self._client_ids["runId"]}
        if metadata := {name: value for name, value in own.items() if value != client[name]}:
            sent["metadata"] = metadata
        return json_text.dumps(sent)

    def _finished(self, event: events.RunFinished) -> str:
        type_, own = _parts(event)
        sent = {**type_, **self._client_ids, **own}
        if self._output is not None:
            sent.setdefault("result", self._output)
        if event.outcome is not None and event.outcome["type"] == "interrupt":
            from yarrow.protocol import interrupts  # few runs ask

            sent["outcome"] = interrupts.bound(event.outcome, self._client_ids["runId"])
        elif not self._knows_outcomes:
            sent.pop("outcome", None)  # some clients before 1.0 refuse calls in it
        return json_text.dumps(sent)

    def _conversation(self, event: events.MessagesSnapshot) -> str:
        from yarrow.protocol.agui.listed import merged  # only runs that ask store one

        return json_text.dumps({**_bare(event), "messages": merged(self._listed, self.messages(event.messages))})

    def _canceled(self, event: events.RunError) -> str:
        usage = {"usage": event.usage} if event.usage else {}
        return json_text.dumps({"type": "RUN_FINISHED", **self._client_ids, "outcome": {"type": "cancelled"}, **usage})

    def _text_ended(self, event: events.TextMessageEnd) -> str:
        output = {name: value for name, value in event.output.items() if name != UI_HINTS}
        self._output = output or self._output
        members = _bare(structs.replace(event, output={}))
        return json_text.dumps({**members, "metadata": output} if output else members)

    def _declared(self, event: events.DeclaredEvent) -> str:
        type_ = self._find(event.type)
        name, value = (event.type, event.members) if type_ is None else (type_.name, type_.value_of(event))
        return events.encode_document({"type": "CUSTOM", "name": name, "value": value})


def _parts(event: events.Event) -> tuple[Document, Document]:
    """Return the type, and the other members without the ids."""
    own = events.document(event)
    type_ = {"type": own.pop("type")}
    del own["threadId"], own["runId"]
    return type_, own


def _bare(event: events.Event) -> Document:
    type_, own = _parts(event)
    return type_ | own


def failure(code: str, message: str) -> str:
    """Make a RUN_ERROR that ends a stream before its run (EVT-08)."""
    return json_text.dumps({"type": "RUN_ERROR", "message": message, "code": code})


_KNOWN_ROLES: Final = frozenset({"user", "assistant", "system", "developer", "tool", "reasoning"})
_MEDIA: Final = ("image", "audio", "video")


def message(stored: Mapping[str, Any]) -> dict[str, Any] | None:
    """Convert a message to AG-UI 1.0; None for an unknown shape (MSG-06)."""
    sent = {name: value for name, value in stored.items() if value is not None}
    if sent.get("role") not in _KNOWN_ROLES or (
        sent["role"] == "reasoning" and not isinstance(sent.get("content"), str)
    ):
        return None
    if isinstance(sent.get("content"), list):
        sent["content"] = [part for block in sent["content"] if (part := _part(block))]
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
