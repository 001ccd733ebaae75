"""The description of the API, held against the running stack: whatever is sent, each answer is one it describes."""

import uuid
from typing import Any

import httpx
import pytest
from hypothesis import HealthCheck, settings
from schemathesis import Case, GenerationMode

from functions.openapi import DIVINATION
from tests.support.described_api import RUN, THREAD, api, fitted
from tools.make_openapi import TARGET

REQUEST_SECONDS = 10


@pytest.fixture(scope="module")
def alice(stack: str) -> dict[str, str]:
    """The headers of a user whose one session has a run that ended."""
    with httpx.Client(base_url=stack, timeout=REQUEST_SECONDS) as http:
        token = http.post("/local/token", json={"sub": f"alice-{uuid.uuid4()}"}).json()["token"]
        http.headers["Authorization"] = f"Bearer {token}"
        assert http.post("/api/v1/agent/runs", json=DIVINATION | {"threadId": THREAD, "runId": RUN}).status_code == 202
        assert "RUN_FINISHED" in http.get(f"/api/v1/agent/runs/{THREAD}/events", params={"runId": RUN}).text
    return {"Authorization": f"Bearer {token}"}


def test_the_stack_describes_itself_to_anyone(stack: str) -> None:
    answer = httpx.get(f"{stack}/openapi.json")
    assert (answer.status_code, answer.headers["content-type"]) == (200, "application/json")
    assert answer.text == TARGET.read_text(encoding="utf-8")
    assert answer.headers["access-control-allow-origin"] == "*"


RUN_OF_THREAD = {"path_parameters": {"threadId": THREAD}, "query": {"runId": RUN}}


@pytest.mark.parametrize(
    ("operation", "request_", "status"),
    [
        ("submit_run", {"body": DIVINATION | {"threadId": str(uuid.uuid4())}, "media_type": "application/json"}, 202),
        ("stream_events", RUN_OF_THREAD, 200),
        ("stream_events", RUN_OF_THREAD | {"headers": {"Last-Event-ID": "3"}}, 200),
        ("cancel_run", RUN_OF_THREAD, 200),
        ("get_history", {}, 200),
        ("get_history", {"query": {"threadId": THREAD}}, 200),
        ("get_history", {"query": {"threadId": THREAD, "scope": "history_day"}}, 200),
        ("describe_api", {}, 200),
    ],
)
def test_what_succeeds_is_answered_as_described(
    stack: str, alice: dict[str, str], operation: str, request_: dict[str, Any], status: int
) -> None:
    """RUN-19, RUN-20, EVT-03, HIS-04, HIS-12: each event of a stream as well, by the schema of its type."""
    case = api.find_operation_by_id(operation).Case(**request_)
    assert case.call_and_validate(base_url=stack, headers=alice, timeout=REQUEST_SECONDS).status_code == status


def with_its_cast(case: Case) -> Case:
    """A valid follow-up repeats the session's cast, if any (else 422), which no schema can say."""
    is_valid = case.meta is not None and case.meta.generation.mode is GenerationMode.POSITIVE
    match case.body:
        case {"forwardedProps": {"runtime_mode": "follow_up", "divinationPayload": {}} as props} if is_valid:
            cast = DIVINATION["forwardedProps"]["divinationPayload"]
            case.body = case.body | {"forwardedProps": props | {"divinationPayload": cast}}
    return case


@api.parametrize()
@settings(max_examples=25, deadline=REQUEST_SECONDS * 1000, suppress_health_check=[HealthCheck.too_slow])
def test_every_answer_is_described(case: Case, stack: str, alice: dict[str, str]) -> None:
    """ERR-01, ERR-02, ERR-11, SEC-01: never 5xx; what keeps to the schemas is taken, what breaks one is refused.

    Operations come in the order of the document, so the session is there until `delete_session` has its turn.
    """
    with_its_cast(fitted(case)).call_and_validate(base_url=stack, headers=alice, timeout=REQUEST_SECONDS)
