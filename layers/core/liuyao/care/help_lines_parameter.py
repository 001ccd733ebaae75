"""The parameter HelpLines: help by region (`TW`) or `default`, which replaces the bundled one.

{"TW": {"emergency": ["119", "110"], "lines": [{"name": "安心專線", "number": "1925"}]}}
"""

import json
import re
from collections.abc import Mapping
from typing import Any, Final, NamedTuple

DEFAULT: Final = "default"

_MOST_REGIONS: Final = 300
_MOST_NUMBERS: Final = 6
_MOST_CHARACTERS: Final = 80
_REGION: Final = re.compile(r"[A-Z]{2}|[0-9]{3}|default")


class HelpLinesError(ValueError):
    """The parameter is malformed; the message says where."""


class HelpLine(NamedTuple):
    name: str
    number: str


class RegionalHelp(NamedTuple):
    """`emergency`: ambulance and police, in this order."""

    emergency: tuple[str, ...]
    lines: tuple[HelpLine, ...] = ()


def parse(text: str) -> dict[str, RegionalHelp]:
    """Parse the parameter. Raises HelpLinesError."""
    try:
        value = json.loads(text or "{}")
    except ValueError as error:
        raise HelpLinesError("HelpLines is not JSON") from error
    return read(value)


def read(regions: Any) -> dict[str, RegionalHelp]:
    """Read parsed JSON as `parse` does."""
    if not isinstance(regions, Mapping) or len(regions) > _MOST_REGIONS:
        raise HelpLinesError("HelpLines must be an object of regions")
    return {region: _regional(region, value) for region, value in regions.items()}


def _regional(region: str, value: Any) -> RegionalHelp:
    if not _REGION.fullmatch(region):
        raise HelpLinesError(f"HelpLines: {region[:20]!r} is not a region such as TW, or default")
    if not isinstance(value, Mapping) or set(value) - {"emergency", "lines"}:
        raise HelpLinesError(f"HelpLines.{region} must have the members emergency and lines alone")
    emergency, lines = value.get("emergency"), value.get("lines", [])
    if not isinstance(emergency, list) or not 1 <= len(emergency) <= _MOST_NUMBERS or not all(map(_is_text, emergency)):
        raise HelpLinesError(f"HelpLines.{region}.emergency must be a list of 1 to {_MOST_NUMBERS} numbers")
    if not isinstance(lines, list) or len(lines) > _MOST_NUMBERS or not all(map(_is_line, lines)):
        raise HelpLinesError(f"HelpLines.{region}.lines must be a list of up to {_MOST_NUMBERS} of name and number")
    return RegionalHelp(tuple(emergency), tuple(HelpLine(line["name"], line["number"]) for line in lines))


def _is_line(value: Any) -> bool:
    return isinstance(value, Mapping) and set(value) == {"name", "number"} and all(map(_is_text, value.values()))


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and bool(value.strip()) and len(value) <= _MOST_CHARACTERS and value.isprintable()
