"""Time zones by name, the same on every machine."""

from functools import cache
from importlib import resources


def is_time_zone(name: object) -> bool:
    """Whether a name is a time zone of the IANA database (FWD-04).

    That is tzdata's list: a machine may keep more beside its zone files (`localtime`, `right/…` with leap seconds).
    """
    return isinstance(name, str) and name in _time_zones()


@cache
def _time_zones() -> frozenset[str]:
    return frozenset(resources.files("tzdata").joinpath("zones").read_text("utf-8").split())
