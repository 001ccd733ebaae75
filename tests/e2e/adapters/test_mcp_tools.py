"""MCP-01: the assistant uses tools of MCP servers, of both eras, with secrets and approvals, on the local stack."""

import json
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from tests.e2e.adapters.counted_runs import answered, watched
from tests.support.mcp_servers import BOOK, PHOTO, SEAT, WAIT, McpServerFake, listening
from tests.support.stack.app import App
from tests.support.stack.process import running
from tests.support.stack.runs import submit

AGENTS = """
agents:
  helper:
    runner: plugin:yarrow/assistant/default
    input: assistant
    modes: {{ chat: {{}} }}
    resources: {{ models: [chat] }}
    config: {{ model: chat }}
    mcp:
      calc:
        url: "{new}"
        headers: {{ Authorization: {{ secret: calc }} }}
        tools: [add, {{ id: say.hello, approval: always }}, fail, gone, book, photo, {{ id: wait, retry: safe }}]
      old: {{ url: "{old}", tools: [add] }}
      dead: {{ url: "http://127.0.0.1:1/mcp", tools: [add] }}
      inside: {{ url: "http://169.254.169.254/mcp", tools: [add] }}
"""


class Stack(NamedTuple):
    user: App
    new: McpServerFake
    old: McpServerFake

    def call(self, tool: str, **arguments: Any) -> list[dict[str, Any]]:
        """The events of a run in which the model calls a tool."""
        thread = str(uuid.uuid4())
        submit(self.user, "helper", thread, "run-1", f"/call {tool} {json.dumps(arguments)}")
        return watched(self.user, thread, "run-1")


@pytest.fixture(scope="module")
def stack(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stack]:
    new, old = McpServerFake(streams=True), McpServerFake(legacy=True)
    new.tools += [BOOK, PHOTO, WAIT]
    file = tmp_path_factory.mktemp("agents") / "agents.yaml"
    with listening(new) as new_url, listening(old) as old_url:
        file.write_text(AGENTS.format(new=new_url, old=old_url), encoding="utf-8")
        environment = {
            "SYSTEM_AGENTS": str(file),
            "DEFAULT_AGENT": "helper",
            "RUNNER_SECRET_CALC": "Bearer of calc",
        }
        with running(environment=environment) as url:
            user = App(url, "alice")
            yield Stack(user, new, old)
            user.http.close()


def result(events: list[dict[str, Any]]) -> Any:
    (one,) = (event["content"] for event in events if event["type"] == "TOOL_CALL_RESULT")
    try:
        return json.loads(one)
    except ValueError:
        return one


def calls(server: McpServerFake) -> list[dict[str, Any]]:
    return [message["params"] for message in server.messages if message["method"] == "tools/call"]


def test_a_tool_of_a_server_is_called(stack: Stack) -> None:
    """MCP-01."""
    events = stack.call("calc_add", a=1, b=2)
    assert result(events) == {"sum": 3}
    assert events[-1]["type"] == "RUN_FINISHED"
    assert calls(stack.new)[-1]["arguments"] == {"a": 1, "b": 2}
    assert {headers["authorization"] for headers in stack.new.headers} == {"Bearer of calc"}


def test_a_server_of_an_older_revision_works_too(stack: Stack) -> None:
    assert result(stack.call("old_add", a=2, b=3)) == {"sum": 5}


def test_wrong_arguments_reach_no_server(stack: Stack) -> None:
    before = len(calls(stack.new))
    answer = result(stack.call("calc_add", a="one", b=2))
    assert answer == {"error": "parameters: do not match the tool's schema: $.a: 'one' is not of type 'integer'"}
    assert len(calls(stack.new)) == before


def test_a_failure_of_the_tool_is_its_answer(stack: Stack) -> None:
    assert result(stack.call("calc_fail")) == {"error": "it is broken"}


@pytest.mark.parametrize(
    ("tool", "why"),
    [("dead_add", "dead: the server cannot be reached"), ("inside_add", "inside: the server is not a public host")],
)
def test_a_server_that_cannot_be_asked_costs_one_clear_error(stack: Stack, tool: str, why: str) -> None:
    """The run goes on, with the other servers' tools."""
    events = stack.call(tool)
    assert why in str(events)
    assert events[-1]["type"] == "RUN_FINISHED"


def test_a_tool_that_its_server_lacks_is_not_offered(stack: Stack) -> None:
    assert result(stack.call("calc_add", a=1, b=1)) == {"sum": 2}
    assert "calc_gone" not in str(stack.call("calc_gone")[-1])


def test_a_call_that_needs_approval_waits_for_the_user(stack: Stack) -> None:
    """ASK-06: also for a tool whose name had to be changed for models."""
    before, thread = len(calls(stack.new)), str(uuid.uuid4())
    submit(stack.user, "helper", thread, "run-1", "/call " + named("say.hello") + " {}")
    events = watched(stack.user, thread, "run-1")
    (interrupt,) = events[-1]["outcome"]["interrupts"]
    assert len(calls(stack.new)) == before
    run_id = answered(stack.user, interrupt["id"], {"approved": True})
    events = watched(stack.user, thread, run_id)
    assert str(result(events)).startswith("hello")
    assert calls(stack.new)[-1]["name"] == "say.hello"


def test_progress_is_an_activity_until_the_result(stack: Stack) -> None:
    """MCP-01: of a call that goes on, its viewers see how far it is; it is shown once, and changes."""
    events = stack.call("calc_add", a=1, b=2)
    (call,) = (event["toolCallId"] for event in events if event["type"] == "TOOL_CALL_START")
    shown = [event for event in events if event["type"] == "ACTIVITY_SNAPSHOT"]
    running = {
        "server": "calc",
        "tool": "calc_add",
        "toolCallId": call,
        "progress": 1,
        "total": 2,
        "message": "Half of it",
    }
    assert [event["content"] for event in shown] == [
        {**running, "status": "running"},
        {**running, "status": "completed"},
    ]
    assert {event["activityType"] for event in shown} == {"YARROW_TOOL_PROGRESS"}
    assert len({event["messageId"] for event in shown}) == 1
    assert events.index(shown[-1]) < [event["type"] for event in events].index("TOOL_CALL_RESULT")


class TestPictures:
    """MCP-01: a picture of a result reaches the model and the client, and is the user's."""

    def test_the_model_sees_it_and_the_client_gets_its_handle(self, stack: Stack) -> None:
        events = stack.call("calc_photo")
        (answer,) = (event for event in events if event["type"] == "TOOL_CALL_RESULT")
        text, picture = answer["parts"]
        assert json.loads(text["text"]) == {"content": "Here it is:\n(image 1)", "structuredContent": {"width": 2}}
        assert json.loads(answer["content"])["content"] == "Here it is:\n(image left out, for it cannot be opened here)"
        source = picture["source"]
        assert (picture["type"], source["type"], source["provider"]) == ("image", "file", "yarrow")
        assert source["mimeType"] == "image/png"
        assert "Pictures in the conversation: 1." in "".join(event.get("delta", "") for event in events)

    def test_it_is_kept_once_however_often_it_comes(self, stack: Stack) -> None:
        handles = {
            part["source"]["value"]
            for _ in range(2)
            for event in stack.call("calc_photo")
            if event["type"] == "TOOL_CALL_RESULT"
            for part in event["parts"][1:]
        }
        assert len(handles) == 2  # of two runs

    def test_a_worker_that_takes_over_shows_the_same(self, stack: Stack) -> None:
        """STP-02: the call is not made again, and the artifact is that of the step."""
        before, thread = len(calls(stack.new)), str(uuid.uuid4())
        submit(stack.user, "helper", thread, "run-1", "/call calc_photo {}\n/call calc_wait {}")
        events = []
        for _, _, event in stack.user.watch(thread, "run-1"):
            events.append(event)
            if event["type"] == "TOOL_CALL_RESULT" and "parts" in event:
                assert stack.new.came.wait(30)
                stack.user.http.post("/local/kill", json={"function": "execute_run"}).raise_for_status()
                stack.new.gate.set()
        assert events[-1]["type"] == "RUN_FINISHED"
        assert "Pictures in the conversation: 1." in "".join(event.get("delta", "") for event in events)
        names = [call["name"] for call in calls(stack.new)[before:]]
        assert (names.count("photo"), names.count("wait")) == (1, 2)


class TestQuestionsOfAServer:
    """MCP-01, ASK-01: what a server has to know first is asked of the user; the call is repeated with the answer."""

    @staticmethod
    def asked(stack: Stack, thread: str) -> dict[str, Any]:
        """The question of a run that books."""
        submit(stack.user, "helper", thread, "run-1", "/call calc_book {}")
        (interrupt,) = watched(stack.user, thread, "run-1")[-1]["outcome"]["interrupts"]
        return dict(interrupt)

    def test_two_rounds_are_asked_and_made_once(self, stack: Stack) -> None:
        before, thread = len(calls(stack.new)), str(uuid.uuid4())
        seat = self.asked(stack, thread)
        assert (seat["message"], seat["metadata"]["server"]) == ("calc asks: Which seat?", "calc")
        assert seat["responseSchema"] == SEAT
        run_id = answered(stack.user, seat["id"], {"seat": "window"})
        (pay,) = watched(stack.user, thread, run_id)[-1]["outcome"]["interrupts"]
        assert pay["metadata"]["kind"] == "confirmation"
        run_id = answered(stack.user, pay["id"], {"approved": True})
        assert result(watched(stack.user, thread, run_id)) == "window, paid"
        made = calls(stack.new)[before:]
        assert [(call.get("requestState"), call.get("inputResponses")) for call in made] == [
            (None, None),
            ("asked for the seat", {"seat": {"action": "accept", "content": {"seat": "window"}}}),
            ("window", {"pay": {"action": "accept", "content": {}}}),
        ]

    def test_a_no_is_the_servers_to_understand(self, stack: Stack) -> None:
        thread = str(uuid.uuid4())
        run_id = answered(stack.user, self.asked(stack, thread)["id"], {"seat": "aisle"})
        (pay,) = watched(stack.user, thread, run_id)[-1]["outcome"]["interrupts"]
        run_id = answered(stack.user, pay["id"], {"approved": False})
        assert result(watched(stack.user, thread, run_id)) == "nothing was booked"
        assert calls(stack.new)[-1]["inputResponses"] == {"pay": {"action": "decline"}}

    def test_a_question_that_is_left_is_cancelled(self, stack: Stack) -> None:
        thread = str(uuid.uuid4())
        interrupt = self.asked(stack, thread)
        accepted = stack.user.http.post(f"/api/v1/agent/interrupts/{interrupt['id']}", json={"status": "cancelled"})
        assert result(watched(stack.user, thread, accepted.json()["runId"])) == "nothing was booked"
        assert calls(stack.new)[-1]["inputResponses"] == {"seat": {"action": "cancel"}}

    def test_an_older_revision_asks_nothing(self, stack: Stack) -> None:
        """Its server would hold the call's connection meanwhile; it is told that nobody can be asked."""
        stack.call("old_add", a=1, b=1)
        begun = next(message for message in stack.old.messages if message["method"] == "initialize")
        assert begun["params"]["capabilities"] == {}


def named(tool: str) -> str:
    from yarrow.agents.mcp_servers import tool_name

    return tool_name("calc", tool)


def test_secrets_are_in_no_event(stack: Stack) -> None:
    assert "Bearer of calc" not in str(stack.call("calc_add", a=1, b=2))


def test_the_servers_are_asked_once_for_their_tools(stack: Stack) -> None:
    """A process keeps the list for minutes."""
    for number in range(3):
        stack.call("calc_add", a=number, b=1)
    assert stack.new.methods.count("tools/list") <= 4  # one a process


def test_agents_that_name_no_server_have_no_such_tool(tmp_path: Path) -> None:
    from yarrow.agents.system_agents import load

    plain = tmp_path / "agents.yaml"
    plain.write_text(
        "agents:\n  a:\n    runner: plugin:yarrow/assistant/default\n    modes: { chat: {} }\n", encoding="utf-8"
    )
    assert load(plain)["a"].resources.tools == ()
