"""What the runs that a run continues after a question have emitted and stored (ASK-01)."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from msgspec import structs

from yarrow.protocol.events import events
from yarrow.protocol.events.order import EventOrder
from yarrow.store import journal
from yarrow.store.runs import Run


@dataclass(frozen=True, slots=True)
class EarlierOutput:
    """The output of earlier runs: the order of events that they leave, the events, and the ids of their messages and
    of their calls with a result, which are stored.
    """

    order: EventOrder = field(default_factory=EventOrder)
    emitted: Sequence[events.Event] = ()
    messages: frozenset[str] = frozenset()
    calls: frozenset[str] = frozenset()


NOTHING_EARLIER: Final = EarlierOutput()


def earlier_output(run: Run) -> EarlierOutput:
    order, emitted = EventOrder(), list[events.Event]()
    for key in run.earlier:
        lines = (line for batch in journal.read(key, journal.Position()) for line in batch.lines)
        emitted += without_snapshots(order.replay(lines), continues=key != run.log_key)
        order.go_on()
    own = [structs.replace(event, run_id=run.run_id) for event in emitted]
    return EarlierOutput(order, own, frozenset(order.texts.text), frozenset(order.results))


def without_snapshots(emitted: Sequence[events.Event], *, continues: bool) -> Sequence[events.Event]:
    """Leave out the snapshots that no runner caused: at the end of a run that asks, and, if it `continues` another one,
    at its beginning (ASK-02).
    """
    kept = list(emitted)
    if continues and len(kept) > 1 and isinstance(kept[1], events.StateSnapshot):
        del kept[1]
    for place, event in enumerate(kept):
        if isinstance(event, events.MessagesSnapshot):
            first = place - isinstance(kept[place - 1], events.StateSnapshot)
            return [*kept[:first], *kept[place + 1 :]]
    return kept
