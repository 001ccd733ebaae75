"""The client's `traceparent`, by every request that submits a run (EVB-02)."""

import json

import pytest

from tests.support.divination_runs import execute
from tests.support.functions.calls import invoke
from tests.support.functions.payloads import Case, with_header
from tests.support.runners.asking import YES, Asker, confirm, interrupts_of
from tests.support.runners.scripted import DONE, Use, install
from yarrow.runs.send_message import session_id_of
from yarrow.store import runs

pytestmark = [pytest.mark.usefixtures("aws"), pytest.mark.memory]

SENT = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"


@pytest.mark.parametrize(("sent", "stored"), [(SENT, SENT), (SENT[:-1], None)])
def test_a_run_keeps_the_header_of_its_submit(sent: str, stored: str | None) -> None:
    """One that is invalid is ignored, and refuses nothing."""
    case = Case()
    answer = invoke("submit_run", with_header(case.payload("api_gateway_submit_run"), "traceparent", sent))
    assert answer.status == 202
    assert runs.must_read(case.key).trace_parent == stored


def test_a_run_without_the_header_stores_nothing() -> None:
    case = Case()
    invoke("submit_run", case.payload("api_gateway_submit_run"))
    assert runs.must_read(case.key).trace_parent is None


def test_an_agui_client_may_send_it(use: Use) -> None:
    """EVT-19."""
    use(DONE)
    case = Case()
    event = with_header(case.payload("api_gateway_send_message"), "traceparent", SENT)
    event["queryStringParameters"] = {"wait": "1"}
    event["multiValueQueryStringParameters"] = {"wait": ["1"]}
    invoke("send_message", event)
    document = json.loads(event["body"])
    thread_id = session_id_of(case.user, document["threadId"])
    assert runs.must_read(runs.key_of(case.user, thread_id, document["runId"])).trace_parent == SENT


def test_an_answer_has_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    """ASK-04: the run that goes on is in the trace of the request that answers."""
    asker = Asker(confirm)
    install(monkeypatch, lambda: asker)
    case = Case()
    invoke("submit_run", case.payload("api_gateway_submit_run"))
    execute(case.key)
    (question,) = interrupts_of(case.key)
    event = with_header(case.payload("api_gateway_answer_interrupt"), "traceparent", SENT)
    event["pathParameters"] = {"interruptId": question["id"]}
    event["path"] = f"/api/v1/agent/interrupts/{question['id']}"
    event["body"] = json.dumps({"status": "resolved", "payload": YES})
    going_on = invoke("answer_interrupt", event).document
    assert runs.must_read(going_on["taskId"]).trace_parent == SENT
    assert runs.must_read(case.key).trace_parent is None
