"""The shared state that events describe (EVT-13)."""

from collections.abc import Iterable

from yarrow.formats.json_patch import apply
from yarrow.protocol.events.events import Event, StateDelta, StateSnapshot


def state_after(emitted: Iterable[Event], state: StateSnapshot | None = None) -> StateSnapshot | None:
    """Return the state after events that follow `state`; None if there is none."""
    for event in emitted:
        match event:
            case StateSnapshot():
                state = event
            case StateDelta(delta=delta):
                now = apply({} if state is None else state.snapshot, delta)
                state = StateSnapshot(thread_id=event.thread_id, run_id=event.run_id, snapshot=now)
    return state
