"""Events of the deployment on the local stack, as rules of its bus would get them."""

import time
import uuid
from typing import Any

import httpx

from tests.support.stack.app import App, cancel

SECONDS = 30.0


def events_of(stack: str, thread: str, count: int) -> list[dict[str, Any]]:
    """Wait until the bus has so many events of a session."""
    until = time.monotonic() + SECONDS
    after, found = 0, list[dict[str, Any]]()
    while time.monotonic() < until:
        page = httpx.get(f"{stack}/local/events", params={"after": after}).json()
        after = page["next"]
        found += [event for event in page["events"] if event["detail"]["data"]["threadId"] == thread]
        if len(found) >= count:
            return found
        time.sleep(0.05)
    raise AssertionError(f"{len(found)} events came")


def test_an_end_of_a_run_reaches_the_bus(stack: str, alice: App) -> None:
    """EVB-01: what users say does not."""
    thread = str(uuid.uuid4())
    assert alice.submit(thread, "run-1").status_code == 202
    last = list(alice.watch(thread, "run-1"))[-1]
    (event,) = events_of(stack, thread, 1)
    assert (event["source"], event["detail-type"]) == ("yarrow", "run.completed")
    data = event["detail"]["data"]
    assert (data["userId"], data["runId"], data["outcome"]) == (alice.sub, "run-1", "success")
    assert data.get("usage") == last[2].get("usage")


def test_a_cancelled_run_is_told_of_once(stack: str, alice: App) -> None:
    """EVB-01, CAN-04: a cancel that comes again changes nothing."""
    thread = str(uuid.uuid4())
    assert alice.submit(thread, "run-1").status_code == 202
    cancel(alice, thread)
    cancel(alice, thread)
    second = str(uuid.uuid4())
    assert alice.submit(second, "run-1").status_code == 202
    list(alice.watch(second, "run-1"))
    events_of(stack, second, 1)
    (event,) = events_of(stack, thread, 1)
    assert event["detail-type"] in ("run.canceled", "run.completed")
