"""The order rules of a run's events, enforced before anything is stored.

One `EventOrder` follows one run. It refuses what no AG-UI client would accept (EVT-07 … EVT-09, EVT-15, EVT-17) and
what this service promises beyond that: one DIVINATION_DERIVED (DIV-11), one terminal event and nothing after it, and no
message id used again.
"""

from collections.abc import Iterable

from yarrow.protocol import events


class OrderError(Exception):
    """An event that may not stand where it was put: a defect of the writer, never of a client."""


class EventOrder:
    """What is open in a run's stream: follow it with `admit`, end it with `closing`."""

    def __init__(self) -> None:
        self.started = False
        self.ended = False
        self.derived = False
        self.texts: dict[str, str] = {}
        """The text so far of every message, by message id, in the order they began."""
        self.open_texts: list[str] = []
        self.open_steps: list[str] = []

    def replay(self, lines: Iterable[str]) -> None:
        """Catch up with what is stored already."""
        for line in lines:
            self.admit(events.decode(line))

    def admit(self, event: events.Event) -> None:
        """Take the next event. Raises OrderError, leaving the state as it was, when it may not come now."""
        _require(not self.ended, f"{event.type} after the terminal event")
        _require(self.started or event.type in ("RUN_STARTED", "RUN_ERROR"), f"{event.type} before RUN_STARTED")
        match event:
            case events.RunStarted():
                _require(not self.started, "RUN_STARTED twice")
                self.started = True
            case events.RunFinished():
                _require(not self.open_texts, f"RUN_FINISHED while messages are open: {', '.join(self.open_texts)}")
                _require(not self.open_steps, f"RUN_FINISHED while steps are open: {', '.join(self.open_steps)}")
                self.ended = True
            case events.RunError():
                self.ended = True
            case events.StepStarted(step_name=name):
                _require(name not in self.open_steps, f"step {name} started twice")
                self.open_steps.append(name)
            case events.StepFinished(step_name=name):
                _require(name in self.open_steps, f"step {name} finished but not started")
                self.open_steps.remove(name)
            case events.TextMessageStart(message_id=message):
                _require(message not in self.texts, f"message {message} started twice")
                self.texts[message] = ""
                self.open_texts.append(message)
            case events.TextMessageContent(message_id=message, delta=delta):
                _require(message in self.open_texts, f"content of message {message}, which is not open")
                self.texts[message] += delta
            case events.TextMessageEnd(message_id=message):
                _require(message in self.open_texts, f"end of message {message}, which is not open")
                self.open_texts.remove(message)
            case events.DivinationDerived():
                _require(not self.derived, "DIVINATION_DERIVED twice")
                self.derived = True

    def closing(self, ids: events.RunIds) -> list[events.Event]:
        """The events that close what is open: messages first, then steps from the innermost out (EVT-17)."""
        texts = [events.TextMessageEnd(**ids, message_id=each) for each in self.open_texts]
        steps = [events.StepFinished(**ids, step_name=each) for each in reversed(self.open_steps)]
        return [*texts, *steps]


def _require(holds: bool, otherwise: str) -> None:
    if not holds:
        raise OrderError(otherwise)
