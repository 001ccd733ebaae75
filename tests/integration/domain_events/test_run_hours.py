"""The hourly sums of runs that ended, counted from the table's stream (EVB-12)."""

import re
import uuid
from collections import Counter
from collections.abc import Iterable
from typing import Any, Final

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.support.divination_runs import end, submit
from tests.support.domain_events.deployment import Deployment
from yarrow.protocol.domain_events import EndedRun
from yarrow.protocol.usage import TokenCounts
from yarrow.runs import end_run
from yarrow.store import clock, run_hours, run_usage, runs
from yarrow.store.run_hours import HourOfRuns

DAY = "2026-11-27"
ENDS: Final[tuple[run_hours.End, ...]] = ("run.completed", "run.failed", "run.canceled")


def ended(key: str, **more: Any) -> EndedRun:
    given = {"created_at": f"{DAY}T12:59:58.000+00:00", "ended_at": f"{DAY}T13:00:01.500+00:00", "agent": "a"}
    ids: dict[str, Any] = {"user_id": "alice", "thread_id": "t", "run_id": "r", "run_key": key, "sequence": 1}
    return EndedRun(**ids, **(given | more))


def counted(parts: Iterable[HourOfRuns]) -> Counter[str]:
    return sum((Counter(part.counts) for part in parts), Counter())


def test_a_run_is_in_the_hour_of_its_end_as_it_ended(deployment: Deployment) -> None:
    """EVB-12: whatever part of the stream comes again."""
    failed = submit(runId="failed").task_id
    end(failed)
    cancelled = submit(runId="cancelled").task_id
    end_run.end_with_error(cancelled, end_run.CANCELED)
    changes = deployment.changes()
    for _ in range(3):
        assert deployment.deliver(changes) == []
    run = runs.must_read(failed)
    parts = list(run_hours.read(str(run.ended_at)[:10]))
    assert counted(parts) == Counter(runs=2, failed=1, canceled=1)
    assert {(part.hour, part.agent, part.model) for part in parts} <= {
        (str(ended.ended_at)[:13], run.agent, None) for ended in (run, runs.must_read(cancelled))
    }
    assert sum(sum(part.duration) for part in parts) == 2
    assert [part.failures for part in parts if part.failures] == [{end_run.FAILED.code: (1, failed)}]


def test_times_are_counted_in_the_bucket_that_has_them(deployment: Deployment) -> None:
    """EVB-12: a bound is part of its bucket; what takes longer than all is counted, too."""
    ends = {"12:00:00.000": 0, "12:00:01.000": 0, "12:00:01.001": 1, "12:00:03.500": 2, "18:00:00.000": 11}
    for number, at in enumerate(ends):
        times = {"created_at": f"{DAY}T12:00:00.000+00:00", "ended_at": f"{DAY}T{at}+00:00"}
        run = ended(f"k-{number}", **times)
        assert run_usage.count(run, run_hours.writes(run, "run.completed"))
    found = [sum(column) for column in zip(*(part.duration for part in run_hours.read(DAY)), strict=True)]
    expected = Counter(ends.values())
    assert found == [expected[place] for place in range(12)]


def test_failures_have_their_code_and_the_latest_run(deployment: Deployment) -> None:
    """EVB-12: a code that is none has no attribute of its own, so that an item cannot grow."""
    for key, code in (("k", "RUN_LOST"), ("k", "RUN_LOST"), ("l", "a-b"), ("m", None)):
        run = ended(key, code=code)
        run_usage.count(run, run_hours.writes(run, "run.failed"))
    failures: Counter[str] = Counter()
    latest: dict[str, set[str]] = {}
    for part in run_hours.read(DAY):
        for code, (count, key) in part.failures.items():
            failures[code] += count
            latest.setdefault(code, set()).add(key)
    assert failures == Counter(RUN_LOST=1, unregistered=2)
    assert latest["RUN_LOST"] == {"k"}
    assert latest["unregistered"] <= {"l", "m"}


def test_each_model_has_its_tokens_and_the_run_is_counted_with_the_first(deployment: Deployment) -> None:
    """EVB-12: a run is one write more, and one for each further model."""
    used = (TokenCounts(model="m", input_tokens=3, cached_input_tokens=1), TokenCounts(provider="p", model="n"))
    assert len(run_hours.writes(ended("k", usage=used), "run.completed")) == 1
    more = (*used[:1], TokenCounts(provider="p", model="n", output_tokens=4))
    writes = run_hours.writes(ended("k", usage=more), "run.completed")
    assert len(writes) == 2
    run_usage.count(ended("k", usage=more), writes)
    parts = {part.model: part for part in run_hours.read(DAY)}
    assert parts["m"].tokens == {"input_tokens": 3, "cached_input_tokens": 1}
    assert (parts["n"].tokens, parts["n"].counts) == ({"output_tokens": 4}, {})
    assert parts["m"].counts == {"runs": 1, "completed": 1}


def test_the_first_event_is_not_that_of_the_submit(deployment: Deployment, monkeypatch: pytest.MonkeyPatch) -> None:
    """EVB-12: from the submit to what is stored after RUN_STARTED, which says nothing of the agent yet."""
    monkeypatch.setattr(clock, "now_ms", lambda: 1_764_248_400_000)
    key = submit(runId="slow").task_id
    run = ended(key, created_at="2025-11-27T13:00:00.000+00:00", ended_at="2025-11-27T13:00:09.000+00:00")
    assert _first_events(run) == []
    monkeypatch.setattr(clock, "now_ms", lambda: 1_764_248_403_000)
    end(key)
    assert _first_events(run) == [run_hours.FIRST_EVENT_BOUNDS.index(4_000)]


def _first_events(run: EndedRun) -> list[int]:
    """The buckets that the writes of a run count."""
    (write,) = run_hours.writes(run, "run.completed")
    names = write["Update"]["UpdateExpression"]
    return [int(number) for number in re.findall(r"first_event_(\d+) ", names)]


@given(st.lists(st.integers(0, 5), max_size=30))
@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
def test_a_record_counts_once_however_often_it_comes(deployment: Deployment, records: list[int]) -> None:
    """EVB-12: in any order and with any repeats, of runs that end as they do."""
    this = uuid.uuid4()
    expected: dict[int, Counter[str]] = {}
    names = ("completed", "failed", "canceled")
    for number in records:
        job = "j" if number == 4 else None
        run = ended(f"{this}-{number}", agent=f"{this}-{number % 2}", job_id=job)
        is_new = run_usage.count(run, run_hours.writes(run, ENDS[number % 3]))
        assert is_new == (number not in expected)
        expected[number] = Counter({"runs": 1, names[number % 3]: 1, "by_jobs": int(number == 4)})
    parts = [part for part in run_hours.read(DAY) if part.agent.startswith(str(this))]
    assert counted(parts) == +sum(expected.values(), Counter())
    assert sum(sum(part.duration) for part in parts) == len(expected)
