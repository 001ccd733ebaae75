"""Runs as tasks of clients that declare the extension."""

from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any

import pytest

from tests.support.functions.payloads import Case
from tests.support.mcp_client import McpClient
from tests.support.runners.asking import Asker, choice, confirm, form, in_words
from tests.support.runners.scripted import DONE, Use, completed, delta, install
from yarrow.mcp_server.tasks import EXTENSION
from yarrow.runs import delete_session
from yarrow.store import runs

pytestmark = [pytest.mark.usefixtures("aws"), pytest.mark.memory]

TASKS: dict[str, Any] = {"extensions": {EXTENSION: {}}}


@pytest.fixture
def client() -> McpClient:
    return McpClient(capabilities=TASKS)


@pytest.fixture
def asked() -> McpClient:
    return McpClient(capabilities={**TASKS, "elicitation": {"form": {}}})


def begun(client: McpClient) -> str:
    result = client.call("ask_assistant", message="Hi").result
    assert (result["resultType"], result["status"]) == ("task", "working")
    return str(result["taskId"])


def task(client: McpClient, task_id: str) -> dict[str, Any]:
    return client.request("tasks/get", {"taskId": task_id}).result


def test_a_call_is_answered_with_a_task_that_has_its_result_in_the_end(client: McpClient, use: Use) -> None:
    """MCP-02: it is there as soon as it is told."""
    use(delta("Hello."), DONE)
    task_id = begun(client)
    working = task(client, task_id)
    assert (working["resultType"], working["status"], "result" in working) == ("complete", "working", False)
    assert {"createdAt", "lastUpdatedAt", "ttlMs", "pollIntervalMs"} <= working.keys()
    client.work()
    done = task(client, task_id)
    assert (done["status"], done["result"]["isError"]) == ("completed", False)
    assert done["result"]["structuredContent"]["answer"] == "Hello."
    assert "resultType" not in done["result"]


def test_a_failed_run_completes_its_task_with_an_error(client: McpClient, use: Use) -> None:
    """MCP-02: `failed` is for errors of the protocol."""
    use(RuntimeError("SECRET"))
    task_id = begun(client)
    client.work()
    done = task(client, task_id)
    assert (done["status"], done["result"]["isError"]) == ("completed", True)


def test_a_task_is_cancelled(client: McpClient, use: Use) -> None:
    """MCP-02, CAN-01."""
    use(completed("Never."), DONE)
    task_id = begun(client)
    assert client.request("tasks/cancel", {"taskId": task_id}).result["resultType"] == "complete"
    assert task(client, task_id)["status"] == "cancelled"
    assert runs.must_read(task_id).phase == "canceled"


def test_a_task_that_has_ended_stays_as_it_is(client: McpClient, use: Use) -> None:
    """MCP-02: a cancel that comes late is acknowledged."""
    use(completed("Done."), DONE)
    task_id = begun(client)
    client.work()
    client.request("tasks/cancel", {"taskId": task_id})
    assert task(client, task_id)["status"] == "completed"


@pytest.mark.parametrize("method", ["tasks/get", "tasks/update", "tasks/cancel"])
def test_a_task_is_its_users_alone(method: str, client: McpClient, use: Use) -> None:
    """MCP-02, SEC-03: one that is not theirs is unknown, as one that is none."""
    use(completed("Done."), DONE)
    task_id = begun(client)
    mallory = replace(client, case=Case(user="mallory"))
    for other, name in ((mallory, task_id), (client, "0"), (client, "550e8400-e29b-41d4-a716-446655440001")):
        reply = other.request(method, {"taskId": name, "inputResponses": {}})
        assert reply.error == (400, -32602, "unknown task")
    assert runs.must_read(task_id).phase == "queued"


def test_a_task_of_a_deleted_session_is_unknown(client: McpClient, use: Use) -> None:
    """MCP-02, SES-01."""
    use(completed("Done."), DONE)
    task_id = begun(client)
    delete_session.delete_session(client.case.user, runs.must_read(task_id).thread_id)
    assert client.request("tasks/get", {"taskId": task_id}).error == (400, -32602, "unknown task")


@pytest.mark.parametrize("method", ["tasks/get", "tasks/update", "tasks/cancel"])
def test_who_does_not_declare_the_extension_is_told(method: str, client: McpClient, use: Use) -> None:
    """MCP-02."""
    use(completed("Done."), DONE)
    task_id = begun(client)
    status, code, _ = replace(client, capabilities={}).request(method, {"taskId": task_id}).error
    assert (status, code) == (400, -32021)
    assert replace(client, version="2025-11-25").request(method, {"taskId": task_id}).error[1] == -32601


ANSWERS = pytest.mark.parametrize(
    ("act", "content", "said"),
    [
        (confirm, {"approved": True}, "answered"),
        (confirm, {"approved": False}, "refused"),
        (choice, {"answer": "left"}, "left"),
        (in_words, {"answer": "Bob"}, "Bob"),
        (form, {"seats": 2}, '{"seats": 2}'),
    ],
)


@ANSWERS
def test_a_question_is_asked_and_the_task_goes_on_with_its_answer(
    act: Callable[..., Awaitable[Any]], content: Any, said: str, asked: McpClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """MCP-02, ASK-01: in a run that continues the first, under the same task."""
    install(monkeypatch, lambda: Asker(act))
    task_id = begun(asked)
    asked.work()
    waiting = task(asked, task_id)
    assert waiting["status"] == "input_required"
    ((name, request),) = waiting["inputRequests"].items()
    assert (request["method"], request["params"]["mode"]) == ("elicitation/create", "form")
    assert request["params"]["requestedSchema"]["type"] == "object"
    assert task(replace(asked, capabilities=TASKS), task_id)["result"]["structuredContent"]["status"] == "interrupted"
    answered = {"taskId": task_id, "inputResponses": {name: {"action": "accept", "content": content}, "x": {}}}
    assert asked.request("tasks/update", answered).result["resultType"] == "complete"
    assert task(asked, task_id)["status"] == "working"
    asked.work()
    done = task(asked, task_id)
    assert done["status"] == "completed"
    assert said in done["result"]["structuredContent"]["answer"]
    asked.request("tasks/update", answered)
    assert task(asked, task_id) == done


@pytest.mark.parametrize(
    "responses",
    [
        None,
        [],
        {"ID": None},
        {"ID": {}},
        {"ID": {"action": "accept"}},
        {"ID": {"action": "accept", "content": {"x": 1}}},
    ],
)
def test_an_answer_that_does_not_match_is_refused(
    responses: Any, asked: McpClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """MCP-02, ASK-04: the question stays open."""
    install(monkeypatch, lambda: Asker(confirm))
    task_id = begun(asked)
    asked.work()
    ((name, _),) = task(asked, task_id)["inputRequests"].items()
    sent = {name: responses["ID"]} if isinstance(responses, dict) else responses
    reply = asked.request("tasks/update", {"taskId": task_id, "inputResponses": sent})
    assert reply.error[:2] == (400, -32602)
    assert task(asked, task_id)["status"] == "input_required"
