"""When and where the user is. The machine's own time zone is never asked (FWD-09)."""

from datetime import datetime
from zoneinfo import ZoneInfo

from yarrow.protocol.runner.models import AgentRunContext

UTC = ZoneInfo("UTC")


def zone_of(context: AgentRunContext) -> ZoneInfo:
    """The time zone of the user's words: what the host found to be it, of device and profile, else UTC (FWD-07)."""
    try:
        return ZoneInfo(context.runtime.timezone or UTC.key)
    except (KeyError, ValueError, OSError):  # whatever a name may do to a path
        return UTC


def now_of(context: AgentRunContext) -> datetime | None:
    """When the event of the run happened, as clocks show it where the user is."""
    at = context.event.event_time
    return None if at is None else datetime.fromtimestamp(at, zone_of(context))
