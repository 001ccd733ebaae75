"""IANA time zones, the same on every machine."""

from functools import cache
from importlib import resources


def is_time_zone(name: object) -> bool:
    """Whether a name is an IANA time zone (FWD-04).

    By tzdata's list: a machine's zone files may include others (`localtime`, `right/…`).
    """
    return isinstance(name, str) and name in _time_zones()


@cache
def _time_zones() -> frozenset[str]:
    return frozenset(resources.files("tzdata").joinpath("zones").read_text("utf-8").split())
