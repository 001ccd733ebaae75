"""What is refused because it is another's is refused alike, whatever it is: in the same words and with the same work.

So neither an answer nor the time it takes tells a stranger how long a session is, whether a run of that name is in it,
whether a file is there, or how nearly a credential was right.
"""

import importlib
import json
import uuid
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tests.support.functions.api_calls import ApiCalls, watched
from tests.support.functions.calls import Context, invoke, work
from tests.support.functions.payloads import Case, with_header, with_query
from tests.support.staged_uploads import form, staged
from tests.support.uploads import PNG
from yarrow.store import api_keys
from yarrow.web.api_keys import create

pytestmark = [pytest.mark.usefixtures("aws"), pytest.mark.memory]
"""On moto alone: which calls are made depends on none."""

STRANGER = "bob"


@pytest.fixture
def calls() -> Iterator[ApiCalls]:
    with watched() as made:
        yield made


def submitted() -> Case:
    """A session with a run that nobody has begun."""
    case = Case()
    assert invoke("submit_run", case.payload("api_gateway_submit_run")).status == 202
    return case


def answered() -> Case:
    """A session with a run that has ended, and its answer."""
    case = submitted()
    work(case)
    return case


def deleted() -> Case:
    case = answered()
    assert invoke("delete_session", case.payload("api_gateway_delete_session")).status == 204
    return case


SESSIONS = (submitted, answered, deleted)

OF_SESSION = {
    "submit_run": "api_gateway_submit_run",
    "send_message": "api_gateway_send_message",
    "cancel_run": "api_gateway_cancel_run",
    "stream_events": "api_gateway_stream_events",
    "read_stream": "api_gateway_read_stream",
    "get_history": "api_gateway_get_history_of_session",
    "delete_session": "api_gateway_delete_session",
    "record_outcome": "api_gateway_record_outcome",
    "begin_upload": "api_gateway_begin_upload",
}
"""The functions that are told a session, and their payloads."""


def refusal(calls: ApiCalls, function: str, event: dict[str, Any]) -> tuple[int, str, tuple[str, ...]]:
    """Status and problem of an answer, and the calls that were made for it."""
    calls.reset()
    answer = invoke(function, event)
    problem = {name: value for name, value in answer.document.items() if name != "instance"}
    return answer.status, json.dumps(problem), tuple(calls.made)


@pytest.mark.parametrize("function", OF_SESSION)
def test_whatever_is_in_anothers_session_its_refusal_is_the_same(function: str, calls: ApiCalls) -> None:
    """SEC-03."""
    # What a stranger's first request leaves of the stranger's own, the others find.
    refusal(calls, function, Case(STRANGER, submitted().thread).payload(OF_SESSION[function]))
    outputs = set()
    for make in SESSIONS:
        event = Case(STRANGER, make().thread).payload(OF_SESSION[function])
        runs = (
            ("run_20260403_xxx", "run-of-nobody") if function in ("cancel_run", "stream_events", "read_stream") else ()
        )
        outputs |= {refusal(calls, function, item) for item in (event, *(with_query(event, runId=run) for run in runs))}
    ((status, problem, _),) = outputs
    assert (status, json.loads(problem)["code"]) == (403, "AGENT_FORBIDDEN")


def at(event: dict[str, Any], upload_id: str) -> dict[str, Any]:
    """Return the same request for another upload."""
    return event | {"path": event["path"].rpartition("/")[0] + f"/{upload_id}"}


@pytest.mark.parametrize("function", ["finish_upload", "transcribe"])
def test_anothers_upload_is_told_as_one_that_is_not_there(function: str, calls: ApiCalls) -> None:
    """SEC-03, ATT-05: while it waits, when it is finished, and when nobody has any of the name."""
    case = submitted()
    waiting, finished = (staged(form(case.thread, PNG), case.user) for _ in range(2))
    own = case.payload("api_gateway_finish_upload")
    assert invoke("finish_upload", at(own, finished)).status == 200
    event = Case(STRANGER, case.thread).payload(f"api_gateway_{function}")
    assert invoke(function, event).status == 404  # the first draw from a full bucket takes one write, later ones two
    outputs = {refusal(calls, function, at(event, text)) for text in (waiting, finished, str(uuid.uuid4()))}
    ((status, _, _),) = outputs
    assert status == 404


def test_anothers_file_is_told_as_one_that_is_not_there(calls: ApiCalls) -> None:
    """SEC-03, SEC-07, SGN-02: nothing is looked up at all."""
    case = submitted()
    own = at(case.payload("api_gateway_finish_upload"), staged(form(case.thread, PNG), case.user))
    path = invoke("finish_upload", own).document["attachment"]["path"]
    event = Case(STRANGER).payload("api_gateway_sign_attachment")
    paths = (path, path.replace(".png", ".gif"), "agent-inputs/nobody/a.png")
    outputs = {refusal(calls, "sign_attachment", with_query(event, bucket="agent-inputs", path=path)) for path in paths}
    ((status, problem, made),) = outputs
    assert (status, json.loads(problem)["code"], made) == (403, "AGENT_ATTACHMENT_PATH_SCOPE_INVALID", ())


def test_how_nearly_an_api_key_is_right_is_not_told(calls: ApiCalls) -> None:
    """SEC-02: one that was revoked, one of another secret and one of nobody are looked up alike and refused alike."""
    handler: Callable[..., Any] = importlib.import_module("functions.authorize.app").handler
    event = Case().payload("authorizer_request") | {"resource": "/send-message"}
    (key_id, key), (revoked_id, revoked) = create("alice", "one"), create("alice", "another")
    api_keys.revoke(revoked_id)
    outputs = set()
    for text in (
        revoked,
        f"yk_{key_id}_{'a' * 43}",
        f"yk_{'0' * 16}_{key[-43:]}",
        key[:-1] + ("a" if key[-1] != "a" else "b"),
    ):
        calls.reset()
        with pytest.raises(Exception, match=r"^Unauthorized$") as caught:
            handler(with_header(event, "Authorization", f"Bearer {text}"), Context("authorize"))
        outputs.add((type(caught.value), tuple(calls.made)))
    assert outputs == {(Exception, ("GetItem",))}
