"""The order rules of a run's events, enforced before they are stored.

They include what AG-UI clients check (EVT-07 … EVT-12, EVT-15, EVT-17), and:

- at most one event of each type that an agent declares (DIV-11); one terminal event, the last (EVT-08);
- unique ids of messages, reasoning and tool calls; finished steps may repeat;
- a call's arguments are JSON (EVT-11) or marked as interrupted;
- a call's parent is a message of this run or the first call of a round without text;
- at most one result of a call, after its end (EVT-12);
- at most one encrypted value of a reasoning message, after its start.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final

from yarrow.formats import json_text
from yarrow.formats.growing_text import GrowingText
from yarrow.protocol.events.events import (
    BaseEvent,
    DeclaredEvent,
    Event,
    ReasoningEncryptedValue,
    ReasoningEnd,
    ReasoningMessageContent,
    ReasoningMessageEnd,
    ReasoningMessageStart,
    ReasoningStart,
    RunError,
    RunFinished,
    RunStarted,
    StepFinished,
    StepStarted,
    TextMessageContent,
    TextMessageEnd,
    TextMessageStart,
    ToolCallArgs,
    ToolCallEnd,
    ToolCallResult,
    ToolCallStart,
    is_of_subagent,
    read,
)
from yarrow.protocol.events.framing import INTERRUPTED, RunIds


class OrderError(Exception):
    """An event is out of order: a defect of the writer, never of a client."""


@dataclass(slots=True)
class OpenParts:
    """The open parts of one kind. Methods raise OrderError, with the state unchanged."""

    noun: str
    text: dict[str, GrowingText] = field(default_factory=dict)
    """Texts by id, in the order of their start."""
    open: list[str] = field(default_factory=list)

    def check_new(self, name: str) -> None:
        """Raise OrderError for a repeated id; steps may repeat once they have ended."""
        _require(name not in (self.open if self.noun == "step" else self.text), f"{self.noun} {name} begun twice")

    def begin(self, name: str) -> None:
        """Begin a part that `check_new` has admitted."""
        self.text[name] = GrowingText()
        self.open.append(name)

    def append(self, name: str, delta: str, type_: str) -> None:
        self.check_open(name, type_)
        self.text[name].append(delta)

    def end(self, name: str, type_: str) -> None:
        self.check_open(name, type_)
        self.open.remove(name)

    def check_open(self, name: str, type_: str) -> None:
        if name not in self.open:
            raise OrderError(f"{type_} of {self.noun} {name}, which is not open")


BEGINNINGS: Final[tuple[type[BaseEvent], ...]] = (
    StepStarted,
    TextMessageStart,
    ToolCallStart,
    ReasoningStart,
    ReasoningMessageStart,
)


class EventOrder:
    """Checks the order of events: `admit` takes each one, `closing` ends what is open."""

    def __init__(self, *, knows_earlier: bool = True) -> None:
        """`knows_earlier`: whether it has the events of the runs that its own run continues, if any."""
        self.started = False
        self.ended = False
        self._knows_earlier = knows_earlier
        self._suspended: set[str] = set()
        """Nested agents that go on in the next run."""
        self.declared: set[str] = set()
        """The declared types of the events so far."""
        self.steps = OpenParts("step")
        self.texts = OpenParts("message")
        self.calls = OpenParts("tool call")
        self.reasoning = OpenParts("reasoning")
        self.thoughts = OpenParts("reasoning message")
        self.tools: dict[str, str] = {}
        """Tool names by call id."""
        self.results: dict[str, str] = {}
        """Result message ids by call id."""
        self.encrypted: set[str] = set()
        """The reasoning messages with an encrypted value."""
        self.subagents = OpenParts("subagent")
        self.subagents_here: set[str] = set()
        """Those that began in the run itself, not in one that it continues."""
        self.owners: dict[str, str] = {}
        """The nested agents of messages and calls, by their ids; the others are of the run's own agent."""
        self.without_text: set[str] = set()
        """Rounds of calls without text, by their first call."""

    def replay(self, lines: Iterable[str]) -> list[Event]:
        """Admit stored events, and return those that this version knows."""
        replayed = [event for line in lines if (event := read(line)) is not None]
        for event in replayed:
            if isinstance(event, DeclaredEvent):  # a later version's types may have other rules
                self.declared.add(event.type)
            else:
                self.admit(event)
        return replayed

    def go_on(self) -> None:
        """Go on with another run that continues this one: what has begun and ended counts in it."""
        self.started = self.ended = False
        self.subagents_here = set()
        for name in self._suspended:
            del self.subagents.text[name]
        self._suspended.clear()

    def admit(self, event: Event) -> None:
        """Admit an event. Raises OrderError, with the state unchanged."""
        if self.ended:
            raise OrderError(f"{event.type} after the terminal event")
        if not self.started and not isinstance(event, RunStarted | RunError):
            raise OrderError(f"{event.type} before RUN_STARTED")
        match event:
            case TextMessageContent(message_id=name, delta=delta):
                self.texts.append(name, delta, event.type)
            case ToolCallArgs(tool_call_id=name, delta=delta):
                self.calls.append(name, delta, event.type)
            case ReasoningMessageContent(message_id=name, delta=delta):
                self.thoughts.append(name, delta, event.type)
            case RunStarted():
                _require(not self.started, "RUN_STARTED twice")
                self.started = True
            case RunFinished():
                for part in (self.steps, self.texts, self.calls, self.reasoning, self.thoughts, self.subagents):
                    _require(not part.open, f"RUN_FINISHED while a {part.noun} is open: {', '.join(part.open)}")
                self.ended = True
            case RunError():
                self.ended = True
            case DeclaredEvent(type=type_):
                _require(type_ not in self.declared, f"{type_} twice")
                self.declared.add(type_)
            case ToolCallStart() | ToolCallEnd() | ToolCallResult():
                self._admit_call(event)
            case _ if is_of_subagent(event):
                self._admit_subagent(event)
            case _:
                self._admit_beginning_or_end(event)

    def _admit_subagent(self, event: Event) -> None:
        from yarrow.protocol.events import subagents  # few runs have any

        match event:
            case subagents.SubagentStarted(subagent_run_id=name, parent_subagent_run_id=parent):
                self.subagents.check_new(name)
                is_known = parent is None or parent in self.subagents_here or not self._knows_earlier
                _require(is_known, f"subagent {name} of subagent {parent}, which did not begin")
                self.subagents.begin(name)
                self.subagents_here.add(name)
            case subagents.SubagentFinished(subagent_run_id=name, outcome=outcome):
                self.subagents.end(name, event.type)
                if outcome == subagents.SUSPENDED:
                    self._suspended.add(name)
            case subagents.SubagentEvent(subagent_run_id=name):
                self.subagents.end(name, event.type)

    def _own(self, name: str, owner: str | None) -> None:
        """Attribute a message or a call to a nested agent, which must be active."""
        if owner is not None:
            if self._knows_earlier:
                self.subagents.check_open(owner, "a part")
            self.owners[name] = owner

    def _admit_beginning_or_end(self, event: Event) -> None:
        match event:
            case StepStarted(step_name=name):
                self.steps.check_new(name)
                self.steps.begin(name)
            case StepFinished(step_name=name):
                self.steps.end(name, event.type)
            case TextMessageStart(message_id=name):
                self.texts.check_new(name)
                self._require_new_message(name)
                self._own(name, event.subagent_run_id)
                self.texts.begin(name)
            case TextMessageEnd(message_id=name):
                self.texts.end(name, event.type)
            case ReasoningStart(message_id=name):
                self.reasoning.check_new(name)
                self.reasoning.begin(name)
            case ReasoningEnd(message_id=name):
                self.reasoning.end(name, event.type)
            case ReasoningMessageStart(message_id=name):
                self.thoughts.check_new(name)
                self._require_new_message(name)
                self._own(name, event.subagent_run_id)
                self.thoughts.begin(name)
            case ReasoningMessageEnd(message_id=name):
                self.thoughts.end(name, event.type)
            case ReasoningEncryptedValue(entity_id=name):
                _require(name in self.thoughts.text, f"encrypted value of message {name}, which did not begin")
                _require(name not in self.encrypted, f"second encrypted value of message {name}")
                self.encrypted.add(name)

    def is_repeated(self, event: DeclaredEvent) -> bool:
        """Return whether there was an event of its type already (DIV-11)."""
        return event.type in self.declared

    def _admit_call(self, event: ToolCallStart | ToolCallEnd | ToolCallResult) -> None:
        call = event.tool_call_id
        match event:
            case ToolCallStart(parent_message_id=parent):
                self.calls.check_new(call)
                first = parent in (None, call)
                begun = first or parent in self.texts.text or parent in self.without_text
                _require(begun or not self._knows_earlier, f"tool call {call} in message {parent}, not begun")
                of_parent = event.subagent_run_id if first else self.owners.get(parent or "")
                is_same = of_parent == event.subagent_run_id or not self._knows_earlier
                _require(is_same, f"tool call {call} in a message of another agent")
                self._own(call, event.subagent_run_id)
                if first:
                    self.without_text.add(call)
                self.tools[call] = event.tool_call_name
                self.calls.begin(call)
            case ToolCallEnd():
                self.calls.check_open(call, event.type)
                _require(
                    event.metadata == (None if _is_json(str(self.calls.text[call])) else INTERRUPTED),
                    f"arguments of tool call {call} that are not JSON, or called interrupted though they are",
                )
                self.calls.end(call, event.type)
            case ToolCallResult():
                is_known = call in self.calls.text or not self._knows_earlier
                _require(is_known, f"result of tool call {call}, which did not begin")
                _require(call not in self.calls.open, f"result of tool call {call}, which is open")
                _require(call not in self.results, f"second result of tool call {call}")
                self._require_new_message(event.message_id)
                self.results[call] = event.message_id

    def _require_new_message(self, message: str) -> None:
        used = message in self.texts.text or message in self.thoughts.text or message in self.results.values()
        _require(not used, f"message id {message} used twice")

    def active(self, owner: str | None) -> str | None:
        """Return a nested agent that is active, to which new parts may belong; else None, for the run's own."""
        return owner if owner in self.subagents.open else None

    def closing(self, ids: RunIds) -> list[Event]:
        """Return the events that close everything open (EVT-17), steps last, from the innermost out."""
        calls = [self.end_of_call(ids, name) for name in self.calls.open]
        texts = [TextMessageEnd(**ids, message_id=name) for name in self.texts.open]
        thoughts = [ReasoningMessageEnd(**ids, message_id=name) for name in self.thoughts.open]
        reasoning = [ReasoningEnd(**ids, message_id=name) for name in self.reasoning.open]
        steps = [StepFinished(**ids, step_name=name) for name in reversed(self.steps.open)]
        return [*calls, *texts, *thoughts, *reasoning, *self._cut_subagents(ids), *steps]

    def _cut_subagents(self, ids: RunIds) -> list[Event]:
        if not self.subagents.open:
            return []
        from yarrow.protocol.events import subagents

        cut = [
            subagents.SubagentError(**ids, subagent_run_id=name, message="the run ended")
            for name in reversed(self.subagents.open)
        ]
        return [*cut]

    def end_of_call(self, ids: RunIds, call: str) -> ToolCallEnd:
        """Return the end of a call, marked as interrupted if the arguments are incomplete."""
        metadata = None if _is_json(str(self.calls.text[call])) else INTERRUPTED
        return ToolCallEnd(**ids, tool_call_id=call, metadata=metadata)


def _is_json(text: str) -> bool:
    try:
        json_text.loads(text.encode())
    except ValueError:
        return False
    return True


def _require(holds: bool, otherwise: str) -> None:
    if not holds:
        raise OrderError(otherwise)
