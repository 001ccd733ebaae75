"""The user's time and zone. The machine's own time zone is never used (FWD-09)."""

from datetime import datetime
from zoneinfo import ZoneInfo

from yarrow.protocol.runner.models import AgentRunContext

UTC = ZoneInfo("UTC")


def zone_of(context: AgentRunContext) -> ZoneInfo:
    """The time zone that the host found (device, profile), else UTC (FWD-07)."""
    try:
        return ZoneInfo(context.runtime.timezone or UTC.key)
    except (KeyError, ValueError, OSError):  # whatever a name may do to a path
        return UTC


def now_of(context: AgentRunContext) -> datetime | None:
    """The time of the run's event in the user's time zone."""
    at = context.event.event_time
    return None if at is None else datetime.fromtimestamp(at, zone_of(context))
