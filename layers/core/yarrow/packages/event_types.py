"""Finds the event types that agents' packages declare, bundled or installed.

Functions that stream events import no runner.
"""

from functools import cache
from pkgutil import resolve_name
from typing import Final

from yarrow.observability.logs import logger
from yarrow.packages import declared
from yarrow.protocol.events.event_types import EventType

ENTRY_POINTS: Final = "yarrow.event_types"
"""Entry point group of EventType objects, each under its type."""


@cache
def find(type_: str) -> EventType | None:
    """Find an event type; None if no package declares it, or if it does not load, which is logged.

    Of several installed ones, the first by its entry point's value wins; none replaces a bundled agent's.
    """
    if (place := declared.bundled(ENTRY_POINTS).get(type_)) is not None:
        bundled: EventType = resolve_name(place)
        return bundled
    for point in declared.installed(ENTRY_POINTS):
        if point.name != type_:
            continue
        try:
            loaded = point.load()
        except Exception:
            logger.exception("an event type failed to load", extra={"event_type": type_})
            continue
        if isinstance(loaded, EventType) and loaded.type == type_:
            return loaded
        logger.warning("the EventType and its entry point have different names", extra={"event_type": type_})
    return None
