"""What packages add to the scripted model."""

from functools import cache
from typing import Final

from yarrow.packages import declared
from yarrow.protocol.runner.stand_in import StandIn

ENTRY_POINTS: Final = "yarrow.stand_ins"
"""Entry point group of StandIn objects."""


@cache
def stand_ins() -> tuple[StandIn, ...]:
    """Return the stand-ins of the bundled packages, then of others."""
    return tuple(stand_in for _, stand_in in declared.objects(ENTRY_POINTS, StandIn))
