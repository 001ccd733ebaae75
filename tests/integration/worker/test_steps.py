"""Workers that die in runs with steps: whatever was finished is not made again (STP-01, STP-02, STP-03, STP-04)."""

import json
import os
import subprocess
import sys
from collections import Counter
from collections.abc import AsyncGenerator, Iterator
from dataclasses import replace
from typing import Any

import pytest

from tests.support.divination_runs import submit
from tests.support.functions import api_calls
from tests.support.functions.api_calls import ApiCalls
from tests.support.journals import stored, text
from tests.support.run_lives import lives
from tests.support.runners.scripted import install
from yarrow.agents import bindings
from yarrow.protocol.runner.models import AgentRunContext, AgentRunResult
from yarrow.protocol.runner.proxy import AgentRunAPIProxy
from yarrow.protocol.runner.vocabulary import Retry
from yarrow.store import clients, runs, sessions
from yarrow.store.runner import steps
from yarrow.worker import execute_run, journal_writer
from yarrow.worker.invocation.registry import registry

pytestmark = [pytest.mark.usefixtures("aws"), pytest.mark.memory]


class Ledger:
    """What outside effects a run has had: `made` counts calls by key."""

    def __init__(self, retry: Retry = "keyed", size: int = 0) -> None:
        self.made: Counter[str] = Counter()
        self.retry: Retry = retry
        self.size = size
        self.fails: BaseException | None = None

    async def run(self, context: AgentRunContext, api: AgentRunAPIProxy) -> AsyncGenerator[AgentRunResult]:
        """Two effects and a counter between words; the words tell what the steps answered."""
        yield _delta(context, f"at {(await api.now()).timestamp()} ")
        for name in ("reserve", "pay"):
            yield _delta(context, f"{await api.step(name, self._act, retry=self.retry)} ")
            if self.fails is not None:
                raise self.fails
        count = (await api.state.get("conversation", "count") or 0) + 1
        await api.state.set("conversation", "count", count)
        yield _delta(context, f"number {count} lot {await api.random()}")

    def _act(self, key: str) -> str:
        self.made[key] += 1
        return f"receipt {key} {'x' * self.size}"


def _delta(context: AgentRunContext, content: str) -> AgentRunResult:
    chunk = {"role": "assistant", "content": content}
    return AgentRunResult(run_id=context.run_id, type="message.delta", data={"chunk": chunk})


@pytest.fixture
def ledger(monkeypatch: pytest.MonkeyPatch) -> Ledger:
    """The runner of all runs of a test; each of its words is stored by itself."""
    made = Ledger()
    install(monkeypatch, lambda: made)
    monkeypatch.setattr(journal_writer, "FLUSH_SECONDS", 0.0)
    return made


@pytest.fixture
def calls(aws: None) -> Iterator[ApiCalls]:
    with api_calls.watched() as watched:
        yield watched


@pytest.mark.parametrize("fault", [api_calls.killed_before, api_calls.killed_after], ids=["before", "after"])
def test_a_worker_may_die_at_any_call(calls: ApiCalls, ledger: Ledger, fault: Any) -> None:
    """STP-01, STP-02, STP-04: an effect is made again only if its result was not stored, and then by the same key."""
    for life in lives(calls, lambda _: fault, "execute", before=("submit",)):
        known = {step.id for step in steps.read_all(life.key)}
        before = ledger.made.copy()
        life.execute()
        assert life.check()["type"] == "RUN_FINISHED"
        assert len(ledger.made) == 2
        again = [key for key, count in ledger.made.items() if count > 1]
        assert len(again) <= 1
        assert len(ledger.made - before) <= 2 - sum("receipt" in str(step.result) for step in _ended(life.key, known))
        assert _numbers(life.key) == _numbers(life.key, of_history=True)
        ledger.made.clear()


def _ended(run_key: str, ids: set[str]) -> list[steps.Step]:
    return [step for step in steps.read_all(run_key) if step.id in ids]


def _numbers(run_key: str, *, of_history: bool = False) -> str:
    """The run's words, as its events or its history have them."""
    if not of_history:
        return text(run_key)
    return "".join(
        message.content for message in sessions.messages(runs.must_read(run_key).thread_id) if message.role != "user"
    )


@pytest.mark.parametrize("fault", [api_calls.killed_before, api_calls.killed_after], ids=["before", "after"])
def test_what_must_not_be_repeated_is_not(calls: ApiCalls, ledger: Ledger, fault: Any) -> None:
    """STP-03: the run asks its user if a worker died in such a step, and goes on otherwise."""
    ledger.retry = "never"
    endings: Counter[str] = Counter()
    for life in lives(calls, lambda _: fault, "execute", before=("submit",)):
        life.execute()
        terminal = life.check()
        asks = "outcome" in terminal
        endings["asks" if asks else terminal["type"]] += 1
        assert set(ledger.made.values()) <= {1}
        assert len(ledger.made) == 2 or asks
        ledger.made.clear()
    assert endings.keys() == {"RUN_FINISHED", "asks"}
    assert endings["asks"] <= 4  # before and after each of two


def test_a_large_result_is_in_the_bucket(ledger: Ledger) -> None:
    """Its item would cost more than an object, or be too large for the table."""
    ledger.size = 400 * 1024
    ledger.fails = KeyboardInterrupt()
    run_key = submit().task_id
    with pytest.raises(KeyboardInterrupt):
        execute_run.work(run_key)
    [large] = [step for step in steps.read_all(run_key) if step.is_in_bucket]
    key = f"{steps.object_key(run_key, large.id)}.{large.result}"
    assert clients.s3().head_object(Bucket="yarrow-inputs", Key=key)["ContentLength"] > ledger.size
    ledger.fails = None
    execute_run.work(run_key)
    assert list(ledger.made.values()) == [1, 1]
    assert text(run_key).count("x" * ledger.size) == 2


def test_a_late_upload_of_a_replaced_worker_changes_no_result(ledger: Ledger) -> None:
    """STP-01: the result that was stored first stays, though another worker's comes to the bucket after it."""
    ledger.size = 400 * 1024
    run_key = submit().task_id
    execute_run.work(run_key)
    large = next(step for step in steps.read_all(run_key) if step.is_in_bucket)
    first = steps.loaded(run_key, large).result
    late = steps.end(run_key, replace(large, result="y" * ledger.size, is_in_bucket=False, outcome=None))
    assert late.result == steps.loaded(run_key, large).result == first


@pytest.mark.parametrize("what", ["block", "distribution", "nothing"])
def test_a_rerun_by_another_version_of_the_agent_is_reported(
    ledger: Ledger, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], what: str
) -> None:
    """STP-06: it goes on; each worker compares with the version that the run was begun by."""
    monkeypatch.setenv("POWERTOOLS_METRICS_DISABLED", "false")
    installed = replace(registry.find("any"), version="ledger 1.0")
    monkeypatch.setattr(registry, "find", lambda _: installed)
    ledger.fails = KeyboardInterrupt()
    run_key = submit().task_id
    with pytest.raises(KeyboardInterrupt):
        execute_run.work(run_key)
    if what == "distribution":
        monkeypatch.setattr(registry, "find", lambda _: replace(installed, version="ledger 1.1"))
    elif what == "block":
        binding = bindings.deployed()["divination"]
        changed = binding.policy.model_copy(update={"max_minutes": 9})
        monkeypatch.setitem(bindings.deployed(), "divination", bindings.Binding.of("divination", changed))
    with pytest.raises(KeyboardInterrupt):
        execute_run.work(run_key)
    ledger.fails = None
    execute_run.work(run_key)
    assert stored(run_key)[-1]["type"] == "RUN_FINISHED"
    assert sum("VersionsChanged" in line for line in capsys.readouterr().out.splitlines()) == 2 * (what != "nothing")


def test_each_process_has_the_same_version_of_an_agent() -> None:
    """STP-06: whatever the order in which it has the members of a set."""
    code = (
        "from yarrow.agents import bindings; from yarrow.worker.run_steps import digest_of;"
        "print({name: digest_of(binding) for name, binding in bindings.deployed().items()})"
    )
    of_processes = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "PYTHONHASHSEED": seed},
            check=True,
            capture_output=True,
            text=True,
        ).stdout
        for seed in ("1", "2", "3")
    }
    assert len(of_processes) == 1


def test_a_runner_that_does_not_repeat_itself_is_reported(
    ledger: Ledger, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """STP-06: the run goes on, and its operator knows."""
    monkeypatch.setenv("POWERTOOLS_METRICS_DISABLED", "false")
    ledger.fails = KeyboardInterrupt()
    run_key = submit().task_id
    with pytest.raises(KeyboardInterrupt):
        execute_run.work(run_key)

    class Changed(Ledger):
        async def run(self, context: AgentRunContext, api: AgentRunAPIProxy) -> AsyncGenerator[AgentRunResult]:
            yield _delta(context, await api.step("refund", self._act))

    changed = Changed()
    install(monkeypatch, lambda: changed)
    execute_run.work(run_key)
    assert stored(run_key)[-1]["type"] == "RUN_FINISHED"
    assert list(changed.made.values()) == [1]
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines() if "StepsNotRepeated" in line]
    assert [line["StepsNotRepeated"] for line in lines] == [[2.0]]
