"""The user's time and zone, never the machine's (FWD-09)."""

from datetime import datetime
from zoneinfo import ZoneInfo

from yarrow.protocol.runner.models import AgentRunContext

UTC = ZoneInfo("UTC")


def zone_of(context: AgentRunContext) -> ZoneInfo:
    """Return the zone from the host (device, profile), else UTC (FWD-07)."""
    try:
        return ZoneInfo(context.runtime.timezone or UTC.key)
    except (KeyError, ValueError, OSError):  # a name may be any path
        return UTC


def now_of(context: AgentRunContext) -> datetime | None:
    """Return the event's time in the user's time zone, if known."""
    at = context.event.event_time
    return None if at is None else datetime.fromtimestamp(at, zone_of(context))
