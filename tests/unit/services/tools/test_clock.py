"""The time where the user is, and which place that is."""

import asyncio
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest

from yarrow.protocol.runner.api import AgentAPIException
from yarrow.protocol.runner.tools import TimeZones, ToolContext
from yarrow.services.tools.builtin import TOOLS


@pytest.fixture(params=["America/Los_Angeles", "Asia/Kolkata"])
def server(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A server that stands somewhere."""
    monkeypatch.setenv("TZ", request.param)
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()


@pytest.mark.parametrize(
    ("argument", "zones", "zone"),
    [
        ("Europe/Berlin", TimeZones("Asia/Shanghai", "Asia/Tokyo"), "Europe/Berlin"),
        (None, TimeZones("Asia/Shanghai", "Asia/Tokyo"), "Asia/Shanghai"),
        (None, TimeZones(None, "Asia/Tokyo"), "Asia/Tokyo"),
        (None, TimeZones("Mars/Olympus", "Asia/Tokyo"), "Asia/Tokyo"),
        (None, TimeZones("", "local"), "UTC"),
        (None, TimeZones(), "UTC"),
    ],
)
@pytest.mark.usefixtures("server")
def test_the_time_is_told_where_the_user_is(argument: str | None, zones: TimeZones, zone: str) -> None:
    """FWD-07, FWD-08, FWD-09: argument, device, profile, UTC; where the server stands is no matter."""
    context = ToolContext("alice", "thread", "run", zones)
    arguments = {} if argument is None else {"time_zone": argument}
    output = asyncio.run(TOOLS.call("get_current_time", arguments, context))
    assert output["time_zone"] == zone
    now = datetime.fromisoformat(output["now"])
    offsets = {"Europe/Berlin": {1, 2}, "Asia/Shanghai": {8}, "Asia/Tokyo": {9}, "UTC": {0}}
    assert now.utcoffset() in {timedelta(hours=hours) for hours in offsets[zone]}
    assert abs(now - datetime.now(UTC)) < timedelta(seconds=10)
    assert abs(output["epoch_ms"] / 1000 - time.time()) < 10
    assert output["weekday"] == now.strftime("%A")


def test_the_tool_takes_time_zones_only() -> None:
    """FWD-07."""
    context = ToolContext("alice", "thread", "run", TimeZones())
    with pytest.raises(AgentAPIException, match="invalid_argument: time_zone"):
        asyncio.run(TOOLS.call("get_current_time", {"time_zone": "local"}, context))


def test_a_model_is_told_how_to_ask_the_time() -> None:
    """TOOL-04."""
    detail = TOOLS.detail("get_current_time")
    assert detail is not None
    assert list(detail.parameters["properties"]) == ["time_zone"]
    assert "IANA" in str(detail.parameters)
