"""Events of an agent's own: which a runner may declare, and what becomes of its results."""

from typing import Any

import pytest
from pydantic import BaseModel, Field, field_validator

from tests.support.runners.work import DONE, delta, work
from yarrow.protocol.events.event_types import EventType
from yarrow.protocol.runner.manifest import AgentRunnerManifest
from yarrow.protocol.runner.models import AgentEvent, InstalledRunner
from yarrow.protocol.runner.vocabulary import RESULT_TYPES, WORKSPACE_RESULTS
from yarrow.protocol.workspace import surface
from yarrow.runners import discovery
from yarrow.worker.results import parsing
from yarrow.worker.run_options import RunOptions


class Forecast(BaseModel):
    """What a runner of weather tells; a validator of foreign code may raise anything."""

    city: str
    high: float = Field(serialization_alias="highCelsius")

    @field_validator("city")
    @classmethod
    def _is_on_the_map(cls, city: str) -> str:
        if city == "Atlantis":
            raise RuntimeError("sunk")
        return city


FORECAST = AgentEvent("acme.forecast", Forecast)
DAILY = EventType("WEATHER_FORECAST", name="acme.forecast")
OPTIONS = RunOptions(events={"weather.forecast": FORECAST})


def forecast(**data: Any) -> tuple[str, Any]:
    return "weather.forecast", data


def custom(done: Any) -> list[Any]:
    return [(event["name"], event["value"]) for event in done.events() if event["type"] == "CUSTOM"]


def test_a_declared_result_becomes_a_custom_event_with_checked_data() -> None:
    """RNR-30: each time it comes, as its model writes it."""
    rain, sun = forecast(city="Bergen", high=9, note="left out"), forecast(city="Seville", high=31.5)
    done = work([rain, delta("好"), sun, DONE], options=OPTIONS)
    value = {"city": "Bergen", "highCelsius": 9.0}
    assert custom(done) == [("acme.forecast", value), ("acme.forecast", {"city": "Seville", "highCelsius": 31.5})]
    assert done.error is None


def test_a_declared_type_is_emitted_once_a_run_under_its_own_name() -> None:
    """RNR-30: with the data as members; a later worker does not emit it again."""
    options = RunOptions(events={"weather.forecast": AgentEvent("acme.forecast", Forecast, DAILY)})
    rain, sun = forecast(city="Bergen", high=9), forecast(city="Seville", high=31.5)
    first = work([forecast(city="Atlantis", high=4), rain, sun, DONE], dies_after=3, options=options)
    done = work([rain, DONE], first.lines, options=options)
    events = [event for event in done.events() if event["type"] == "WEATHER_FORECAST"]
    assert events == [
        {"type": "WEATHER_FORECAST", "threadId": "thread", "runId": "run", "city": "Bergen", "highCelsius": 9.0}
    ]
    assert done.error is None


@pytest.mark.parametrize("data", [{}, {"city": 1, "high": 2}, {"city": "Atlantis", "high": 4}, {"city": "\ud800"}])
def test_what_its_model_refuses_is_skipped(data: dict[str, Any]) -> None:
    """RNR-33: whatever the model raises, the run continues."""
    done = work([forecast(**data), forecast(city="Bergen", high=9), DONE], options=OPTIONS)
    assert [value["city"] for _, value in custom(done)] == ["Bergen"]
    assert done.error is None


def test_it_is_told_once_though_a_later_worker_hears_it_again() -> None:
    """RNR-41: and told by that one, if the first did not come so far."""
    script = [forecast(city="Bergen", high=9), forecast(city="Seville", high=31), DONE]
    for died_after in range(4):
        first = work(script, dies_after=died_after, options=OPTIONS)
        assert [value["city"] for _, value in custom(work(script, first.lines, options=OPTIONS))] == [
            "Bergen",
            "Seville",
        ]


def test_what_another_runner_declares_is_unknown() -> None:
    """RNR-32."""
    done = work([forecast(city="Bergen", high=9), DONE], options=RunOptions())
    assert custom(done) == []
    assert done.error is None


@pytest.mark.parametrize(
    ("type_", "event", "reason"),
    [
        ("weather.forecast", AgentEvent("forecast", Forecast), "the name of event forecast does not begin with acme."),
        ("weather.forecast", AgentEvent("yarrow.state", Forecast), "does not begin with acme."),
        ("message.delta", FORECAST, "events declares message.delta, which is a result type of the protocol"),
        ("weather.forecast", AgentEvent("acme.forecast", dict), "is not an AgentEvent with a pydantic model"),  # type: ignore[arg-type]
        ("weather.forecast", Forecast, "is not an AgentEvent with a pydantic model"),
        ("weather.forecast", AgentEvent("acme.other", Forecast, DAILY), "is not an EventType with its name"),
        ("weather.forecast", AgentEvent("acme.forecast", Forecast, "X"), "is not an EventType with its name"),  # type: ignore[arg-type]
    ],
)
def test_a_runner_declares_events_of_its_own_alone(type_: str, event: Any, reason: str) -> None:
    """RNR-03: else it is not used."""
    manifest = AgentRunnerManifest(id="plugin:acme/weather/default", name="default", label={})
    with pytest.raises((TypeError, ValueError), match=reason):
        discovery.checked(InstalledRunner(manifest, lambda: pytest.fail("called"), {type_: event}))
    declared = InstalledRunner(manifest, lambda: pytest.fail("called"), {"weather.forecast": FORECAST})
    assert discovery.checked(declared).events == {"weather.forecast": FORECAST}


def test_the_protocol_s_result_types_are_those_the_host_acts_on() -> None:
    """RNR-30."""
    assert {*parsing._PAYLOADS, *surface.RESULTS} == RESULT_TYPES
    assert set(surface.RESULTS) == WORKSPACE_RESULTS
