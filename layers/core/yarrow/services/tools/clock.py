"""The clock tool."""

from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from yarrow.protocol.runner.tools import TimeZoneName, ToolContext


def get_current_time(context: ToolContext, time_zone: TimeZoneName | None = None) -> dict[str, Any]:
    """Tell the current date and time. Without a time zone it is the user's own."""
    zone = context.time_zones.resolve(time_zone)
    now = datetime.now(ZoneInfo(zone))
    return {
        "time_zone": zone,
        "now": now.isoformat(timespec="seconds"),
        "weekday": _WEEKDAYS[now.weekday()],
        "epoch_ms": int(now.timestamp() * 1000),
    }


_WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
