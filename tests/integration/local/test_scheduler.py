"""Schedules of the local stack: it fires what moto's Scheduler keeps, by a clock that a test moves."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.support.stack.process import free_port, running
from tests.support.stack.scheduler_clock import SchedulerClock

TEMPLATE = ("--template", str(Path(__file__).parent / "local_stack" / "template.yaml"))
NEW_YORK = {"ScheduleExpressionTimezone": "America/New_York"}


@pytest.fixture(scope="module")
def port() -> str:
    return free_port()


@pytest.fixture(scope="module")
def client(port: str) -> Iterator[httpx.Client]:
    with (
        running(*TEMPLATE, internal_port=port) as url,
        httpx.Client(base_url=url, timeout=30, trust_env=False, headers={"Authorization": "plain"}) as client,
    ):
        yield client


@pytest.fixture
def clock(port: str) -> SchedulerClock:
    return SchedulerClock(port)


def make(client: httpx.Client, name: str, expression: str, **members: Any) -> None:
    made = client.post(f"/schedules/{name}", json={"ScheduleExpression": expression, **members})
    assert made.status_code == 204


def state_of(client: httpx.Client, name: str) -> Any:
    return client.get(f"/schedules/{name}").json()


def utc(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


def test_a_schedule_fires_when_the_clock_passes_its_times(client: httpx.Client, clock: SchedulerClock) -> None:
    """AUT-03: over both changes of clocks; back and forth again is twice."""
    make(client, "autumn", "cron(30 1 ? * SAT,SUN *)", **NEW_YORK)
    assert clock.move(utc("2026-10-31T06:00")) == []  # back
    # 01:30 of the 1st comes twice.
    assert ("autumn", "2026-11-01T05:30:00Z") in clock.move(utc("2026-11-01T05:30"))
    assert clock.move(utc("2026-11-01T07:00")) == []

    make(client, "spring", "cron(30 2 * * ? *)", **NEW_YORK)
    assert clock.move(utc("2026-03-07T06:00")) == []
    # 02:30 of the 8th is skipped.
    times = [time for name, time in clock.move(utc("2026-03-09T06:30")) if name == "spring"]
    assert times == ["2026-03-07T07:30:00Z", "2026-03-09T06:30:00Z"] == state_of(client, "spring")["fired"]

    clock.move(utc("2026-03-09T06:00"))
    clock.move(utc("2026-03-09T06:31"))
    assert state_of(client, "spring")["fired"] == [*times, times[-1]]


def test_a_schedule_of_the_template_fires_with_the_schedulers_own_event(
    client: httpx.Client, clock: SchedulerClock
) -> None:
    clock.move(utc("2026-02-05T02:00"))
    clock.move(utc("2026-02-05T03:00"))
    assert "2026-02-05T02:30:00Z" in state_of(client, "nightly")["fired"]


def test_what_a_function_cannot_take_goes_to_the_queue(client: httpx.Client, clock: SchedulerClock) -> None:
    clock.move(utc("2026-02-01T08:59"))
    make(client, "broken", "at(2026-02-01T09:00:00)", ActionAfterCompletion="DELETE")
    assert ("broken", "2026-02-01T09:00:00Z") in clock.move(utc("2026-02-01T09:00"))
    seen = state_of(client, "broken")
    assert seen["undelivered"] == [{"name": "broken", "due": "2026-02-01T09:00:00Z"}]
    assert "broken" not in seen["schedules"]


def test_a_schedule_for_once_fires_once(client: httpx.Client, clock: SchedulerClock) -> None:
    """Also if its time has passed by the scheduler's clock when it is made."""
    clock.move(utc("2026-01-20T00:00"))
    make(client, "once", "at(2026-01-19T09:00:00)")
    clock.move(utc("2026-01-20T00:01"))
    clock.move(utc("2026-01-20T00:02"))
    assert state_of(client, "once")["fired"] == ["2026-01-19T09:00:00Z"]


def test_a_changed_schedule_fires_at_its_new_times(client: httpx.Client, clock: SchedulerClock) -> None:
    clock.move(utc("2026-01-15T00:00"))
    make(client, "changed", "cron(0 8 * * ? *)", State="DISABLED")
    clock.move(utc("2026-01-15T08:00"))
    make(client, "changed", "cron(0 9 * * ? *)")
    clock.move(utc("2026-01-15T09:00"))
    make(client, "changed", "cron(0 10 * * ? *)", State="DISABLED")
    clock.move(utc("2026-01-15T10:00"))
    assert state_of(client, "changed")["fired"] == ["2026-01-15T09:00:00Z"]


def test_the_clock_goes_on_from_where_it_was_moved(clock: SchedulerClock) -> None:
    moved = utc("2026-01-10T00:00:05")
    clock.move(moved)
    assert timedelta() <= clock.now() - moved < timedelta(minutes=1)


def test_clients_cannot_reach_the_clock(client: httpx.Client) -> None:
    assert client.put("/scheduler/clock", json={"now": "2027-01-01T00:00:00Z"}).status_code == 404


@pytest.mark.parametrize("body", [{}, [], {"now": 1}, {"now": "2027-01-01T00:00:00"}, {"now": "9999-12-31T23:59:59Z"}])
def test_a_move_that_cannot_be_made_moves_nothing(clock: SchedulerClock, body: Any) -> None:
    """Ever so many firings at once cannot."""
    before = clock.now()
    assert clock.put(body).status_code == 422
    assert clock.now() - before < timedelta(minutes=1)
