"""Which event types of agents are found, and which are not."""

import importlib.metadata
import json
import sys
from collections.abc import Iterator
from types import ModuleType

import pytest

from yarrow.packages import event_types
from yarrow.protocol.agui.events import Profile
from yarrow.protocol.events.event_types import EventType
from yarrow.protocol.events.events import RunIds, encode

IDS: RunIds = {"thread_id": "t", "run_id": "r"}
FORECAST = EventType("WEATHER_FORECAST", name="acme.forecast")
DAY = EventType("WEATHER_DAY", name="acme.day", value="day")


@pytest.fixture(autouse=True)
def _installed(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A package whose entry points name types, what is none, and what cannot be imported."""
    package = ModuleType("acme_types")
    package.FORECAST, package.DAY, package.TEA = FORECAST, DAY, object()  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "acme_types", package)
    places = [
        ("WEATHER_FORECAST", "acme_types:FORECAST"),
        ("WEATHER_FORECAST", "acme_nowhere:FORECAST"),
        ("WEATHER_DAY", "acme_types:DAY"),
        ("DIVINATION_DERIVED", "acme_types:DAY"),
        ("TEA", "acme_types:TEA"),
        ("NOON", "acme_types:DAY"),
    ]

    def entry_points(*, group: str) -> list[importlib.metadata.EntryPoint]:
        assert group == "yarrow.event_types"
        return [importlib.metadata.EntryPoint(name, place, group) for name, place in places]

    monkeypatch.setattr(importlib.metadata, "entry_points", entry_points)
    event_types.find.cache_clear()
    yield
    event_types.find.cache_clear()


def test_a_package_brings_types_of_events() -> None:
    """One that does not load hides no other."""
    assert event_types.find("WEATHER_FORECAST") is FORECAST
    assert event_types.find("WEATHER_DAY") is DAY


def test_no_package_replaces_a_type_of_a_bundled_agent() -> None:
    """RNR-03: The rule is that of runners."""
    found = event_types.find("DIVINATION_DERIVED")
    assert found is not None
    assert found.name == "yarrow.divination-derived"


@pytest.mark.parametrize("type_", ["TEA", "NOON", "NOTHING"])
def test_what_is_no_type_of_its_name_is_not_found(type_: str) -> None:
    assert event_types.find(type_) is None


def test_ag_ui_clients_get_it_under_its_name() -> None:
    """C11: with its data, or the member of it that the type names; a type that is gone keeps its own name."""
    profile = Profile(IDS, event_types.find)
    for event, name, value in (
        (FORECAST.event(IDS, {"city": "Bergen"}), "acme.forecast", {"city": "Bergen"}),
        (DAY.event(IDS, {"day": [1, None]}), "acme.day", [1, None]),
        (EventType("GONE_TODAY", name="acme.gone").event(IDS, {"a": 1}), "GONE_TODAY", {"a": 1}),
    ):
        assert json.loads(profile.line(encode(event)) or "") == {"type": "CUSTOM", "name": name, "value": value}
