"""A run's calls are made once, whatever worker goes on (STP-01)."""

import asyncio
import itertools
import json
from collections import Counter
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from contextlib import aclosing
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.run_contexts import run_context
from tests.support.runners.fake_services import MESSAGES, RUNNER, VALID, World, grant
from tests.support.runners.steps_in_memory import StepsInMemory
from yarrow.agents.grants import RunGrant
from yarrow.protocol.runner.api import (
    AgentAPIException,
    ModelChunk,
    ModelMessage,
    ModelReply,
    ModelUsage,
    StepBeginRequest,
)
from yarrow.protocol.runner.models import AgentRunContext, AgentRunResult
from yarrow.protocol.runner.proxy import AgentRunAPIProxy, StepFailedError
from yarrow.protocol.runner.resources import ToolResource
from yarrow.protocol.runner.tools import ToolContext
from yarrow.protocol.runner.turn import HandOver, Turn
from yarrow.services.api.run_api import RunApi
from yarrow.services.models.budget import TokenBudget
from yarrow.services.steps import step_log
from yarrow.services.steps.asking import RunQuestions
from yarrow.services.steps.step_log import StepLog
from yarrow.services.tools.registry import ToolRegistry
from yarrow.store import clock
from yarrow.store.runner.steps import Step
from yarrow.worker.run_steps import check_outcomes
from yarrow.worker.runner_loop import RunnerFailedError, TurnEndedError, read_results

Use = Callable[[AgentRunAPIProxy], Awaitable[Any]]


class Crash(BaseException):
    """The worker dies."""


class Run:
    """A run whose workers share a store; `reached` has what its calls reached, over all of them."""

    def __init__(self) -> None:
        self.store = StepsInMemory()
        self.world = World()
        self.attempts = 0

    @property
    def reached(self) -> list[tuple[str, tuple[Any, ...]]]:
        return self.world.reached

    def worker(self, use: Use) -> Any:
        """Return what a new worker's runner returns, or Crash."""
        self.attempts += 1
        self.store.attempts["run"] = self.attempts

        async def run() -> Any:
            log = StepLog("run", self.attempts, self.store.of("run"), self.store)
            api = RunApi(grant(), RUNNER, replace(self.world.services, steps=log))
            try:
                return await use(AgentRunAPIProxy("run", api)), [step.name for step in log.unused]
            finally:
                api.close()

        return asyncio.run(run())

    def crashed(self, use: Use) -> None:
        async def crashing(api: AgentRunAPIProxy) -> None:
            await use(api)
            raise Crash

        with pytest.raises(Crash):
            self.worker(crashing)


async def _everything(api: AgentRunAPIProxy) -> list[Any]:
    """Return what every kind of step returns."""
    await api.state.set("actor", "k", 1)
    await api.storage.set("plugin", "k", b"blob")
    await api.storage.delete("plugin", "k")
    return [
        (await api.models.invoke("llm", MESSAGES)).model_dump(),
        "".join([chunk.content or "" async for chunk in api.models.stream("llm", MESSAGES)]),
        [document.model_dump() for document in await api.models.rerank("ranker", "q", ["a", "b"])],
        await api.tools.call("echo", {"text": "hi"}),
        [retrieved_document.model_dump() for retrieved_document in await api.knowledge.retrieve("kb", "q")],
        await api.state.delete("actor", "k"),
        await api.now(),
        await api.random(),
        await api.uuid(),
        await api.step("pay", lambda: {"paid": 7}),
    ]


def test_a_worker_that_takes_over_makes_no_call_again() -> None:
    """STP-01, STP-04."""
    run = Run()
    first, _ = run.worker(_everything)
    reached = len(run.reached)
    again, unused = run.worker(_everything)
    assert (again, unused, len(run.reached)) == (first, [], reached)


def test_the_first_unfinished_call_goes_on_live() -> None:
    run = Run()

    async def first_half(api: AgentRunAPIProxy) -> None:
        await api.tools.call("echo", {"text": "one"})

    async def whole(api: AgentRunAPIProxy) -> list[Any]:
        return [await api.tools.call("echo", {"text": text}) for text in ("one", "two")]

    run.crashed(first_half)
    answers, _ = run.worker(whole)
    assert len(answers) == 2
    assert [name for name, _ in run.reached] == ["tools.call", "tools.call"]


def test_equal_calls_are_told_apart_by_their_order() -> None:
    run = Run()
    texts = iter("abcd")

    async def use(api: AgentRunAPIProxy) -> list[Any]:
        return [await api.step("draw", lambda: next(texts)) for _ in range(2)]

    assert run.worker(use)[0] == ["a", "b"]
    assert run.worker(use)[0] == ["a", "b"]


def test_calls_side_by_side_may_come_in_another_order() -> None:
    """STP-06: identity is the call itself."""
    run = Run()
    names = ("one", "two", "three")

    def use(order: Sequence[str]) -> Use:
        async def called(api: AgentRunAPIProxy) -> dict[str, Any]:
            made = await asyncio.gather(*(api.tools.call("echo", {"text": name}) for name in order))
            return dict(zip(order, made, strict=True))

        return called

    first, _ = run.worker(use(names))
    again, unused = run.worker(use(names[::-1]))
    assert (again, unused, len(run.reached)) == (first, [], 3)


def test_a_runner_that_does_not_repeat_itself_gets_no_record_of_another_call() -> None:
    """STP-06: it goes on live, and what it did not repeat is known."""
    run = Run()

    async def first(api: AgentRunAPIProxy) -> Any:
        return await api.models.invoke("llm", [{"role": "user", "content": "in March"}])

    async def other(api: AgentRunAPIProxy) -> Any:
        return await api.models.invoke("llm", [{"role": "user", "content": "in April"}])

    run.crashed(first)
    run.world.text = "another"
    reply, unused = run.worker(other)
    assert reply.message.content == "another"
    assert unused == ["llm"]


def test_a_failure_of_a_call_is_its_result() -> None:
    run = Run()

    async def use(api: AgentRunAPIProxy) -> str:
        try:
            await api.tools.call("echo", {"text": "hi"})
        except AgentAPIException as error:
            return f"{error.code} {error.message} {error.retryable}"
        return "answered"

    run.world.error = AgentAPIException("runtime_error", "the tool broke", retryable=True)
    first, _ = run.worker(use)
    run.world.error = None
    assert first == "runtime_error the tool broke True"
    assert run.worker(use)[0] == first


def test_a_sleep_lasts_no_longer_in_a_rerun() -> None:
    """STP-04: its end is stored when it begins."""
    run = Run()

    async def use(api: AgentRunAPIProxy) -> float:
        began = asyncio.get_running_loop().time()
        await api.sleep(seconds=0.2)
        return asyncio.get_running_loop().time() - began

    assert run.worker(use)[0] >= 0.19
    assert run.worker(use)[0] < 0.1
    assert [(step.action, json.loads(step.result or "").keys()) for step in run.store.of("run")] == [
        ("steps.sleep", {"until"})
    ]


def test_steps_and_sleeps_that_are_repeated_are_not_counted() -> None:
    """STP-01: else a run with many could not go on."""
    run = Run()
    slow = itertools.count()

    async def use(api: AgentRunAPIProxy) -> None:
        for _ in range(250):
            await api.step("work", lambda: 1)
            await api.sleep(datetime(2026, 4, 5, tzinfo=UTC))

    def worker(clock: Callable[[], float]) -> None:
        log = StepLog("run", 1, run.store.of("run"), run.store)
        api = RunApi(grant(), RUNNER, replace(run.world.services, steps=log), clock=clock)
        asyncio.run(use(AgentRunAPIProxy("run", api)))

    worker(lambda: float(next(slow)))
    worker(lambda: 0.0)


@pytest.mark.parametrize("given", [{}, {"seconds": 1, "until": datetime.now(UTC)}, {"until": datetime(2026, 4, 5)}])  # noqa: DTZ001
def test_a_sleep_has_one_end_in_a_time_zone(given: dict[str, Any]) -> None:
    with pytest.raises(AgentAPIException, match=r"^invalid_argument"):
        Run().worker(lambda api: api.sleep(**given))


def test_a_sleep_until_a_time_that_is_over_takes_none() -> None:
    Run().worker(lambda api: api.sleep(datetime.now(UTC) - timedelta(hours=1)))


def test_that_a_run_has_ended_is_no_result() -> None:
    """A worker that was replaced must not leave its refusal to the next one."""
    run = Run()

    async def use(api: AgentRunAPIProxy) -> str:
        try:
            await api.models.invoke("llm", MESSAGES)
        except AgentAPIException as error:
            return error.code
        return "answered"

    run.world.services = replace(run.world.services, is_active=lambda: False)
    assert run.worker(use)[0] == "unauthorized"
    run.world.services = replace(run.world.services, is_active=lambda: True)
    assert run.worker(use)[0] == "answered"


def test_what_was_stored_first_is_the_result_of_both() -> None:
    """A worker that was replaced in a call and its successor get the same."""
    run = Run()
    values = iter((1, 2))

    async def replaced(api: AgentRunAPIProxy) -> Any:
        async def draw() -> int:
            mine = next(values)
            await asyncio.to_thread(run.worker, lambda other: other.step("draw", lambda: next(values)))
            return mine

        return await api.step("draw", draw)

    assert run.worker(replaced)[0] == 2
    assert [json.loads(step.result or "") for step in run.store.of("run")] == [{"value": 2}]


# ---- Streams ---------------------------------------------------------------------------------------------------------
async def _streamed(api: AgentRunAPIProxy) -> list[ModelChunk]:
    return [chunk async for chunk in api.models.stream("llm", MESSAGES)]


def test_a_streamed_answer_is_given_again_in_fewer_pieces() -> None:
    run = Run()
    first, _ = run.worker(_streamed)
    again, _ = run.worker(_streamed)
    assert [chunk.content for chunk in first] == ["h", "i", None]
    assert [chunk.content for chunk in again] == ["hi", None]
    assert again[-1].reply == first[-1].reply


def test_a_streamed_answer_is_stored_before_its_last_piece_is_given() -> None:
    """Else the runner could act on an answer that no later worker has."""
    run = Run()

    async def use(api: AgentRunAPIProxy) -> None:
        async for chunk in api.models.stream("llm", MESSAGES):
            assert bool(run.store.of("run")) == (chunk.reply is not None)

    run.worker(use)


def test_an_answer_whose_worker_died_in_it_is_asked_for_again() -> None:
    run = Run()

    async def lost(api: AgentRunAPIProxy) -> None:
        """Without the clean end of a generator, as a process that is killed."""
        stream = api.models.stream("llm", MESSAGES)
        await anext(stream)
        api.transport.close()  # type: ignore[attr-defined]

    run.worker(lost)
    assert run.store.of("run") == []
    answer, _ = run.worker(_streamed)
    assert answer[-1].reply is not None


def test_an_answer_that_a_runner_of_another_process_closed_is_asked_for_again() -> None:
    """STP-01: its function may have died, and its successor needs the whole answer."""
    store, world = StepsInMemory(), World()

    async def closed() -> None:
        api = RunApi(grant(), RUNNER, replace(world.services, steps=StepLog("run", 1, None, store)))
        stream = api.stream("models.stream", {"run_id": "run", "model_id": "llm", "messages": MESSAGES}, 1)
        await anext(stream)
        await stream.aclose()

    asyncio.run(closed())
    assert store.of("run") == []


def test_a_worker_that_fails_gets_what_another_has_stored_meanwhile() -> None:
    """STP-01: a replaced worker and its successor have the same."""
    run = Run()

    async def replaced(api: AgentRunAPIProxy) -> Any:
        async def fails() -> None:
            request = StepBeginRequest(run_id="run", name="pay")
            call = StepLog("run", 2, (), run.store).call("steps.begin", request, "pay")
            assert call is not None
            ended = Step(call.id, call.action, 1, 2, clock.now_iso(), ms=1, outcome="ok", result='{"value": "paid"}')
            run.store.end("run", ended)
            raise ValueError("no")

        return await api.step("pay", fails)

    assert run.worker(replaced)[0] == "paid"


@pytest.mark.parametrize("process_of_its_own", [False, True])
def test_a_runner_of_another_process_counts_once(process_of_its_own: bool) -> None:
    """STP-01: wherever its worker died, and whichever processes of the host answered it."""
    for dies_after in range(3):
        store, world = StepsInMemory(), World()

        def api_of(attempt: int) -> RunApi:
            return RunApi(grant(), RUNNER, replace(world.services, steps=StepLog("run", attempt, None, store)))  # noqa: B023

        async def count(attempt: int, calls: int) -> list[Any]:
            one = api_of(attempt)
            other = api_of(attempt) if process_of_its_own else one
            names = {"run_id": "run", "scope": "conversation", "key": "count"}
            answers: list[Any] = []
            if calls > 0:
                answers.append((await one.call("state.get", names, 1))["value"])
            if calls > 1:
                await other.call("state.set", {**names, "value": (answers[0] or 0) + 1}, 1)
            if calls > 2:
                answers.append((await one.call("state.get", names, 2))["value"])
            return answers

        asyncio.run(count(1, dies_after))
        assert asyncio.run(count(2, 3)) == [None, 1]
        assert list(world.values.values()) == [1]


def test_an_answer_that_the_runner_closed_is_given_again_as_far_as_it_came() -> None:
    run = Run()

    async def use(api: AgentRunAPIProxy) -> str | None:
        stream = api.models.stream("llm", MESSAGES)
        first = await anext(stream)
        await stream.aclose()
        return first.content

    assert run.worker(use)[0] == run.worker(use)[0] == "h"
    assert Counter(name for name, _ in run.reached) == {"models.closed": 1}


def test_an_answer_that_broke_off_breaks_off_again() -> None:
    run = Run()

    async def use(api: AgentRunAPIProxy) -> list[str]:
        texts: list[str] = []
        try:
            async for chunk in api.models.stream("llm", MESSAGES):
                texts += [chunk.content or ""]
        except AgentAPIException as error:
            texts.append(error.code)
        return texts

    run.world.error = AgentAPIException("runtime_error", "the model broke off", retryable=True)
    first, _ = run.worker(use)
    run.world.error = None
    again, _ = run.worker(use)
    assert ("".join(first), "".join(again)) == ("hiruntime_error",) * 2


@pytest.mark.parametrize("pieces", [1, 2])
def test_an_answer_in_which_the_turn_ended_is_asked_for_again(pieces: int) -> None:
    """STP-05: it is not the runner that wanted no more of it, wherever it was stopped."""
    run = Run()

    async def stopped() -> None:
        turn, taken = Turn(), 0
        services = replace(run.world.services, steps=StepLog("run", 1, (), run.store), turn=turn)

        async def take(_: object) -> bool:
            nonlocal taken
            taken += 1
            if taken == pieces:
                turn.end(HandOver())
                await asyncio.Event().wait()
            return False

        class Speaking:
            async def run(self, context: AgentRunContext, api: AgentRunAPIProxy) -> AsyncGenerator[AgentRunResult]:
                async with aclosing(api.models.stream("llm", MESSAGES)) as chunks:
                    async for _ in chunks:
                        yield AgentRunResult(run_id=context.run_id, type="message.delta")

        api = AgentRunAPIProxy("run", RunApi(grant(), RUNNER, services))
        await read_results(Speaking(), run_context("run"), api, take, turn)

    with pytest.raises(TurnEndedError):
        asyncio.run(stopped())
    assert run.store.of("run") == []


# ---- What must not be made twice -------------------------------------------------------------------------------------
def _registered(run: Run, retry: Any) -> list[str | None]:
    """The keys with which a tool `act` of this kind was called."""
    keys: list[str | None] = []

    def act(context: ToolContext) -> str:
        """Act."""
        keys.append(context.key)
        return "done"

    tools = run.world.services.tools
    assert isinstance(tools, ToolRegistry)
    tools.register_tool_function(act, name="act", retry=retry)
    return keys


@pytest.mark.parametrize("retry", ["keyed", "never"])
def test_a_tool_gets_the_key_of_its_call(retry: str) -> None:
    """STP-02: An equal call has another one."""
    run = Run()
    keys = _registered(run, retry)
    granted = replace_tools(("act",))

    async def use(api: RunApi) -> None:
        for _ in range(2):
            await api.call("tools.call", {"run_id": "run", "tool_name": "act"})

    asyncio.run(use(RunApi(granted, RUNNER, replace(run.world.services, steps=StepLog("run", 1, (), run.store)))))
    assert None not in keys
    assert len(set(keys)) == 2


def replace_tools(names: Sequence[str]) -> RunGrant:
    """Return a grant with more tools."""
    whole = grant()
    tools = (*whole.resources.tools, *(ToolResource(tool_name=name) for name in names))
    return whole.model_copy(update={"resources": whole.resources.model_copy(update={"tools": tools})})


def test_a_step_that_must_not_be_repeated_is_stored_before_it_begins() -> None:
    """STP-03."""
    run = Run()
    seen: list[bool] = []

    async def use(api: AgentRunAPIProxy) -> None:
        await api.step("pay", lambda: seen.append(run.store.of("run")[0].has_ended), retry="never")

    run.worker(use)
    assert seen == [False]
    assert run.store.of("run")[0].has_ended


def test_no_such_step_begins_after_one_whose_outcome_is_unknown() -> None:
    """STP-03: neither that one nor another; without a way to ask, the message names it."""
    run = Run()
    paid: list[str] = []

    async def dies(api: AgentRunAPIProxy) -> None:
        def pay() -> None:
            raise Crash

        await api.step("pay", pay, retry="never")

    async def pays(api: AgentRunAPIProxy) -> None:
        for name in ("pay", "pay again"):
            with pytest.raises(AgentAPIException, match=r"^runtime_error"):
                await api.step(name, lambda: paid.append("paid"), retry="never")
        await api.step("look", lambda: paid.append("looked"), retry="keyed")

    with pytest.raises(Crash):
        run.worker(dies)
    run.worker(pays)
    assert paid == ["looked"]
    log = StepLog("run", 3, run.store.of("run"), run.store)
    assert [step.name for step in log.in_doubt] == ["pay"]
    with pytest.raises(RunnerFailedError, match=r"^pay may or may not have been executed$"):
        check_outcomes(log, RunQuestions(log))


def test_a_worker_that_was_replaced_begins_no_such_step() -> None:
    run = Run()
    paid: list[int] = []

    async def replaced(api: AgentRunAPIProxy) -> None:
        run.store.attempts["run"] = 2
        await api.step("pay", lambda: paid.append(1), retry="never")

    with pytest.raises(AgentAPIException, match="the host failed to execute the action"):
        run.worker(replaced)
    assert not paid
    assert run.store.of("run") == []


# ---- The runner's own steps ------------------------------------------------------------------------------------------
def test_a_step_passes_its_key_and_awaits_what_is_async() -> None:
    """STP-02: the key is the same when the step is made again."""
    run = Run()
    keys: list[str] = []

    async def use(api: AgentRunAPIProxy) -> Any:
        async def pay(key: str) -> dict[str, int]:
            keys.append(key)
            if len(keys) == 1:
                raise Crash
            return {"paid": 7}

        return await api.step("pay", pay)

    with pytest.raises(Crash):
        run.worker(use)
    assert run.worker(use)[0] == {"paid": 7}
    assert keys[0] == keys[1]


def test_a_step_that_fails_fails_alike_when_it_is_run_again() -> None:
    run = Run()
    made: list[int] = []

    async def use(api: AgentRunAPIProxy) -> str:
        def divide() -> float:
            made.append(1)
            return 1 / 0

        try:
            await api.step("divide", divide)
        except StepFailedError as error:
            return str(error)
        return "no error"

    assert run.worker(use)[0] == run.worker(use)[0] == "ZeroDivisionError: division by zero"
    assert made == [1]


def test_values_are_drawn_and_differ() -> None:
    """STP-04."""

    async def use(api: AgentRunAPIProxy) -> list[Any]:
        return [await api.random(), await api.random(), await api.uuid(), await api.uuid()]

    values = Run().worker(use)[0]
    assert len(set(map(str, values))) == 4
    assert values[2].version == 4
    assert Run().worker(use)[0] != values


# ---- Reads of what a run changes -------------------------------------------------------------------------------------
def test_a_counter_is_increased_once() -> None:
    """STP-01: a read is repeated as it was before the step that changed it."""
    run = Run()

    async def use(api: AgentRunAPIProxy) -> int:
        count = (await api.state.get("actor", "count") or 0) + 1
        await api.state.set("actor", "count", count)
        return count

    run.crashed(use)
    assert run.worker(use)[0] == 1
    assert list(run.world.values.values()) == [1]


def test_a_counter_is_increased_once_by_a_worker_that_dies_after_it() -> None:
    """STP-01: what was read is stored before the change is made, not with its result."""
    run = Run()

    async def use(api: AgentRunAPIProxy) -> int:
        count = (await api.state.get("actor", "count") or 0) + 1
        await api.state.set("actor", "count", count)
        return count

    class Dying(dict[Any, Any]):
        def __setitem__(self, key: Any, value: Any) -> None:
            super().__setitem__(key, value)
            raise Crash

    for _ in range(2):
        run.world.values = Dying(run.world.values)
        with pytest.raises(Crash):
            run.worker(use)
    run.world.values = dict(run.world.values)
    assert run.worker(use)[0] == 1
    assert list(run.world.values.values()) == [1]
    assert [bool(step.reads) for step in run.store.of("run")] == [True]


def test_a_read_that_nothing_changed_costs_no_write() -> None:
    run = Run()

    async def use(api: AgentRunAPIProxy) -> None:
        await api.state.get("actor", "count")
        await api.state.set("conversation", "other", 1)

    run.worker(use)
    assert [step.reads for step in run.store.of("run")] == [None]


# ---- Limits ----------------------------------------------------------------------------------------------------------
def test_steps_of_earlier_workers_count_for_no_rate_and_for_the_budget() -> None:
    run = Run()

    async def use(api: AgentRunAPIProxy) -> None:
        for number in range(18):
            await api.models.invoke("llm", [{"role": "user", "content": str(number)}])

    for _ in range(3):  # 54 calls; a burst of models is 20
        run.worker(use)
    assert len(run.reached) == 18
    budget = TokenBudget()
    budget.count(StepLog("run", 4, run.store.of("run"), run.store).usage)
    assert budget.total() == ModelUsage()


def test_what_earlier_model_calls_used_is_known() -> None:
    run = Run()
    usage = ModelUsage(input_tokens=70, output_tokens=7)

    class Models:
        async def invoke(self, _request: Any) -> ModelReply:
            return ModelReply(message=ModelMessage(role="assistant", content="hi"), usage=usage)

        async def stream(self, _request: Any) -> AsyncGenerator[ModelChunk]:
            yield ModelChunk(content="h")
            yield ModelChunk(reply=await self.invoke(_request))

    run.world.services = replace(run.world.services, models=Models())  # type: ignore[arg-type]

    async def use(api: AgentRunAPIProxy) -> None:
        await api.models.invoke("llm", MESSAGES)
        await _streamed(api)

    run.worker(use)
    assert StepLog("run", 2, run.store.of("run"), run.store).usage == [usage, usage]


def test_a_run_makes_so_many_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(step_log, "MAX_STEPS", 3)

    async def use(api: AgentRunAPIProxy) -> None:
        for _ in range(4):
            await api.now()

    with pytest.raises(AgentAPIException, match="at most 3 steps"):
        Run().worker(use)


def test_an_end_names_its_own_step() -> None:
    """A step cannot be ended as another one."""
    world = World()
    api = world.run_api(grant())
    other = {**VALID["steps.end"], "name": "refund"}
    with pytest.raises(AgentAPIException, match="is not a step with this name"):
        asyncio.run(api.call("steps.end", {"run_id": "run", **other}))


def test_a_runner_elsewhere_counts_its_equal_calls() -> None:
    """STP-02: several processes answer it; without a number a call is no step."""
    run = Run()

    async def use(number: int | None) -> str:
        log = StepLog("run", 2, None, run.store)
        api = RunApi(grant(), RUNNER, replace(run.world.services, steps=log))
        return str(await api.call("tools.call", {"run_id": "run", **VALID["tools.call"]}, number))

    for number in (1, 2, 1, 2, None):
        asyncio.run(use(number))
    assert len(run.reached) == 3
    assert len(run.store.of("run")) == 2


# ---- Any program -----------------------------------------------------------------------------------------------------
@given(
    groups=st.lists(st.lists(st.sampled_from("abc"), min_size=1, max_size=3), min_size=1, max_size=5),
    crashes=st.lists(st.integers(0, 12), max_size=3),
)
def test_however_often_its_workers_die_each_effect_is_made_once(groups: list[list[str]], crashes: list[int]) -> None:
    """Groups of steps side by side; a worker dies after so many effects, before their results are stored or after."""
    run = Run()
    effects: Counter[str] = Counter()

    def program(left: float) -> Use:
        async def use(api: AgentRunAPIProxy) -> list[str]:
            texts: list[str] = []
            budget = [left]

            async def act(name: str, at: int) -> str:
                def effect(key: str) -> str:
                    effects.setdefault(key, 1)  # who is called by key makes twice once
                    return f"{name}{at}"

                made: str = await api.step(name, effect, retry="keyed")
                budget[0] -= 1
                if budget[0] < 0:
                    raise Crash
                return made

            for at, names in enumerate(groups):
                texts += await asyncio.gather(*(act(name, at) for name in names))
            return texts

        return use

    expected = [f"{name}{at}" for at, names in enumerate(groups) for name in names]
    for left in crashes:
        try:
            run.worker(program(left))
        except Crash:
            continue
    reply, unused = run.worker(program(float("inf")))
    assert (sorted(reply), unused) == (sorted(expected), [])
    assert sum(effects.values()) == len(expected)
