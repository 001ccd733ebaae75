"""Reads what is stored of a run that has ended, for its trace."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, Final

from yarrow.formats import json_text
from yarrow.store import journal, runs
from yarrow.store.runner import steps
from yarrow.store.runner.steps import Step
from yarrow.store.runs import Run
from yarrow.traces.content import Texts
from yarrow.traces.step_details import Details, details_of

MAX_CONTENT: Final = 2_000_000
"""Characters of contents in a trace; what comes after them is left out."""

ASK: Final = "steps.ask"

_NANOSECONDS: Final = 1_000_000


class NotEndedError(Exception):
    """The run is not stored as ended yet, as far as this read sees."""


@dataclass(slots=True)
class Worker:
    """When a worker of the run was first and last seen, in nanoseconds."""

    begins: int
    ends: int

    def seen(self, begins: int, ends: int) -> None:
        self.begins, self.ends = min(self.begins, begins), max(self.ends, ends)


@dataclass(slots=True)
class StoredRun:
    """A run, its workers by attempt, its steps, and its last event.

    `details` are those of its steps, by id. `continued` is the run that it goes on with after a question, `parent` the
    one that spawned it. `texts` are those of its messages, if they were read.
    """

    run: Run
    own_steps: list[Step]
    workers: dict[int, Worker] = field(default_factory=dict)
    events: int = 0
    first_event_at: int | None = None
    last_event: dict[str, Any] = field(default_factory=dict)
    continued: Run | None = None
    parent: Run | None = None
    details: dict[str, Details] = field(default_factory=dict)
    texts: Texts = field(default_factory=Texts)

    @property
    def begins(self) -> int:
        return nanoseconds(self.run.created_at)

    @property
    def ends(self) -> int:
        return nanoseconds(str(self.run.ended_at))


def read(run: Run, *, content: bool) -> StoredRun:
    """Read what is stored of a run, with `content` also what users, models and tools said. Raises NotEndedError."""
    if not run.ended:
        raise NotEndedError(run.key)
    found = StoredRun(run, [])
    _read_steps(found, content=content)
    _read_journal(found, content=content)
    for step in found.own_steps:
        if step.action == ASK:  # stored with its answer, maybe after the trace was made
            continue
        begins = nanoseconds(step.started_at)
        ends = begins + (step.ms or 0) * _NANOSECONDS
        found.workers.setdefault(step.attempt, Worker(begins, ends)).seen(begins, ends)
    _place_workers(found)
    if run.earlier:
        found.continued = runs.read(run.earlier[-1])
    if run.parent_run_id is not None:
        found.parent = runs.read(runs.key_of(run.user_id, run.thread_id, run.parent_run_id))
    return found


def nanoseconds(at: str) -> int:
    """Return a stored time in nanoseconds since the epoch."""
    return round(datetime.fromisoformat(at).timestamp() * 1000) * _NANOSECONDS


def ends_of(step: Step) -> int:
    return nanoseconds(step.started_at) + (step.ms or 0) * _NANOSECONDS


def _read_steps(found: StoredRun, *, content: bool) -> None:
    room = MAX_CONTENT
    for step in _own_steps(found.run):
        details = details_of(found.run.log_key, step, content=content and room > 0)
        room -= sum(len(value) for value in details.attributes.values() if isinstance(value, str))
        found.details[step.id] = details
        found.own_steps.append(replace(step, result=None, reads=None))


def _own_steps(run: Run) -> Iterator[Step]:
    """Yield the steps that the run has made itself, of a log that it may share with those that it continues."""
    for step in steps.read_all(run.log_key):
        if run.created_at <= step.started_at <= str(run.ended_at):
            yield step


def _read_journal(found: StoredRun, *, content: bool) -> None:
    last: str | None = None
    for batch in journal.read(found.run.key, journal.Position()):
        at = None if batch.at is None else batch.at * _NANOSECONDS
        if at is not None and batch.attempt != journal.NOBODY:
            found.workers.setdefault(batch.attempt, Worker(at, at)).seen(at, at)
            if batch.lines and found.first_event_at is None:
                found.first_event_at = at
        found.events += len(batch.lines)
        last = batch.lines[-1] if batch.lines else last
        if content:
            found.texts.read(batch.lines)
    if last is not None:
        found.last_event = json_text.loads(last.encode())


def _place_workers(found: StoredRun) -> None:
    """The first worker began when it claimed the run, and the last one ended with it, unless somebody else ended it."""
    run, workers = found.run, found.workers
    if run.began_at is not None and run.attempt:
        begins = nanoseconds(run.began_at)
        workers.setdefault(1, Worker(begins, begins)).seen(begins, begins)
    if run.phase == "finished" and run.attempt in workers:
        workers[run.attempt].seen(found.ends, found.ends)
    for worker in workers.values():
        worker.begins = min(found.ends, max(found.begins, worker.begins))
        worker.ends = max(worker.begins, min(found.ends, worker.ends))
