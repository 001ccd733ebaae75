"""What a run's models were asked and answered, and what it was refused, is kept for its author where that is wanted."""

import json
from collections.abc import AsyncGenerator
from dataclasses import replace
from typing import Any

import pytest

from tests.support.divination_runs import ALICE, BOB, THREAD, execute, submit
from tests.support.models.provider_formats import OpenAI
from tests.support.models.server import ModelServer
from tests.support.runners.scripted import completed, install
from yarrow.agents.bindings import deployed
from yarrow.observability import redaction
from yarrow.protocol.problems import Code, Problem
from yarrow.protocol.response_body import to_json
from yarrow.protocol.runner.api import (
    AgentAPIException,
    FunctionCall,
    ModelMessage,
    ModelReasoning,
    ModelRequest,
    ModelTool,
    ModelToolCall,
)
from yarrow.protocol.runner.models import AgentRunContext, AgentRunResult
from yarrow.protocol.runner.proxy import AgentRunAPIProxy
from yarrow.runs.delete_session import delete_session
from yarrow.runs.diagnose_run import diagnose_run
from yarrow.runs.list_steps import list_steps
from yarrow.services import contents
from yarrow.settings import settings
from yarrow.store import runs, sessions, table
from yarrow.store.runner import contents as store

pytestmark = [pytest.mark.usefixtures("aws"), pytest.mark.memory]

OPERATOR = replace(ALICE, operates=True)
KEY = "sk-0123456789abcdef0123"
SIGNATURE = "c2lnbmF0dXJlIG9mIGEgcHJvdmlkZXI="
ASKED = (
    ModelMessage(role="system", content=f"Be brief. The key is {KEY}."),
    ModelMessage(
        role="assistant",
        content="Let me see.",
        reasoning=(ModelReasoning(content="They want a word.", encrypted_value=SIGNATURE),),
        tool_calls=(ModelToolCall(id="c-1", function=FunctionCall(name="look", arguments='{"at": "it"}')),),
    ),
    ModelMessage(role="tool", content="seen", tool_call_id="c-1", name="look"),
    ModelMessage(
        role="user", content=({"type": "text", "text": "One word?"}, {"type": "artifact", "artifact_id": "a"})
    ),
)
TOOL = ModelTool(name="look", description="Looks.", parameters={"type": "object", "properties": {}})


class Asks:
    """A runner that asks a model twice, once by a stream, and calls a tool that it was not granted."""

    streams = False

    async def run(self, context: AgentRunContext, api: AgentRunAPIProxy) -> AsyncGenerator[AgentRunResult]:
        asked = [ASKED[0], ModelMessage(role="user", content="One word?")]
        if self.streams:
            text = ""
            async for chunk in api.models.stream("reading", asked, tools=[TOOL]):
                text += chunk.content or ""
        else:
            reply = await api.models.invoke("reading", asked, tools=[TOOL], extra_args={"temperature": 0.5})
            text = str(reply.message.content)
        for _ in range(2):
            try:
                await api.tools.call("transfer", {"amount": 900})
            except AgentAPIException as error:
                text += f" {error.code}"
        kind, data = completed(text)
        yield AgentRunResult(run_id=context.run_id, type=kind, data=data)
        yield AgentRunResult(run_id=context.run_id, type="run.completed", data={})


@pytest.fixture(autouse=True)
def wanted(aws: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(settings.__dict__, "shows_exceptions", False)
    monkeypatch.setitem(settings.__dict__, "keeps_contents", True)


def told(step: str | None = None) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(to_json(diagnose_run(OPERATOR, THREAD, "run-1", step)))
    return found


def worked(monkeypatch: pytest.MonkeyPatch, runner: type[Asks] = Asks) -> str:
    install(monkeypatch, runner)
    execute(submit().task_id)
    return list_steps("alice", THREAD, "run-1").steps[0].id


@pytest.mark.parametrize("streams", [False, True], ids=["whole", "streamed"])
def test_the_author_is_told_what_a_model_was_asked_and_answered(
    provider: ModelServer, monkeypatch: pytest.MonkeyPatch, streams: bool
) -> None:
    """STP-10: messages, tools and options, the answer and why it ended; without secrets."""
    provider.will(
        OpenAI().streamed(*OpenAI().begun("Yes", "."), *OpenAI().ended()) if streams else OpenAI().whole("Yes.")
    )
    monkeypatch.setattr(Asks, "streams", streams)
    call = told(worked(monkeypatch))["call"]
    assert [(message["role"], message["text"]) for message in call["messages"]] == [
        ("system", f"Be brief. The key is {redaction.REDACTED}."),
        ("user", "One word?"),
    ]
    assert [(tool["name"], tool["description"]) for tool in call["tools"]] == [("look", "Looks.")]
    assert json.loads(call["tools"][0]["parameters"]) == TOOL.parameters
    assert call["options"] == ({} if streams else {"temperature": 0.5})
    assert (call["answer"]["text"], call["finishReason"], call["attempt"]) == ("Yes.", "stop", 1)


def test_a_refusal_has_the_name_of_the_tool_and_the_reason_once(
    provider: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """STP-10: beside what the run was granted; this runner may call no tool at all."""
    provider.will(OpenAI().whole("Yes."))
    worked(monkeypatch)
    found = told()
    (refused,) = found["refusals"]
    assert (refused["action"], refused["name"], refused["code"]) == ("tools.call", "transfer", "unauthorized")
    assert refused["message"]
    assert "reading" in found["granted"]["models"]
    assert "transfer" not in [tool["name"] for tool in found["granted"]["tools"]]
    assert "call" not in found


def test_a_call_that_failed_has_its_prompt_and_its_error(
    provider: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """STP-10."""
    provider.will(OpenAI().refused(400, "no"))
    call = told(worked(monkeypatch))["call"]
    assert call["error"]["code"] == "invalid_argument"
    assert call["messages"][1]["text"] == "One word?"
    assert "answer" not in call


def test_only_the_author_of_a_run_of_their_own_is_told(provider: ModelServer, monkeypatch: pytest.MonkeyPatch) -> None:
    """STP-10, SEC-03, SES-01: and nobody, once the session is deleted."""
    provider.will(OpenAI().whole("Yes."))
    step = worked(monkeypatch)
    for caller in (ALICE, BOB, replace(BOB, operates=True)):
        with pytest.raises(Problem) as caught:
            diagnose_run(caller, THREAD, "run-1", step)
        assert caught.value.code is Code.AGENT_FORBIDDEN
    delete_session("alice", THREAD)
    with pytest.raises(Problem) as caught:
        diagnose_run(OPERATOR, THREAD, "run-1", step)
    assert caught.value.code is Code.AGENT_SESSION_NOT_FOUND


def stored_contents() -> list[str]:
    """The sort keys of what is kept of the run's calls."""
    partition = table.run_key_of(runs.key_of("alice", THREAD, "run-1"))["pk"]
    keys = [str(item["sk"]) for item in table.query(partition, start="A", before="~", attributes=("sk",))]
    return [key for key in keys if key.startswith(("CONTENTS#", "REFUSED#"))]


def test_what_was_kept_is_deleted_with_the_session(provider: ModelServer, monkeypatch: pytest.MonkeyPatch) -> None:
    """STP-10, SES-01: it does not wait for its 30 days."""
    provider.will(OpenAI().whole("Yes."))
    worked(monkeypatch)
    assert {key.partition("#")[0] for key in stored_contents()} == {"CONTENTS", "REFUSED"}
    delete_session("alice", THREAD)
    assert stored_contents() == []


def test_what_a_worker_keeps_after_the_deletion_is_deleted_by_it(
    provider: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """STP-10, SES-04: the worker of a deleted session goes on until it notices."""
    provider.will(OpenAI().whole("Yes."))
    kept = store.keep

    def keep_late(log_key: str, contents: store.CallContents) -> None:
        delete_session("alice", THREAD)
        kept(log_key, contents)

    monkeypatch.setattr(store, "keep", keep_late)
    install(monkeypatch, Asks)
    execute(submit().task_id)
    assert sessions.must_read(THREAD).deleted_at is not None
    assert stored_contents() == []


@pytest.mark.parametrize(
    ("deployment", "block", "kept"), [(False, None, False), (False, True, True), (True, False, False)]
)
def test_nothing_is_kept_unless_the_deployment_or_the_agents_block_wants_it(
    provider: ModelServer, monkeypatch: pytest.MonkeyPatch, deployment: bool, block: bool | None, kept: bool
) -> None:
    """STP-10: the block has the last word."""
    provider.will(OpenAI().whole("Yes."))
    monkeypatch.setitem(settings.__dict__, "keeps_contents", deployment)
    binding = deployed()["divination"]
    policy = binding.policy.model_copy(update={"keeps_contents": block})
    monkeypatch.setitem(deployed(), "divination", replace(binding, _policy=policy))
    step = worked(monkeypatch)
    found = told(step)
    assert ("call" in found, found["keepsContents"], bool(found["refusals"])) == (kept, kept, kept)
    run_key = submit().task_id
    assert (store.read(run_key, step) is not None, len(store.refusals(run_key))) == (kept, int(kept))
    assert found["granted"]["models"]


def test_a_failure_to_keep_fails_no_call(provider: ModelServer, monkeypatch: pytest.MonkeyPatch) -> None:
    """STP-10: the run is worth more than what is told of it."""
    provider.will(OpenAI().whole("Yes."))

    def fails(*_: object) -> None:
        raise OSError("busy")

    for name in ("keep", "refuse"):
        monkeypatch.setattr(store, name, fails)
    step = worked(monkeypatch)
    assert list_steps("alice", THREAD, "run-1").steps[0].outcome == "ok"
    assert "call" not in told(step)


def test_pictures_and_signatures_are_left_out() -> None:
    """STP-10: of what a provider knows its reasoning again by, and of a picture's bytes, nothing is kept."""
    url = "data:image/png;base64,iVBORw0KGgoAAAANSUhEUg"
    pictured = ModelMessage(role="user", content=({"type": "image_url", "image_url": {"url": url}},))
    request = ModelRequest(run_id="r", model_id="m", messages=(*ASKED, pictured))
    kept = contents.contents_of(request, None)
    text = json.dumps(kept)
    assert SIGNATURE not in text
    assert "iVBOR" not in text
    assert kept["messages"][1] == {
        "role": "assistant",
        "text": "Let me see.",
        "reasoning": "They want a word.",
        "calls": [{"name": "look", "arguments": '{"at": "it"}'}],
    }
    assert [message["text"] for message in kept["messages"][3:]] == ["One word?\n[artifact]", "[image_url]"]


def test_what_is_kept_is_bounded() -> None:
    """STP-10: the first message and the latest stay, and what is left out is counted."""
    messages = tuple(ModelMessage(role="user", content=f"{number} " + "字" * 20_000) for number in range(30))
    tools = tuple(ModelTool(name=f"t{number}", parameters={"x": "y" * 40_000}) for number in range(60))
    request = ModelRequest(run_id="r", model_id="m", messages=messages, tools=tools)
    kept = contents.contents_of(request, None)
    assert len(json.dumps(kept, ensure_ascii=False).encode()) < 256 * 1024
    assert kept["messages"][0]["text"].startswith("0 ")
    assert kept["messages"][-1]["text"].startswith("29 ")
    assert len(kept["messages"]) + kept["left_out"] == 30
    assert len(kept["tools"]) + kept["tools_left_out"] == 60
    assert all(len(message["text"]) == contents.MAX_TEXT and message["cut"] > 0 for message in kept["messages"])


def test_refusals_of_a_run_are_bounded() -> None:
    """STP-10: each has a place, of which there are 64; the first in it stays."""
    for number in range(200):
        place = store.place_of("tools.call", f"tool {number}", "not_found")
        at = f"2026-09-21T13:33:{number % 60:02d}.000+00:00"
        store.refuse("r" * 36, store.Refusal(place, 1, at, "tools.call", "not_found", "no", f"tool {number}"))
    found = store.refusals("r" * 36)
    assert 30 < len(found) <= store.MAX_REFUSALS
    assert len({refusal.place for refusal in found}) == len(found)
    first = store.place_of("tools.call", "tool 0", "not_found")
    assert [refusal.name for refusal in found if refusal.place == first] == ["tool 0"]


def test_what_cannot_be_kept_fails_no_call(provider: ModelServer, monkeypatch: pytest.MonkeyPatch) -> None:
    """STP-10: the run is the user's, and what its author reads only tells of it."""

    def fails(*_: object) -> None:
        raise ValueError

    monkeypatch.setattr(contents, "contents_of", fails)
    provider.will(OpenAI().whole("Yes."))
    step = worked(monkeypatch)
    assert "call" not in told(step)
    assert list_steps("alice", THREAD, "run-1").steps[0].outcome == "ok"
