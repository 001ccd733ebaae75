"""What a backend tool knows of the run it is called in, above all in which time zone the user speaks. A tool gets
nothing else of the host.
"""

from dataclasses import dataclass
from typing import Annotated

from pydantic import AfterValidator, Field

from yarrow.formats.time_zones import is_time_zone


def _known(name: str) -> str:
    if not is_time_zone(name):
        raise ValueError("not a time zone of the IANA database")
    return name


TimeZoneName = Annotated[str, AfterValidator(_known), Field(description="An IANA time zone, e.g. Asia/Shanghai.")]
"""The type of a tool's parameter that takes a time zone."""


@dataclass(frozen=True, slots=True)
class TimeZones:
    """The user's time zones, as far as they are known: that of the device, and that of the profile."""

    device: str | None = None
    profile: str | None = None

    def resolve(self, argument: str | None = None) -> str:
        """The time zone of the user's words: the tool's argument, else the device's, else the profile's, else UTC.

        What is no IANA name is passed over. The server's own zone is never asked (FWD-07 … FWD-09).
        """
        return next((each for each in (argument, self.device, self.profile) if each and is_time_zone(each)), "UTC")


@dataclass(frozen=True, slots=True)
class ToolContext:
    """The run a tool is called in; it may act for this user and in this thread only."""

    user_id: str
    thread_id: str
    run_id: str
    time_zones: TimeZones
