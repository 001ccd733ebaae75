"""The user's profile: the claims of their credential."""

from typing import Any

from yarrow.protocol.runner.tools import ToolContext
from yarrow.store import runs


def user_lookup(context: ToolContext) -> dict[str, Any]:
    """Look up the user's profile: name, language, and time zones. A member that is missing is not known."""
    run = runs.must_read(context.run_id)
    known = {
        "name": run.user_name,
        "locale": run.locale,
        "time_zone": run.zoneinfo,
        "device_time_zone": context.time_zones.device,
    }
    return {name: value for name, value in known.items() if value is not None}
