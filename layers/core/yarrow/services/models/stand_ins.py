"""What packages add to the script that stands in for a model."""

from functools import cache

from yarrow.observability.logs import logger
from yarrow.packages import declared
from yarrow.protocol.runner.stand_in import StandIn

ENTRY_POINTS = "yarrow.stand_ins"
"""Entry point group of StandIn objects."""


@cache
def stand_ins() -> tuple[StandIn, ...]:
    """Of the bundled packages, then of others; what cannot be used is logged and left out."""
    found = []
    for name, load in declared.loaders(ENTRY_POINTS):
        try:
            stand_in = load()
        except Exception as error:  # noqa: BLE001 (loading runs foreign code; what it raised is told)
            reason = f"{type(error).__name__}: {error}"
            logger.warning("a stand-in is not used", extra={"stand_in": name, "reason": reason})
            continue
        if isinstance(stand_in, StandIn):
            found.append(stand_in)
        else:
            logger.warning("a stand-in is not used", extra={"stand_in": name, "reason": "not a StandIn"})
    return tuple(found)
