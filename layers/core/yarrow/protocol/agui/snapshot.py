"""The state of a run, for AG-UI clients that join late (EVT-14).

It has RUN_STARTED, MESSAGES_SNAPSHOT, STATE_SNAPSHOT, other events, activities and the starts of open parts. Open text
continues in its message; open calls, those after them, and open reasoning are sent in full.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import takewhile
from typing import Any

from msgspec import structs

from yarrow.formats import json_text
from yarrow.formats.json_patch import apply
from yarrow.protocol.agui.events import Profile
from yarrow.protocol.events import events
from yarrow.protocol.events.order import EventOrder
from yarrow.protocol.events.state import state_after
from yarrow.protocol.runner.vocabulary import MESSAGE_TAKEN
from yarrow.protocol.ui_schema.hints import MEMBER as UI_HINTS

_REPEATED = events.Custom | events.DeclaredEvent
"""Events that are sent again, as they are in no message."""


def opening(profile: Profile, earlier: Iterable[dict[str, Any]], stored: Sequence[str]) -> list[str]:
    """Return a stream's first events.

    `earlier`: messages before the run's, in wire form; `stored`: the run's events so far. `profile` must be new.
    """
    order, builder = EventOrder(knows_earlier=False), _MessageBuilder()
    repeated: list[str | None] = []
    lines: list[str | None] = []
    activities: dict[str, events.ActivitySnapshot] = {}
    replayed = order.replay(stored)
    for event in replayed:
        builder.add(event)
        lines.append(profile.of(event))
        match event:
            case events.ActivitySnapshot(message_id=name):
                activities[name] = event
            case events.ActivityDelta(message_id=name, patch=patch) if name in activities:
                content = apply(activities[name].content, patch)
                activities[name] = structs.replace(activities[name], content=content)
            case events.Custom(name=name) if name == MESSAGE_TAKEN:
                pass  # it is among the messages
            case _ if isinstance(event, _REPEATED) or events.is_of_subagent(event):
                repeated.append(lines[-1])
    messages = [*earlier, *builder.messages(order)]
    snapshot = {
        "type": "MESSAGES_SNAPSHOT",
        "messages": profile.messages(messages),
    }
    repeated += [profile.of(shown) for shown in activities.values()]
    if (state := state_after(replayed)) is not None:
        repeated.insert(0, profile.of(state))
    rest = lines[-1:] if order.ended else [profile.of(event) for event in _openings(order, builder, profile)]
    return [line for line in (lines[0], json_text.dumps(snapshot), *repeated, *rest) if line is not None]


def metadata_of(output: Mapping[str, Any] | None) -> dict[str, Any]:
    """Return the member with a message's structured output, if any, as in TEXT_MESSAGE_END (DIV-33a)."""
    metadata = {member: value for member, value in (output or {}).items() if member != UI_HINTS}
    return {"metadata": metadata} if metadata else {}


def messages_of(stored: Iterable[str]) -> list[dict[str, Any]]:
    """Return the messages of an ended run, in wire form."""
    order, builder = EventOrder(knows_earlier=False), _MessageBuilder()
    for event in order.replay(stored):
        builder.add(event)
    return list(builder.messages(order))


def _openings(order: EventOrder, builder: "_MessageBuilder", profile: Profile) -> Iterator[events.Event]:
    ids = profile.ids
    for name in order.texts.open:
        owner = order.owners.get(name)
        yield events.TextMessageStart(**ids, message_id=name, role=builder.by_id[name]["role"], subagent_run_id=owner)
    sent_again = {
        call for entry in builder.by_id.values() for call in entry.get("toolCalls", ())[_settled_calls(entry, order) :]
    }
    for call, started in builder.calls.items():
        if call in sent_again:
            yield started
            if arguments := str(order.calls.text[call]):
                yield events.ToolCallArgs(**ids, tool_call_id=call, delta=arguments)
            if call not in order.calls.open:
                yield events.ToolCallEnd(**ids, tool_call_id=call)
    for name in order.reasoning.open:
        yield events.ReasoningStart(**ids, message_id=name)
    for name in order.thoughts.open:
        yield events.ReasoningMessageStart(**ids, message_id=name, subagent_run_id=order.owners.get(name))
        if thought := builder.by_id[name]["content"]:
            yield events.ReasoningMessageContent(**ids, message_id=name, delta=thought)
        if value := builder.by_id[name].get("encryptedValue"):
            yield events.ReasoningEncryptedValue(**ids, entity_id=name, encrypted_value=value)


def _settled_calls(message: dict[str, Any], order: EventOrder) -> int:
    """Count the calls that the snapshot has: those before the first open one, to keep their order."""
    return len(list(takewhile(lambda call: call not in order.calls.open, message.get("toolCalls", ()))))


class _MessageBuilder:
    """Builds messages from events as clients do."""

    def __init__(self) -> None:
        self.by_id: dict[str, dict[str, Any]] = {}
        self.calls: dict[str, events.ToolCallStart] = {}

    def add(self, event: events.Event) -> None:
        match event:
            case events.TextMessageStart(message_id=name, role=role):
                self.by_id[name] = {"id": name, "role": role}
            case events.TextMessageEnd(message_id=name):
                self.by_id[name] |= metadata_of(event.output)
            case events.ReasoningMessageStart(message_id=name):
                self.by_id[name] = {"id": name, "role": "reasoning", "content": ""}
            case events.ReasoningMessageContent(message_id=name, delta=delta):
                self.by_id[name]["content"] += delta
            case events.ReasoningEncryptedValue(entity_id=name, encrypted_value=value):
                self.by_id[name]["encryptedValue"] = value
            case events.ToolCallStart(tool_call_id=call, parent_message_id=parent):
                self.calls[call] = event
                asking = self.by_id.get(parent or "", {})
                if asking.get("role") != "assistant":
                    asking = self.by_id.setdefault(call, {"id": call, "role": "assistant"})
                asking.setdefault("toolCalls", []).append(call)
            case events.Custom(name=kind, value=value) if kind == MESSAGE_TAKEN:
                self.by_id[value["id"]] = {"id": value["id"], "role": "user", "content": value["content"]}
            case events.ToolCallResult(message_id=name, tool_call_id=call, content=content):
                self.by_id[name] = {"id": name, "role": "tool", "toolCallId": call, "content": content}
                more = {"parts": event.parts, "metadata": event.metadata, "subagentRunId": event.subagent_run_id}
                self.by_id[name] |= {member: value for member, value in more.items() if value}

    def messages(self, order: EventOrder) -> Iterator[dict[str, Any]]:
        """Yield messages in wire form, without open reasoning, open calls and the calls after these."""
        for name, entry in self.by_id.items():
            if name in order.thoughts.open:
                continue
            if name in order.owners:
                entry = {**entry, "subagentRunId": order.owners[name]}
            calls = [
                {
                    "id": call,
                    "type": "function",
                    "function": {"name": order.tools[call], "arguments": str(order.calls.text[call])},
                    **({"metadata": metadata} if (metadata := self.calls[call].metadata) else {}),
                }
                for call in entry.get("toolCalls", ())[: _settled_calls(entry, order)]
            ]
            sent = {**entry, "toolCalls": calls or None}
            if name in order.texts.text:
                sent["content"] = str(order.texts.text[name])
            if calls or "content" in sent:
                yield sent
