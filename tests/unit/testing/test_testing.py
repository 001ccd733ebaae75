"""What authors of agents test with: a model on loopback and a host in memory."""

import json
import subprocess
import sys
from collections.abc import AsyncGenerator
from typing import Any

import openai
import pytest

from yarrow.protocol.runner.api import AgentAPIException
from yarrow.protocol.runner.manifest import AgentRunnerManifest
from yarrow.protocol.runner.models import AgentRunContext, AgentRunResult, InstalledRunner
from yarrow.protocol.runner.proxy import AgentRunAPIProxy, StepFailedError
from yarrow.testing import Ran, call, fake_model, run
from yarrow.testing.__main__ import ANSWER, Script

pytestmark = pytest.mark.enable_socket
TOOL: Any = {"type": "function", "function": {"name": "look", "parameters": {"type": "object"}}}


def client(url: str) -> openai.OpenAI:
    return openai.OpenAI(base_url=url, api_key="none", max_retries=0)


@pytest.mark.parametrize("streamed", [True, False])
def test_the_official_client_gets_texts_and_calls_in_turn(streamed: bool) -> None:
    """Whole and streamed answers are the same; the last one is repeated."""
    with fake_model(call("look", city="Oslo"), "It is sunny.") as model, client(model.url) as ai:
        texts, calls = [], []
        for _ in range(3):
            made: Any = ai.chat.completions.create(
                model="any", messages=[{"role": "user", "content": "hi"}], tools=[TOOL], stream=streamed
            )
            chunks = [chunk.choices[0].delta for chunk in made if chunk.choices] if streamed else []
            messages = chunks or [made.choices[0].message]
            texts.append([message.content for message in messages if message.content])
            calls += [one.function for message in messages for one in message.tool_calls or ()]
    (made_call,) = calls
    assert (made_call.name, json.loads(made_call.arguments)) == ("look", {"city": "Oslo"})
    assert ["".join(pieces) for pieces in texts] == ["", "It is sunny.", "It is sunny."]
    assert not streamed or len(texts[1]) == 3  # word by word
    assert [request["messages"][0]["content"] for request in model.requests] == ["hi"] * 3


def test_another_api_of_openai_is_refused_by_name() -> None:
    with fake_model("x") as model, client(model.url) as ai, pytest.raises(openai.NotFoundError, match="/v1/responses"):
        ai.responses.create(model="any", input="hi")


class Everything:
    """Uses what a host offers, as the message says."""

    async def run(self, context: AgentRunContext, api: AgentRunAPIProxy) -> AsyncGenerator[AgentRunResult]:
        def say(text: str) -> AgentRunResult:
            chunk = {"role": "assistant", "content": text}
            return AgentRunResult(run_id=context.run_id, type="message.delta", data={"chunk": chunk})

        match context.input.text:
            case "model":
                messages = [{"role": "user", "content": "hi"}]
                async for piece in api.models.stream("chat", messages):
                    if piece.content:
                        yield say(piece.content)
                yield say((await api.models.invoke("chat", messages)).message.content)  # type: ignore[arg-type]
            case "tool":
                yield say(str(await api.tools.call("add", {"a": 1, "b": context.config["b"]})))
            case "ask":
                answer = await api.ask("Shall I?")
                yield say(f"{answer.status} {answer.is_yes}")
            case "step":
                with pytest.raises(StepFailedError, match="no luck"):
                    await api.step("fails", _fails)
                yield say(str(await api.step("adds", lambda: 1 + 1)))
                await api.sleep(seconds=3_600)
                assert await api.random() != await api.random()
            case "state":
                await api.state.set("conversation", "key", 7)
                yield say(str(await api.state.get("conversation", "key")))
                assert await api.state.delete("conversation", "key")
                assert not await api.state.delete("conversation", "key")
            case "whole":
                message = {"role": "assistant", "content": [{"type": "text", "text": "At once."}]}
                yield AgentRunResult(run_id=context.run_id, type="message.completed", data={"message": message})
            case "failure":
                failed = {"code": "acme.closed", "message": "We are closed."}
                yield AgentRunResult(run_id=context.run_id, type="run.failed", data=failed)
                yield say("never")
            case _:
                await api.history.page()


def _fails() -> None:
    raise LookupError("no luck")


MANIFEST = AgentRunnerManifest(id="plugin:tests/everything/default", name="default", label={"en_US": "Everything"})
RUNNER = InstalledRunner(MANIFEST, Everything)


@pytest.mark.parametrize(
    ("text", "given", "answer"),
    [
        ("model", {"models": ["Good morning.", " Bye."]}, "Good morning. Bye."),
        ("tool", {"tools": {"add": lambda a, b: a + b}, "config": {"b": 2}}, "3"),
        ("ask", {"answers": [True]}, "answered True"),
        ("ask", {"answers": [False]}, "refused False"),
        ("ask", {"answers": [None]}, "cancelled False"),
        ("step", {}, "2"),
        ("state", {}, "7"),
        ("whole", {}, "At once."),
    ],
)
def test_a_runner_runs_without_a_stack(text: str, given: dict[str, Any], answer: str) -> None:
    ran = run(RUNNER, text, **given)
    assert (ran.text, ran.failure) == (answer, None)


def test_a_failure_ends_the_run_and_is_told() -> None:
    ran = run(RUNNER, "failure")
    assert (ran.failure, ran.text) == ("acme.closed: We are closed.", "")


@pytest.mark.parametrize(
    ("text", "missing"),
    [
        ("model", "models= of the test has nothing more for chat to say"),
        ("tool", "tools= of the test has no add"),
        ("ask", "answers= of the test has nothing to say to: Shall I?"),
        ("history", "the host of a test has no history.page"),
    ],
)
def test_what_a_test_has_not_given_is_said(text: str, missing: str) -> None:
    with pytest.raises(AgentAPIException, match=missing):
        run(RUNNER, text, config={"b": 1})


def test_calls_of_the_host_are_kept() -> None:
    ran: Ran = run(RUNNER, "state")
    assert ran.calls[0] == ("state.set", {"scope": "conversation", "key": "key", "value": 7})


def test_a_command_runs_with_the_fake_model() -> None:
    code = (
        "import openai; print(openai.OpenAI().chat.completions.create(model='any', "
        "messages=[{'role': 'user', 'content': 'hi'}]).choices[0].message.content); raise SystemExit(3)"
    )
    command = [sys.executable, "-m", "yarrow.testing", sys.executable, "-c", code]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.stdout.strip(), done.returncode) == (ANSWER, 3), done.stderr


def asked(*messages: dict[str, Any]) -> Any:
    tools = [{"type": "function", "function": {"name": name}} for name in ("add", "clock")]
    return Script().next({"messages": [*messages], "tools": tools})


def test_the_script_calls_the_tool_that_a_user_names_and_says_what_it_returned() -> None:
    user = {"role": "user", "content": [{"type": "text", "text": 'Please /call add {"a": 2, "b": 3}'}]}
    assert asked(user) == call("add", a=2, b=3)
    assert asked(user, {"role": "tool", "content": "5"}) == "The tool returned: 5"
    assert asked({"role": "user", "content": "/call clock"}) == call("clock")
    assert asked({"role": "user", "content": "/call gone"}) == "The agent offers the model no tool gone."
    assert asked({"role": "user", "content": "/call add {2}"}).startswith("The arguments are not JSON")
    assert asked({"role": "user", "content": "hello"}) == ANSWER
