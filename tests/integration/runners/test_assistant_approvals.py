"""The assistant, a LangBot plugin and an AG-UI agent call tools that the user has to approve (ASK-06)."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.support.divination_runs import ALICE, THREAD, execute
from tests.support.journals import stored, text, types
from tests.support.runners.approving import TOOL, Bank, bank, install, results, submit
from tests.support.runners.asking import answered, interrupts_of
from yarrow.adapters.agui.agent import AguiAgent
from yarrow.protocol.runner.api import FunctionCall, ModelReply, ModelToolCall
from yarrow.protocol.runner.models import InstalledRunner
from yarrow.runners.langbot import langbot_plugin
from yarrow.runs import send_message
from yarrow.services.models.call import ModelCall
from yarrow.services.models.scripted import ScriptedModel
from yarrow.store import tool_use
from yarrow.store.limits import stream_slots
from yarrow.worker.invocation.isolation import IsolatedRunner
from yarrow.worker.invocation.registry import registry

pytestmark = [pytest.mark.usefixtures("aws"), pytest.mark.memory]

PLUGINS = Path(__file__).parent / "langbot_plugins"
RENT: dict[str, Any] = {"to": "landlord", "amount": 900}
TIP: dict[str, Any] = {"to": "waiter", "amount": 5}
YES = {"approved": True}
CONFIRM = {"name": "confirmAction", "description": "Asks the user.", "parameters": {"type": "object"}}


class Model:
    """The scripted model, which calls these tools round by round. `heard` are the messages of each request."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, *rounds: Sequence[tuple[str, dict[str, Any]]]) -> None:
        self.heard: list[list[str]] = []
        invoke = ScriptedModel.invoke

        async def call(model: ScriptedModel, call: ModelCall, seconds: float) -> ModelReply:
            reply = await invoke(model, call, seconds)
            self.heard.append([message.text for message in call.messages if message.role == "tool"])
            number = sum(bool(message.tool_calls) for message in call.messages)
            made = rounds[number] if number < len(rounds) else ()
            calls = tuple(
                ModelToolCall(id=f"c{index}", function=FunctionCall(name=name, arguments=json.dumps(arguments)))
                for index, (name, arguments) in enumerate(made)
            )
            return reply.model_copy(update={"message": reply.message.model_copy(update={"tool_calls": calls})})

        monkeypatch.setattr(ScriptedModel, "invoke", call)


def goes_on(run_key: str, payload: Any, at: int = 0) -> str:
    again = answered(interrupts_of(run_key)[at]["id"], payload).task_id
    execute(again)
    return again


def test_the_assistant_asks_in_two_rounds_and_calls_its_model_thrice(monkeypatch: pytest.MonkeyPatch) -> None:
    """ASK-06, STP-01: no answer of the model is asked for again, whatever run comes to it."""
    made = bank(monkeypatch, approval="always")
    model = Model(monkeypatch, [(TOOL, RENT)], [(TOOL, TIP)])
    first = submit()
    execute(first)
    second = goes_on(first, YES)
    assert made.made == [("landlord", 900)]
    third = goes_on(second, {"approved": False, "reason": "bad service"})
    assert made.made == [("landlord", 900)]
    assert len(model.heard) == 3
    assert "bad service" in model.heard[-1][-1]
    assert types(third)[-1] == "RUN_FINISHED"
    calls = [
        call
        for placed in tool_use.since(THREAD, 0, 100_000)
        for round_ in placed.tool_use.rounds
        for call in round_.calls
    ]
    assert ["bad service" in (call.result or "") for call in calls] == [False, True]


def test_the_model_reads_which_arguments_its_user_has_put_in_place(monkeypatch: pytest.MonkeyPatch) -> None:
    made = bank(monkeypatch, approval="always", allow_edit=True)
    model = Model(monkeypatch, [(TOOL, RENT)])
    first = submit()
    execute(first)
    goes_on(first, {"approved": True, "editedArgs": {"to": "landlord", "amount": 850}})
    assert made.made == [("landlord", 850)]
    read = json.loads(model.heard[-1][-1])
    assert read["arguments_as_edited_by_the_user"] == {"to": "landlord", "amount": 850}


def test_a_clients_tool_in_the_same_step_does_not_let_a_call_through(monkeypatch: pytest.MonkeyPatch) -> None:
    """ASK-06: the host's call waits for its approval, the client's for its result."""
    made = bank(monkeypatch, approval="always")
    Model(monkeypatch, [(TOOL, RENT), ("confirmAction", {})])
    question = {"id": "msg-1", "role": "user", "content": "Pay."}

    def sent(run_id: str, *messages: dict[str, Any], **members: Any) -> str:
        body = {"threadId": THREAD, "runId": run_id, "messages": messages, "tools": [CONFIRM], **members}
        accepted = send_message.send_message(json.dumps(body).encode(), ALICE, "assistant").subscription
        stream_slots.release(accepted.slot)
        execute(accepted.run_key)
        return accepted.run_key

    first = sent("run-1", question)
    (interrupt,) = interrupts_of(first)
    named = {
        event["toolCallName"]: event["toolCallId"] for event in stored(first) if event["type"] == "TOOL_CALL_START"
    }
    assert interrupt["toolCallId"] == named[TOOL]
    assert made.made == []
    entry = {"interruptId": interrupt["id"], "status": "resolved", "payload": YES}
    calls = [
        {"id": call_id, "type": "function", "function": {"name": name, "arguments": "{}"}}
        for name, call_id in named.items()
    ]
    asked = {"id": "a", "role": "assistant", "content": "", "toolCalls": calls}
    confirmed = {"id": "t", "role": "tool", "toolCallId": named["confirmAction"], "content": "confirmed"}
    # A client that runs its tool at once sends its result with the answer, and finds the call pending after it.
    second = sent("run-2", question, asked, confirmed, resume=[entry], protocolVersion="1.0")
    assert stored(second)[-1]["outcome"] == {"type": "success", "pendingToolCallIds": [named["confirmAction"]]}
    assert made.made == [("landlord", 900)]
    assert results(stored(second)).keys() == {named[TOOL]}
    third = sent("run-3", question, asked, confirmed, protocolVersion="1.0")
    assert types(third)[-1] == "RUN_FINISHED"
    assert text(third)


@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # the SDK's
def test_a_plugin_waits_as_any_runner(monkeypatch: pytest.MonkeyPatch) -> None:
    """ASK-06, CMP-02: it knows nothing of approvals."""
    made: Bank = bank(monkeypatch, approval="always")
    installed = langbot_plugin(PLUGINS / "calls_a_tool")
    isolated = InstalledRunner(installed.manifest, lambda: IsolatedRunner(installed.create()))
    monkeypatch.setattr(registry, "find", lambda _: isolated)
    first = submit()
    execute(first)
    assert made.made == []
    assert interrupts_of(first)[0]["toolCallId"] == "call-1"
    second = goes_on(first, YES)
    assert made.made == [("landlord", 900)]
    assert text(second) == "transferred 900"
    third = submit(runId="run-3", messages=[{"id": "msg-3", "role": "user", "content": "again"}])
    execute(third)
    assert text(goes_on(third, {"approved": False})) == "refused"


def test_an_agui_agents_calls_side_by_side_are_asked_about_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """ASK-06, AGT-01: the agent gets the results in a further request."""
    made = bank(monkeypatch, approval="always")
    bodies: list[dict[str, Any]] = []

    async def agent(body: dict[str, Any]) -> Any:
        bodies.append(body)
        answers = [message for message in body["messages"] if message["role"] == "tool"]
        yield {"type": "RUN_STARTED"}
        if not answers:
            for number, call in enumerate([RENT, TIP]):
                yield {"type": "TOOL_CALL_START", "toolCallId": f"t{number}", "toolCallName": TOOL}
                yield {"type": "TOOL_CALL_ARGS", "toolCallId": f"t{number}", "delta": json.dumps(call)}
                yield {"type": "TOOL_CALL_END", "toolCallId": f"t{number}"}
        else:
            yield {"type": "TEXT_MESSAGE_CHUNK", "messageId": "m", "delta": f"{len(answers)} results"}
        yield {"type": "RUN_FINISHED"}

    install(monkeypatch, AguiAgent(agent))
    first = submit()
    execute(first)
    rent, tip = interrupts_of(first)
    assert [rent["toolCallId"], tip["toolCallId"]] == ["t0", "t1"]
    second = goes_on(first, YES)
    third = goes_on(second, {"approved": False})
    assert made.made == [("landlord", 900)]
    assert text(third) == "2 results"
    assert len(bodies) == 2
