"""What an AG-UI client gets before a run ends with a question: the state and the conversation (ASK-02)."""

import json
from collections.abc import AsyncGenerator
from typing import Any

import pytest

from tests.support.agui.app import App, body
from tests.support.agui.client import AgUiClient, data_of, read
from tests.support.divination_runs import execute, submit
from tests.support.journals import stored, types
from tests.support.runners.asking import Asker, interrupts_of, said
from tests.support.runners.scripted import install
from yarrow.protocol.runner.models import AgentRunContext, AgentRunResult
from yarrow.protocol.runner.proxy import AgentRunAPIProxy
from yarrow.runs.send_message import session_id_of
from yarrow.store import runs
from yarrow.worker import continuation

pytestmark = [pytest.mark.usefixtures("aws"), pytest.mark.memory]

SYSTEM = {"id": "rules", "role": "system", "content": "Be brief."}
USER = {"id": "msg_1", "role": "user", "content": "Send it"}
STATE = {"mails": 0}
CALL = {"tool_call_id": "call_1", "tool_name": "send_mail", "parameters": {"to": "alice"}}


class Sender:
    """A runner that begins a tool call, changes the state, and asks twice."""

    async def run(self, context: AgentRunContext, api: AgentRunAPIProxy) -> AsyncGenerator[AgentRunResult]:
        def result(type_: str, **data: Any) -> AgentRunResult:
            return AgentRunResult(run_id=context.run_id, type=type_, data=data)

        def counted(mails: int) -> AgentRunResult:
            return result("state.delta", delta=[{"op": "replace", "path": "/mails", "value": mails}])

        yield said(context, "One moment.")
        yield result("tool.call.started", **CALL)
        yield counted(1)
        await api.ask("Shall I?")
        yield result("tool.call.completed", **CALL, result="sent")
        yield counted(2)
        await api.ask("Once more?")
        yield said(context, "Done.")


@pytest.fixture
def asks(app: App, monkeypatch: pytest.MonkeyPatch) -> App:
    """Have every run of an AG-UI client call that runner."""
    install(monkeypatch, Sender)
    return app


def first(app: App, **changes: Any) -> list[str]:
    request = body("run_1", SYSTEM, USER, state=STATE, protocolVersion="1.0", **changes)
    return data_of(app.post(request).body)


def resumed(app: App, run: str, question: str, *listed: dict[str, Any]) -> list[str]:
    entry = {"interruptId": question, "status": "resolved", "payload": {"approved": True}}
    return data_of(app.post(body(run, *listed, resume=[entry], protocolVersion="1.0")).body)


def question_of(lines: list[str]) -> str:
    """The id of the question that a stream ends with."""
    return str(json.loads(lines[-1])["outcome"]["interrupts"][0]["id"])


def before_snapshots(lines: list[str], *listed: dict[str, Any]) -> AgUiClient:
    client = AgUiClient()
    client.messages = list(listed)
    for line in lines[:-3]:
        client.take(line)
    return client


def golden(lines: list[str]) -> list[Any]:
    """The end of a stream, with the ids of its run in place of those that are made up."""
    text = "\n".join(lines[-3:-1])
    made_up = [message["id"] for message in json.loads(lines[-2])["messages"] if len(message["id"]) > 10]
    for number, name in enumerate(dict.fromkeys(made_up)):
        text = text.replace(name, f"<{number}>")
    return [json.loads(line) for line in text.split("\n")]


def test_a_run_that_asks_restates_state_and_conversation(asks: App) -> None:
    """ASK-02: what its client has is what it gets, beside what only the client has."""
    lines = first(asks)
    client = read(lines)
    assert client.end is not None
    assert client.end["outcome"]["type"] == "interrupt"
    shown = before_snapshots(lines, SYSTEM, USER)
    assert (client.messages, client.state) == (shown.messages, shown.state)
    function = {"name": "send_mail", "arguments": '{"to":"alice"}'}
    assert golden(lines) == [
        {"type": "STATE_SNAPSHOT", "snapshot": {"mails": 1}},
        {
            "type": "MESSAGES_SNAPSHOT",
            "messages": [
                SYSTEM,
                USER,
                {
                    "id": "<0>",
                    "role": "assistant",
                    "content": "One moment.",
                    "toolCalls": [{"id": "call_1", "type": "function", "function": function}],
                },
                {"id": "<1>", "role": "assistant", "content": "Shall I?"},
            ],
        },
    ]


def test_a_run_that_goes_on_and_asks_again_restates_both(asks: App) -> None:
    """ASK-02, ASK-03: a call of the run before has its result, once, though the client sent one of its own."""
    before = first(asks)
    listed = read(before).messages
    own = {"id": "own", "role": "tool", "toolCallId": "call_1", "content": '{"approved":true}'}
    lines = resumed(asks, "run_2", question_of(before), *listed, own)
    client = read(lines, "AGUI207")
    state, conversation = golden(lines)
    assert state == {"type": "STATE_SNAPSHOT", "snapshot": {"mails": 2}}
    assert [(entry["role"], entry.get("content")) for entry in conversation["messages"]] == [
        ("system", "Be brief."),
        ("user", "Send it"),
        ("assistant", "One moment."),
        ("assistant", "Shall I?"),
        ("user", "✓"),
        ("tool", "sent"),
        ("assistant", "Once more?"),
    ]
    assert client.messages[2]["toolCalls"][0]["id"] == client.messages[5]["toolCallId"] == "call_1"
    last = resumed(asks, "run_3", question_of(lines), *client.messages)
    assert [json.loads(line)["type"] for line in last if "SNAPSHOT" in line] == ["STATE_SNAPSHOT"]
    assert json.loads(last[-1])["type"] == "RUN_FINISHED"


def test_a_client_that_sends_only_an_answer_gets_all(asks: App) -> None:
    """ASK-02: what it left out of its list is not lost on its screen."""
    before = first(asks)
    lines = resumed(asks, "run_2", question_of(before))
    assert [message["role"] for message in json.loads(lines[-2])["messages"]] == [
        *("user", "assistant", "assistant", "user", "tool", "assistant")
    ]


@pytest.mark.parametrize("profile", ["agui", "snapshot"])
def test_whoever_joins_gets_the_same(asks: App, profile: str) -> None:
    """ASK-02, EVT-14: the state too, which the run before had."""
    before = first(asks)
    lines = resumed(asks, "run_2", question_of(before), *read(before).messages)
    session = session_id_of(asks.case.user, "thread_001")
    for run, told in (("run_1", before), ("run_2", lines)):
        joined = read(data_of(asks.watch(session, run, profile).body), "AGUI207")
        client = read(told, "AGUI207")
        assert joined.messages == [message for message in client.messages if message["role"] != "system"]
        assert (joined.state, joined.end["outcome"]["type"]) == (client.state, "interrupt")  # type: ignore[index]


def test_other_clients_runs_have_no_snapshots(monkeypatch: pytest.MonkeyPatch) -> None:
    async def act(_: Asker, api: AgentRunAPIProxy) -> Any:
        return await api.ask("Shall I?")

    install(monkeypatch, lambda: Asker(act))
    run = submit().task_id
    execute(run)
    assert interrupts_of(run)
    assert "MESSAGES_SNAPSHOT" not in types(run)


def test_a_conversation_that_is_too_long_is_not_restated(asks: App, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(continuation, "MAX_SNAPSHOT_BYTES", 100)
    lines = first(asks)
    assert not any("MESSAGES_SNAPSHOT" in line for line in lines)
    assert question_of(lines)


def test_a_worker_that_takes_over_restates_them_once(asks: App, monkeypatch: pytest.MonkeyPatch) -> None:
    """ASK-02, RNR-26: the one before died between the snapshots and the end."""
    finish = runs.finish
    deaths = iter([RuntimeError("the worker dies")])

    def dies(*arguments: Any) -> Any:
        for death in deaths:
            raise death
        return finish(*arguments)

    monkeypatch.setattr(runs, "finish", dies)
    key = runs.key_of(asks.case.user, session_id_of(asks.case.user, "thread_001"), "run_1")

    def work() -> None:
        with pytest.raises(RuntimeError, match="dies"):
            execute(key)
        execute(key)

    request = body("run_1", SYSTEM, USER, state=STATE)
    lines = data_of(asks.post(request, work).body)
    assert sum("MESSAGES_SNAPSHOT" in line for line in lines) == 1
    assert [event["type"] for event in stored(key)][-3:] == ["STATE_SNAPSHOT", "MESSAGES_SNAPSHOT", "RUN_FINISHED"]
    assert read(lines).state == {"mails": 1}
