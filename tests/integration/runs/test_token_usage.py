"""RUN_FINISHED and RUN_ERROR say what a run's models have used (EVT-31)."""

import asyncio
import json
from typing import Any

import pytest
from ag_ui.core import RunErrorEvent, RunFinishedEvent

from tests.support.divination_runs import ALICE, THREAD, end, execute, submit
from tests.support.journals import numbered, stored
from tests.support.models.provider_formats import USAGE, OpenAI
from tests.support.models.server import ModelServer
from tests.support.runners.asking import Asker, answered, interrupts_of
from tests.support.runners.scripted import Scripted, completed, install
from yarrow.packages import event_types
from yarrow.protocol.agui.events import Profile
from yarrow.protocol.response_body import to_json
from yarrow.protocol.runner.api import ModelMessage, ModelReply, ModelRequest, ModelUsage
from yarrow.protocol.runner.proxy import AgentRunAPIProxy
from yarrow.runs import end_run, get_history
from yarrow.runs.list_steps import list_steps
from yarrow.runs.token_usage import token_usage_of
from yarrow.services.steps.step_log import StepLog
from yarrow.settings import settings
from yarrow.store import runs

pytestmark = [pytest.mark.usefixtures("aws"), pytest.mark.memory]

ONE = {"model": "reading", "inputTokens": USAGE[0], "outputTokens": USAGE[1]}
OWN = {"provider": "p", "model": "m", "inputTokens": 3}
TWO = {"model": "reading", "inputTokens": 2 * USAGE[0], "outputTokens": 2 * USAGE[1]}


async def _model(api: AgentRunAPIProxy, text: str) -> ModelReply:
    return await api.models.invoke("reading", [ModelMessage(role="user", content=text)])


def _asks_models(monkeypatch: pytest.MonkeyPatch, act: Any) -> None:
    install(monkeypatch, lambda: Asker(act))


def _last(run_key: str) -> dict[str, Any]:
    """Return the end of a run, the same to AG-UI clients."""
    last = stored(run_key)[-1]
    sent = Profile(runs.must_read(run_key).ids, event_types.find, None, "1.0").line(numbered(run_key)[-1][1])
    assert sent is not None
    assert json.loads(sent).get("usage") == last.get("usage")
    model = RunFinishedEvent if json.loads(sent)["type"] == "RUN_FINISHED" else RunErrorEvent
    model.model_validate_json(sent)
    return last


def test_the_tokens_of_all_answers_are_summed_by_model(provider: ModelServer, monkeypatch: pytest.MonkeyPatch) -> None:
    """EVT-31, EVB-02: under the name that the run knows it by."""
    provider.will(OpenAI().whole("one"), OpenAI().whole("two"))

    async def act(_asker: Asker, api: AgentRunAPIProxy) -> str:
        return f"{(await _model(api, 'a')).message.content} {(await _model(api, 'b')).message.content}"

    _asks_models(monkeypatch, act)
    run_key = submit().task_id
    execute(run_key)
    assert _last(run_key)["usage"] == [TWO]


def test_a_step_tells_what_it_cost_by_the_deployments_prices(
    provider: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """STP-07, EVB-05: as the sums of a day tell it; without a price it has no cost."""
    provider.will(OpenAI().whole("one"))

    async def act(_asker: Asker, api: AgentRunAPIProxy) -> str:
        return str((await _model(api, "a")).message.content)

    _asks_models(monkeypatch, act)
    run_key = submit().task_id
    execute(run_key)

    def told() -> list[dict[str, Any]]:
        listed = json.loads(to_json(list_steps("alice", THREAD, "run-1")))
        return [step["usage"] for step in listed["steps"] if step["kind"] == "model"]

    (free,) = told()
    prices = {"currency": "EUR", "models": {"reading": {"input": 10, "output": 50}}}
    monkeypatch.setattr(settings, "model_prices", json.dumps(prices))
    (priced,) = told()
    assert priced == {**free, "cost": pytest.approx((USAGE[0] * 10 + USAGE[1] * 50) / 1e6), "currency": "EUR"}


def test_the_history_has_it_with_the_last_message_of_its_run(
    provider: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """EVB-02: a run with several messages is counted once, and a question has it too."""
    provider.will(OpenAI().whole("one"), OpenAI().whole("two"))

    async def act(_asker: Asker, api: AgentRunAPIProxy) -> str:
        await _model(api, "before")
        await api.ask("Shall I?")
        await _model(api, "after")
        return "done"

    _asks_models(monkeypatch, act)
    first = submit().task_id
    execute(first)
    execute(answered(interrupts_of(first)[0]["id"], {"approved": True}).task_id)
    for snapshot in (get_history.whole_session(THREAD, "alice"), get_history.day_of_session(ALICE, THREAD, None)):
        messages = [json.loads(to_json(message)) for message in snapshot.messages]
        told = sorted((message["seq"], message["content"], message.get("usage")) for message in messages)
        assert [usage for _, content, usage in told if usage] == [[ONE], [ONE]]
        assert [content for _, content, usage in told if usage] == ["Shall I?", "So be it: done"]


def test_a_message_of_a_run_without_models_has_none(monkeypatch: pytest.MonkeyPatch) -> None:
    """HIS-08."""
    install(monkeypatch, lambda: Scripted(completed("合适")))
    execute(submit().task_id)
    for message in get_history.whole_session(THREAD, "alice").messages:
        assert "usage" not in json.loads(to_json(message))


def test_a_run_that_goes_on_after_a_question_has_its_own(
    provider: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """EVT-31: so the sum over all runs counts each answer once."""
    provider.will(OpenAI().whole("one"), OpenAI().whole("two"))

    async def act(_asker: Asker, api: AgentRunAPIProxy) -> str:
        await _model(api, "before")
        await api.ask("Shall I?")
        await _model(api, "after")
        return "done"

    _asks_models(monkeypatch, act)
    first = submit().task_id
    execute(first)
    assert _last(first)["usage"] == [ONE]
    second = answered(interrupts_of(first)[0]["id"], {"approved": True}).task_id
    execute(second)
    assert _last(second)["usage"] == [ONE]


def test_the_answers_of_a_worker_that_died_count(provider: ModelServer, monkeypatch: pytest.MonkeyPatch) -> None:
    """EVT-31, STP-01: they are not made again, and were paid."""
    provider.will(OpenAI().whole("one"), OpenAI().whole("two"))
    lives = iter([True, False])

    async def act(_asker: Asker, api: AgentRunAPIProxy) -> str:
        await _model(api, "a")
        if next(lives):
            raise KeyboardInterrupt
        await _model(api, "b")
        return "done"

    _asks_models(monkeypatch, act)
    run_key = submit().task_id
    with pytest.raises(KeyboardInterrupt):
        execute(run_key)
    execute(run_key)
    assert _last(run_key)["usage"] == [TWO]


@pytest.mark.parametrize("reason", [None, end_run.CANCELED], ids=["by the agent", "by the user"])
def test_a_run_that_fails_or_is_cancelled_says_what_it_used(
    provider: ModelServer, monkeypatch: pytest.MonkeyPatch, reason: end_run.Reason | None
) -> None:
    """EVT-31: a cancelled one says so in RUN_FINISHED to AG-UI 1.0 clients."""
    provider.will(OpenAI().whole("one"))
    run_key = submit().task_id

    async def act(_asker: Asker, api: AgentRunAPIProxy) -> str:
        await _model(api, "a")
        if reason is not None:
            end_run.end_with_error(run_key, reason)
        raise RuntimeError("no")

    _asks_models(monkeypatch, act)
    execute(run_key)
    last = _last(run_key)
    assert (last["type"], last["usage"]) == ("RUN_ERROR", [ONE])


def test_a_run_that_no_worker_began_and_a_script_have_none(monkeypatch: pytest.MonkeyPatch) -> None:
    """EVT-31: what nobody reported is left out, not zero."""
    queued = submit().task_id
    end(queued)
    assert "usage" not in _last(queued)

    async def act(_asker: Asker, api: AgentRunAPIProxy) -> str:
        assert (await _model(api, "a")).scripted
        return "done"

    _asks_models(monkeypatch, act)
    run_key = submit(runId="run-2").task_id
    execute(run_key)
    assert "usage" not in _last(run_key)


def test_calls_of_a_remote_runner_are_found_in_the_store() -> None:
    """EVT-31: another process of the host answered them."""
    run_key = submit().task_id
    run = runs.claim(run_key)
    assert run is not None
    elsewhere = StepLog(run.log_key, run.attempt, recorded=None, run_key=run.key)
    request = ModelRequest(run_id=run.key, model_id="chat", messages=(ModelMessage(role="user", content="Hi"),))
    call = elsewhere.call("models.invoke", request, "chat", occurrence=1)
    assert call is not None
    used = ModelUsage(input_tokens=5, output_tokens=2, cached_input_tokens=4, reasoning_tokens=1)
    reply = ModelReply(message=ModelMessage(role="assistant", content="hi"), usage=used)

    async def make() -> dict[str, Any]:
        document: dict[str, Any] = reply.model_dump(mode="json")
        return document

    asyncio.run(elsewhere.make(call, make))
    assert token_usage_of(run) == (
        {"model": "chat", "inputTokens": 5, "outputTokens": 2, "reasoningTokens": 1, "cachedInputTokens": 4},
    )


@pytest.mark.parametrize(
    ("usage", "expected"),
    [
        (
            [{"provider": "p", "model": "m", "inputTokens": 3}, {"model": "m"}],
            [{"provider": "p", "model": "m", "inputTokens": 3}],
        ),
        ({"input_tokens": 3}, None),
        ("a lot", None),
    ],
)
@pytest.mark.parametrize("type_", ["run.completed", "run.failed"])
def test_a_runner_may_report_models_that_it_calls_itself(
    monkeypatch: pytest.MonkeyPatch, type_: str, usage: Any, expected: Any
) -> None:
    """EVT-31: in AG-UI's form; other notes of runners count for nothing."""
    install(monkeypatch, lambda: Scripted((type_, {"usage": usage})))
    run_key = submit().task_id
    execute(run_key)
    assert _last(run_key).get("usage") == expected
