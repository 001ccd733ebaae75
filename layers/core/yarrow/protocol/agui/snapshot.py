"""Where a run stands, for an AG-UI client that comes to it late or again.

Such a client cannot be given the events after a cursor, which do not begin with RUN_STARTED, nor every event once more,
which would add to the text it has (EVT-14). It is given the conversation as one MESSAGES_SNAPSHOT, the state as it is
now as one STATE_SNAPSHOT, then what the run told beside them, then the openings of what is open, and the stream goes on
from there. Only a text goes on in a message that was restated; a call or a thought that is open is told again from its
start.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from yarrow.formats import json_text
from yarrow.formats.json_patch import apply
from yarrow.protocol.agui.events import Profile, message
from yarrow.protocol.events import events
from yarrow.protocol.events.order import EventOrder

_REPEATED = events.Custom | events.DivinationDerived
"""What restates no message, and holds when it is told again in its order."""


def opening(profile: Profile, earlier: Iterable[dict[str, Any]], stored: Sequence[str]) -> list[str]:
    """The events that a stream begins with.

    `earlier` are the messages before the run's own, the user's among them, on the wire; `stored` are the run's
    events so far, from RUN_STARTED on. `profile` has told nothing before, and tells what comes after.
    """
    order, builder = EventOrder(), _MessageBuilder()
    repeated: list[str | None] = []
    lines: list[str | None] = []
    state: events.StateSnapshot | None = None
    for line in stored:
        event = events.decode(line)
        order.admit(event)
        builder.add(event)
        lines.append(profile.line(line))
        match event:
            case events.StateSnapshot():
                state = event
            case events.StateDelta(delta=delta):
                now = apply({} if state is None else state.snapshot, delta)
                state = events.StateSnapshot(**profile.ids, snapshot=now)
            case _ if isinstance(event, _REPEATED):
                repeated.append(lines[-1])
    messages = [*earlier, *builder.messages(order)]
    snapshot = {"type": "MESSAGES_SNAPSHOT", "messages": [shown for each in messages if (shown := message(each))]}
    if state is not None:
        repeated.insert(0, profile.line(events.encode(state)))
    rest = (
        lines[-1:]
        if order.ended
        else [profile.line(events.encode(each)) for each in _openings(order, builder, profile)]
    )
    return [line for line in (lines[0], json_text.dumps(snapshot), *repeated, *rest) if line is not None]


def messages_of(stored: Iterable[str]) -> list[dict[str, Any]]:
    """The messages, on the wire, that a client has of a run that has ended; `stored` are all its events."""
    order, builder = EventOrder(), _MessageBuilder()
    for line in stored:
        event = events.decode(line)
        order.admit(event)
        builder.add(event)
    return list(builder.messages(order))


def _openings(order: EventOrder, builder: "_MessageBuilder", profile: Profile) -> Iterator[events.Event]:
    """Open again what is open, with what cannot go on in a restated message."""
    ids = profile.ids
    for name in order.texts.open:
        yield events.TextMessageStart(**ids, message_id=name, role=builder.by_id[name]["role"])
    for call, started in builder.calls.items():
        if call in order.calls.open:
            yield started
            if arguments := order.calls.text[call]:
                yield events.ToolCallArgs(**ids, tool_call_id=call, delta=arguments)
    for name in order.reasoning.open:
        yield events.ReasoningStart(**ids, message_id=name)
    for name in order.thoughts.open:
        yield events.ReasoningMessageStart(**ids, message_id=name)
        if thought := builder.by_id[name]["content"]:
            yield events.ReasoningMessageContent(**ids, message_id=name, delta=thought)


class _MessageBuilder:
    """The messages of a run so far, as a client makes them of its events."""

    def __init__(self) -> None:
        self.by_id: dict[str, dict[str, Any]] = {}
        self.calls: dict[str, events.ToolCallStart] = {}

    def add(self, event: events.Event) -> None:
        match event:
            case events.TextMessageStart(message_id=name, role=role):
                self.by_id[name] = {"id": name, "role": role}
            case events.TextMessageEnd(message_id=name) if event.model_extra:
                self.by_id[name]["metadata"] = event.model_extra
            case events.ReasoningMessageStart(message_id=name):
                self.by_id[name] = {"id": name, "role": "reasoning", "content": ""}
            case events.ReasoningMessageContent(message_id=name, delta=delta):
                self.by_id[name]["content"] += delta
            case events.ToolCallStart(tool_call_id=call, parent_message_id=parent):
                self.calls[call] = event
                asking = self.by_id.get(parent or "", {})
                if asking.get("role") != "assistant":
                    asking = self.by_id.setdefault(call, {"id": call, "role": "assistant"})
                asking.setdefault("toolCalls", []).append(call)
            case events.ToolCallResult(message_id=name, tool_call_id=call, content=content):
                self.by_id[name] = {"id": name, "role": "tool", "toolCallId": call, "content": content}

    def messages(self, order: EventOrder) -> Iterator[dict[str, Any]]:
        """On the wire, in the order they began, without the calls and thoughts that are open."""
        for name, each in self.by_id.items():
            if name in order.thoughts.open:
                continue
            calls = [
                {
                    "id": call,
                    "type": "function",
                    "function": {"name": order.tools[call], "arguments": order.calls.text[call]},
                }
                for call in each.get("toolCalls", ())
                if call not in order.calls.open
            ]
            shown = {**each, "toolCalls": calls or None}
            if name in order.texts.text:
                shown["content"] = order.texts.text[name]
            if calls or "content" in shown:
                yield shown
