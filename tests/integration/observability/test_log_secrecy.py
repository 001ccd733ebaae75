"""No secret and nothing that anyone wrote is in the log, whatever is asked, refused or failing (SEC-05)."""

import importlib
import json
from collections.abc import AsyncGenerator, Callable, Iterator
from contextlib import suppress
from itertools import count
from typing import Any

import pytest
from botocore.client import BaseClient
from botocore.exceptions import ClientError, EndpointConnectionError

from tests.support.functions import api_calls
from tests.support.functions.api_calls import Make
from tests.support.functions.calls import invoke, work
from tests.support.functions.payloads import Case, with_header, with_query
from tests.support.log_lines import LogLines
from tests.support.models.provider_formats import OpenAI
from tests.support.models.server import ModelServer, serving
from tests.support.runners.scripted import DONE, Use, completed, install
from tests.support.staged_uploads import form, staged
from tests.support.uploads import END, PNG, part
from yarrow.media import signed_urls
from yarrow.media.transcription import embedded
from yarrow.protocol.runner.api import AgentAPIException
from yarrow.protocol.runner.models import AgentRunContext, AgentRunResult
from yarrow.protocol.runner.proxy import AgentRunAPIProxy
from yarrow.services.models import attempts
from yarrow.settings import settings
from yarrow.store import runs
from yarrow_agents.divination import opinion

pytestmark = [pytest.mark.usefixtures("aws"), pytest.mark.memory]
"""On moto alone: what is logged does not depend on it."""

MARKER = "xq7-marker"
"""What is a secret, or what somebody wrote. It stands in every place of a request where one can be."""


def authorised(event: dict[str, Any]) -> dict[str, Any]:
    for name in ("Authorization", "Cookie", "X-Api-Key"):
        event = with_header(event, name, f"Bearer {MARKER}")
    return event


def asking(case: Case, **changes: Any) -> dict[str, Any]:
    """A submit with something private in every member that may hold any."""
    event = authorised(case.payload("api_gateway_submit_run"))
    document = json.loads(event["body"])
    cast = document["forwardedProps"]["divinationPayload"] | {"question": MARKER}
    tool = {"name": "look", "description": MARKER, "parameters": {"type": "object", "description": MARKER}}
    document |= {
        "state": {MARKER: MARKER},
        "messages": [{"id": "msg-1", "role": "user", "content": MARKER}],
        "tools": [tool],
        "context": [{"description": MARKER, "value": MARKER}],
        "forwardedProps": document["forwardedProps"] | {"divinationPayload": cast},
    }
    return event | {"body": json.dumps(document | changes)}


# ---- What is refused -------------------------------------------------------------------------------------------------
Refusal = tuple[str, dict[str, Any], int]
"""The function, the event and the status."""


def refused_submits(case: Case) -> Iterator[Refusal]:
    props = json.loads(asking(case)["body"])["forwardedProps"]
    url = f"https://s3/{MARKER}?X-Amz-Signature={MARKER}#{MARKER}"
    picture = {"type": "binary", "mimeType": "image/png", "url": url}
    refused: tuple[dict[str, Any], ...] = (
        {"threadId": MARKER},
        {"runId": MARKER * 20},
        {"messages": [{"id": "m", "role": MARKER, "content": MARKER}]},
        {"messages": [{"id": "m", "role": "user", "content": [picture]}]},
        {"messages": []},
        {"forwardedProps": props | {"runtime_mode": MARKER}},
        {"forwardedProps": props | {"divinationPayload": {MARKER: MARKER}}},
        {"forwardedProps": {MARKER: MARKER}},
    )
    for changes in refused:
        yield "submit_run", asking(case, **changes), 422
    for text, status in ((f"{{{MARKER}", 400), (f'["{MARKER}"]', 422), (json.dumps(MARKER * 40_000), 413)):
        yield "submit_run", asking(case) | {"body": text}, status
    yield "submit_run", asking(case, state={MARKER: 1}), 409
    yield "submit_run", with_header(asking(case), "Content-Type", f"text/{MARKER}"), 415
    yield "submit_run", asking(Case(thread=case.thread)), 403
    yield "send_message", authorised(case.payload("api_gateway_send_message")) | {"body": f"{{{MARKER}"}, 400


def other_refusals(case: Case) -> Iterator[Refusal]:
    events = {name: authorised(case.payload(f"api_gateway_{name}")) for name in NAMES}
    stream = events["stream_events"]
    yield "stream_events", with_header(stream, "Last-Event-ID", MARKER), 422
    yield "stream_events", with_query(stream, runId=MARKER), 404
    yield "stream_events", with_query(stream, runId=case.run, idle_limit=MARKER), 422
    yield "stream_events", with_query(stream, runId=case.run, profile=MARKER), 422
    yield "read_stream", with_query(events["read_stream"], runId=MARKER), 404
    for query in ({"offset": MARKER}, {"live": MARKER}, {"cursor": MARKER}):
        yield "read_stream", with_query(events["read_stream"], runId=case.run, **query), 400
    yield "cancel_run", with_query(events["cancel_run"], runId=MARKER), 404
    for query in ({"threadId": MARKER}, {"scope": MARKER}, {"after_thread": MARKER}):
        yield "get_history", with_query(events["get_history"], **query), 422
    sign = events["sign_attachment"]
    yield "sign_attachment", with_query(sign, bucket=MARKER, path=MARKER), 422
    yield "sign_attachment", with_query(sign, bucket="agent-inputs", path=f"agent-inputs/{MARKER}/{MARKER}.png"), 403
    yield "begin_upload", events["begin_upload"] | {"body": json.dumps({"filename": MARKER, MARKER: MARKER})}, 422
    yield "finish_upload", events["finish_upload"] | {"path": f"/api/v1/agent/attachments/uploads/{MARKER}"}, 404
    delete = events["delete_session"]
    yield "delete_session", delete | {"path": f"/api/v1/agent/sessions/{MARKER}"}, 422
    yield "delete_session", delete | {"path": f"/{MARKER}"}, 404
    yield "delete_session", delete | {"httpMethod": "PUT"}, 404
    outcome = events["record_outcome"]
    for text in (f"{{{MARKER}", json.dumps({MARKER: MARKER}), json.dumps({"outcome": MARKER})):
        yield "record_outcome", outcome | {"body": text}, 422
    yield "get_capabilities", with_query(events["get_capabilities"], agent=MARKER), 404
    yield "list_memories", with_query(events["list_memories"], after=MARKER), 422
    yield "get_usage", with_query(events["get_usage"], after=MARKER), 422
    yield "get_ended_runs", with_query(events["get_ended_runs"], per=MARKER), 403
    yield "get_users_of_day", with_query(events["get_users_of_day"], subject=MARKER), 403
    yield "create_webhook", events["create_webhook"] | {"body": json.dumps({"url": MARKER})}, 422
    yield "list_interrupts", with_query(events["list_interrupts"], after=MARKER), 422
    yield "send_mcp_message", with_header(events["send_mcp_message"], "Accept", MARKER), 406
    yield "send_mcp_message", with_header(events["send_mcp_message"], "Content-Type", MARKER), 415
    yield "answer_interrupt", events["answer_interrupt"] | {"body": json.dumps({"status": MARKER})}, 422
    yield "register_device", events["register_device"] | {"body": json.dumps({"kind": MARKER})}, 422
    yield "remove_device", events["remove_device"] | {"path": f"/api/v1/devices/{MARKER}"}, 422
    yield "delete_memory", events["delete_memory"] | {"path": f"/api/v1/memories/{MARKER}"}, 422


NAMES = (
    "answer_interrupt",
    "begin_upload",
    "cancel_run",
    "create_webhook",
    "delete_memory",
    "delete_session",
    "finish_upload",
    "get_capabilities",
    "get_history",
    "get_usage",
    "get_ended_runs",
    "get_users_of_day",
    "list_agents",
    "list_interrupts",
    "list_memories",
    "read_stream",
    "register_device",
    "remove_device",
    "record_outcome",
    "send_mcp_message",
    "sign_attachment",
    "stream_events",
)


@pytest.mark.parametrize("refusals", [refused_submits, other_refusals])
def test_a_request_that_is_refused_leaves_its_status_and_code(
    refusals: Callable[[Case], Iterator[Refusal]], log: LogLines
) -> None:
    """SEC-05, ERR-11."""
    case = Case()
    assert invoke("submit_run", asking(case)).status == 202
    for function, event, status in refusals(case):
        answer = invoke(function, event)
        assert answer.status == status, (function, answer.body)
        if answer.document["code"] != "ROUTE_NOT_FOUND":
            refused = [record for record in log.records if record["message"] == "a request was refused"][-1]
            events = (refused["function_name"], refused["status"], refused["code"])
            assert events == (function, status, answer.document["code"])
    assert MARKER not in log.text


# ---- What fails ------------------------------------------------------------------------------------------------------
def unforeseen(_: BaseClient, __: str, ___: Make) -> Any:
    """An error that quotes, for one that names a service by all of its address."""
    url = f"https://bucket/agent-inputs/{MARKER}.png?X-Amz-Signature={MARKER}"
    raise RuntimeError(MARKER) from EndpointConnectionError(endpoint_url=url)


def unavailable(_: BaseClient, operation: str, __: Make) -> Any:
    """A service that quotes what it was asked."""
    raise ClientError({"Error": {"Code": "ThrottlingException", "Message": MARKER}}, operation)


FAULTS = (unforeseen, unavailable)


def upload(case: Case) -> dict[str, Any]:
    """The request for an upload that has arrived, under a private name."""
    upload_id = staged(form(case.thread, PNG, f'filename="{MARKER}.png"'), case.user)
    event = authorised(case.payload("api_gateway_finish_upload"))
    return event | {"path": event["path"].rpartition("/")[0] + f"/{upload_id}"}


ROUTES: dict[str, Callable[[Case], dict[str, Any]]] = {
    "submit_run": asking,
    "cancel_run": lambda case: authorised(case.payload("api_gateway_cancel_run")),
    "stream_events": lambda case: authorised(case.payload("api_gateway_stream_events")),
    "read_stream": lambda case: authorised(case.payload("api_gateway_read_stream")),
    "get_history": lambda case: authorised(case.payload("api_gateway_get_history_of_session")),
    "get_capabilities": lambda case: authorised(case.payload("api_gateway_get_capabilities")),
    "get_usage": lambda case: authorised(case.payload("api_gateway_get_usage")),
    "get_ended_runs": lambda case: authorised(case.payload("api_gateway_get_ended_runs")),
    "get_users_of_day": lambda case: authorised(case.payload("api_gateway_get_users_of_day")),
    "list_webhooks": lambda case: authorised(case.payload("api_gateway_list_webhooks")),
    "create_webhook": lambda case: authorised(case.payload("api_gateway_create_webhook")),
    "list_agents": lambda case: authorised(case.payload("api_gateway_list_agents")),
    "delete_session": lambda case: authorised(case.payload("api_gateway_delete_session")),
    "record_outcome": lambda case: authorised(case.payload("api_gateway_record_outcome")),
    "list_interrupts": lambda case: authorised(case.payload("api_gateway_list_interrupts")),
    "answer_interrupt": lambda case: authorised(case.payload("api_gateway_answer_interrupt")),
    "send_mcp_message": lambda case: authorised(case.payload("api_gateway_send_mcp_message")),
    "list_devices": lambda case: authorised(case.payload("api_gateway_list_devices")),
    "register_device": lambda case: authorised(case.payload("api_gateway_register_device")),
    "list_memories": lambda case: authorised(case.payload("api_gateway_list_memories")),
    "delete_memory": lambda case: authorised(case.payload("api_gateway_delete_memory")),
    "finish_upload": upload,
}


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.__name__)
@pytest.mark.parametrize("function", ROUTES)
def test_a_request_that_fails_leaves_no_more_than_where(
    function: str, fault: api_calls.Fault, log: LogLines, use: Use
) -> None:
    """SEC-05, ERR-12: at whichever call of AWS; and one that does not fail leaves no signature and no seal."""
    use(completed(MARKER), DONE)
    failed = 0
    with api_calls.watched() as calls:
        for at in count(1):
            case = Case()
            calls.reset()
            if function != "submit_run":
                invoke("submit_run", asking(case))
            if function in ("stream_events", "read_stream", "get_history", "record_outcome"):
                work(case)
            event = ROUTES[function](case)
            calls.reset(at, fault)
            try:
                failed += invoke(function, event).status >= 500
            except (RuntimeError, ClientError):  # a stream that had begun
                failed += 1
            if not calls.struck:
                break
    assert failed > 0
    for secret in (MARKER, "X-Amz-Signature", "Bearer", settings.url_signing_key.decode()):
        assert secret not in log.text


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.__name__)
def test_a_task_that_fails_tells_nobody_more_than_its_kind(fault: api_calls.Fault, log: LogLines, use: Use) -> None:
    """SEC-05, CMP-11: neither the log, nor Lambda and the execution, which keep the error."""
    use(completed(MARKER), DONE)
    kinds, words = set(), []
    with api_calls.watched() as calls:
        for at in count(1):
            calls.reset()
            case = Case()
            invoke("submit_run", asking(case))
            calls.reset(at, fault)
            try:
                work(case)
            except Exception as error:  # noqa: BLE001 - whatever Lambda would report
                kinds.add(type(error).__name__)
                words.append(str(error))
            if not calls.struck:
                break
    assert kinds == {"RuntimeError" if fault is unforeseen else "TransientError"}
    assert MARKER not in log.text + "".join(words)


def test_a_signed_url_that_is_sent_back_leaves_nothing(log: LogLines) -> None:
    """SEC-05, RUN-17."""
    case = Case()
    url = invoke("finish_upload", upload(case)).document["attachment"]["url"]
    content = [{"type": "text", "text": MARKER}, {"type": "binary", "mimeType": "image/png", "url": url}]
    assert invoke("submit_run", asking(case, messages=[{"id": "m", "role": "user", "content": content}])).status == 202
    for secret in (MARKER, url.rpartition("#")[2], "X-Amz", signed_urls.read(url, case.user).path):
        assert secret not in log.text


def test_a_recording_and_what_is_said_in_it_leave_nothing(log: LogLines, monkeypatch: pytest.MonkeyPatch) -> None:
    """SEC-05, ASR-01."""
    transcribe = importlib.import_module("functions.transcribe.app")
    monkeypatch.setattr(transcribe, "recogniser", embedded.recognise)
    case = Case()

    def recording(data: bytes) -> dict[str, Any]:
        disposition = f'Content-Disposition: form-data; name="audio"; filename="{MARKER}.wav"'
        upload_id = staged(part(f"{disposition}\r\nContent-Type: audio/wav", data) + END, case.user)
        event = authorised(case.payload("api_gateway_transcribe"))
        return event | {"path": event["path"].rpartition("/")[0] + f"/{upload_id}"}

    for data in (MARKER.encode(), b""):
        assert invoke("transcribe", recording(data)).status == 400
    monkeypatch.setattr(transcribe, "transcribe", lambda *_: unforeseen(*_))
    assert invoke("transcribe", recording(b"")).status == 500
    assert MARKER not in log.text


class Raising:
    """A runner that has private words for everything it does wrong."""

    async def run(self, context: AgentRunContext, api: AgentRunAPIProxy) -> AsyncGenerator[AgentRunResult]:
        def result(type_: str, **data: Any) -> AgentRunResult:
            return AgentRunResult(run_id=context.run_id, type=type_, data=data)

        yield result("message.delta", chunk={"role": "assistant", "content": MARKER})
        yield result("state.updated", scope="nowhere", key=MARKER, value=MARKER)
        yield result("tool.call.completed", tool_call_id=MARKER, tool_name=MARKER, result=MARKER)
        yield result("message.completed", message=MARKER)
        for model in ("nobody", "reading"):
            with suppress(AgentAPIException):
                await api.models.invoke(model, [{"role": "user", "content": MARKER}], extra_args={MARKER: MARKER})
        raise RuntimeError(f"no such kind: picture {MARKER} {context!r}") from ValueError(f"Bearer {MARKER}")


def test_what_a_failing_runner_says_is_not_logged(log: LogLines, monkeypatch: pytest.MonkeyPatch) -> None:
    """SEC-05, RNR-40."""
    install(monkeypatch, Raising)
    case = Case()
    invoke("submit_run", asking(case))
    work(case)
    assert runs.must_read(case.key).phase == "failed"
    (raised,) = [record for record in log.records if record["message"] == "the agent raised"]
    assert (raised["exception_name"], raised["run_key"]) == ("RuntimeError", case.key)
    assert "in run" in raised["exception"]
    assert raised["said"][0].startswith("RuntimeError: no such kind: picture […]")
    assert raised["said"][1] == "ValueError: [secret]"
    assert MARKER not in log.text


@pytest.fixture
def provider(monkeypatch: pytest.MonkeyPatch) -> Iterator[ModelServer]:
    """Yield the provider of the model `reading`."""
    with serving() as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.address)
        monkeypatch.setenv("OPENAI_API_KEY", MARKER)
        monkeypatch.setattr(opinion, "SECONDS", 60.0)  # or a busy machine gives its answer to the next request
        monkeypatch.setattr(attempts, "FIRST_WAIT_SECONDS", 0.01)
        monkeypatch.setitem(settings.models, "reading", OpenAI().model)
        yield server


@pytest.mark.parametrize("status", [200, 400, 401, 429, 500])
def test_what_a_model_is_told_or_says_is_not_logged(status: int, provider: ModelServer, log: LogLines) -> None:
    """SEC-05, RNR-62: Its key is not logged either."""
    wire = OpenAI()
    provider.will(wire.whole(MARKER) if status == 200 else wire.refused(status, MARKER))
    case = Case()
    invoke("submit_run", asking(case))
    work(case)
    assert MARKER in json.dumps(provider.last_body)
    assert runs.must_read(case.key).phase == "finished"
    assert MARKER not in log.text
