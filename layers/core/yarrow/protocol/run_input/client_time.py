"""`client_time` in forwardedProps (FWD-03); without `body`, for callers that need only the time zone."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NoReturn

from yarrow.formats.rfc3339 import parse_rfc3339
from yarrow.formats.time_zones import is_time_zone
from yarrow.protocol.problems import Code, Problem
from yarrow.protocol.run_input.member_names import member_in_snake, members_in_snake


@dataclass(frozen=True, slots=True)
class ClientTime:
    device_timezone: str
    client_now_iso: str
    client_epoch_ms: int


def client_time_of(forwarded_props: Mapping[str, Any]) -> ClientTime | None:
    """Read the client's time, None if it was not sent. Raises Problem 422 at the first invalid member."""
    value = member_in_snake(forwarded_props, "client_time")
    if value is None:
        return None
    if not isinstance(value, dict):
        _invalid("invalid RunAgentInput.forwardedProps")
    members = members_in_snake(value, ("device_timezone", "client_now_iso", "client_epoch_ms"))
    zone, now, epoch_ms = members.values()
    if not is_time_zone(zone):
        _invalid("invalid client_time.device_timezone")
    try:
        parse_rfc3339(now)
    except ValueError:
        _invalid("invalid client_time.client_now_iso")
    if type(epoch_ms) is not int or abs(epoch_ms) >= 2**53:
        _invalid("invalid client_time.client_epoch_ms")
    return ClientTime(zone, now, epoch_ms)


def _invalid(detail: str) -> NoReturn:
    raise Problem(Code.AGENT_RUN_INPUT_INVALID, detail)
