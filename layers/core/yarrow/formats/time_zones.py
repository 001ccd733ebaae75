"""IANA time zones."""

from functools import cache
from importlib import resources


def is_time_zone(name: object) -> bool:
    """Check a name against tzdata's list (FWD-04): machines may have others (`localtime`, `right/…`)."""
    return isinstance(name, str) and name in _time_zones()


@cache
def _time_zones() -> frozenset[str]:
    return frozenset(resources.files("tzdata").joinpath("zones").read_text("utf-8").split())
