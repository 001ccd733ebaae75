"""A run's ids and time zones, for backend tools."""

from dataclasses import dataclass
from typing import Annotated

from pydantic import AfterValidator, Field

from yarrow.formats.time_zones import is_time_zone


def _known(name: str) -> str:
    if not is_time_zone(name):
        raise ValueError("not a time zone of the IANA database")
    return name


TimeZoneName = Annotated[str, AfterValidator(_known), Field(description="An IANA time zone, e.g. Asia/Shanghai.")]
"""For tool parameters."""


@dataclass(frozen=True, slots=True)
class TimeZones:
    """The time zones of the user's device and profile, if known."""

    device: str | None = None
    profile: str | None = None

    def resolve(self, argument: str | None = None) -> str:
        """The tool's argument, else the device's zone, the profile's, UTC.

        Invalid IANA names are skipped; the server's zone is never used (FWD-07 … FWD-09).
        """
        return next((each for each in (argument, self.device, self.profile) if each and is_time_zone(each)), "UTC")


@dataclass(frozen=True, slots=True)
class ToolContext:
    """The run a tool is called in; a tool acts for this user and thread only."""

    user_id: str
    thread_id: str
    run_id: str
    time_zones: TimeZones
