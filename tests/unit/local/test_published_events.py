"""The local event bus answers as PutEvents does, and shows what it took."""

import json
from typing import Any

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from local.published_events import KEPT, PAGE, PATH, PublishedEvents, bus_route, events_route
from local.stack import QueueRule

ENTRY = {
    "EventBusName": "events",
    "Source": "yarrow",
    "DetailType": "run.completed",
    "Time": 1795350600.4,
    "Detail": "{}",
}


@pytest.fixture
def client() -> TestClient:
    published = PublishedEvents(["events"])
    return TestClient(Starlette(routes=[bus_route(published), events_route(published, ["http://own"])]))


def put(client: TestClient, *entries: dict[str, Any], action: str = "AWSEvents.PutEvents") -> Any:
    answer = client.post(PATH, content=json.dumps({"Entries": entries}), headers={"x-amz-target": action})
    return answer.status_code, answer.json()


def test_an_event_is_shown_as_a_target_gets_it(client: TestClient) -> None:
    """EVB-01."""
    status, answer = put(client, ENTRY | {"Detail": '{"id":"1"}'})
    assert (status, answer["FailedEntryCount"]) == (200, 0)
    (event,) = client.get("/events").json()["events"]
    assert event == {
        "version": "0",
        "id": answer["Entries"][0]["EventId"],
        "detail-type": "run.completed",
        "source": "yarrow",
        "account": "123456789012",
        "time": "2026-11-22T12:30:00Z",
        "region": "us-east-1",
        "resources": [],
        "detail": {"id": "1"},
    }


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"EventBusName": "other"}, "InvalidArgument"),
        ({"Detail": "{"}, "MalformedDetail"),
    ],
)
def test_an_entry_may_fail_beside_others(client: TestClient, change: dict[str, str], code: str) -> None:
    """EVB-01: by its place in the response."""
    status, answer = put(client, ENTRY, ENTRY | change, ENTRY)
    assert (status, answer["FailedEntryCount"]) == (200, 1)
    assert [entry.get("ErrorCode") for entry in answer["Entries"]] == [None, code, None]
    assert client.get("/events").json()["next"] == 2


def test_a_request_has_ten_entries_at_most(client: TestClient) -> None:
    assert put(client, *[ENTRY] * 10)[0] == 200
    assert put(client, *[ENTRY] * 11) == (400, {"__type": "ValidationException"})
    assert put(client)[0] == 400
    assert put(client, ENTRY, action="AWSEvents.PutRule") == (400, {"__type": "UnknownOperationException"})


def test_the_latest_events_are_kept_page_by_page(client: TestClient) -> None:
    published = PublishedEvents(["events"])
    for number in range(KEPT + 5):
        published.put(ENTRY | {"Detail": json.dumps(number)})
    first, following = published.after(0)
    assert (first[0]["detail"], len(first), following) == (5, PAGE, 5 + PAGE)
    assert [event["detail"] for event in published.after(KEPT + 3)[0]] == [KEPT + 3, KEPT + 4]
    assert published.after(KEPT + 5) == ([], KEPT + 5)


@pytest.mark.parametrize("after", ["x", "-1", "9" * 16, "٣"])
def test_a_bad_place_is_refused(client: TestClient, after: str) -> None:
    answer = client.get("/events", params={"after": after})
    assert (answer.status_code, answer.json()["code"]) == (422, "LOCAL_EVENTS_INVALID")


def test_pages_of_other_origins_read_nothing(client: TestClient) -> None:
    assert client.get("/events", headers={"origin": "http://other"}).status_code == 403
    assert client.get("/events", headers={"origin": "http://own"}).status_code == 200


def test_an_event_that_a_rule_matches_is_sent_to_its_queues() -> None:
    """EVB-04: of the rule's own bus."""
    sent: list[tuple[str, Any]] = []
    rules = [QueueRule(bus, {"source": ["yarrow"]}, (f"{bus} queue",)) for bus in ("events", "other")]
    published = PublishedEvents(
        ["events", "other"], rules, lambda queue, event: sent.append((queue, json.loads(event)))
    )
    for entry in (ENTRY, ENTRY | {"Source": "somebody"}, ENTRY | {"EventBusName": "none"}):
        published.put(entry)
    ((queue, event),) = sent
    assert (queue, event["detail-type"], event["detail"]) == ("events queue", "run.completed", {})
