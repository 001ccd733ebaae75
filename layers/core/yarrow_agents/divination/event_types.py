"""The agent's own event (DIV-11, C11)."""

from typing import Final

from yarrow.protocol.events.event_types import EventType

DERIVED: Final = EventType("DIVINATION_DERIVED", name="yarrow.divination-derived", value="divination")
"""The hexagrams of the run's cast."""
