"""What must be true of questions, at each write and in the end: see `docs/simulation.md`."""

import itertools
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final
from unittest.mock import patch

from tests.simulation.askers import message_of
from tests.simulation.effects import Effects
from tests.simulation.rules import asks, code_of, messages_of, stored_runs
from tests.simulation.world import World
from yarrow.protocol.interrupts import ResumeEntry
from yarrow.protocol.run_input.trigger import MEMBER as TRIGGER
from yarrow.store import runs, sessions, table
from yarrow.store.table import from_wire

LATE: Final = 400.0
"""Seconds by which an answer may come after the end of a question: clocks differ, and its function may be slow."""
EARLY: Final = 65.0
"""Seconds by which a question may expire too early, by clocks that differ."""


@dataclass
class Watch:
    """The questions of a simulation. `answers` are those that were accepted: thread, answer and the run's key."""

    world: World
    effects: Effects
    answers: list[tuple[str, ResumeEntry, str]] = field(default_factory=list)
    closed: dict[str, table.Item] = field(default_factory=dict)
    """Questions that have been closed, by id, as they were last."""

    def begin(self) -> None:
        """Look at the table after each write, until the simulation ends."""
        made = self.world.aws.table._made

        def making(operation: str, **request: Any) -> Any:
            answer = made(operation, **request)
            if operation in ("TransactWriteItems", "UpdateItem"):
                self._look()
            return answer

        self.world.patches.enter_context(patch.object(self.world.aws.table, "_made", making))

    def open_ids(self) -> list[str]:
        """Return the ids of open questions."""
        return [item["sk"].partition("#")[2] for item in self._items("QUESTIONS#", "OPEN#")]

    def thread_of(self, question_id: str) -> str:
        """Return the session of an open question."""
        found = self._items("QUESTIONS#", f"OPEN#{question_id}")
        return next((str(item["thread_id"]) for item in found), "")

    def check(self) -> None:
        """Check all that is left when nothing goes on any more."""
        self._look()
        self.effects.check()
        open_ids, all_runs = set(self.open_ids()), {run.key: run for run in stored_runs()}
        for item in self._items("QUESTIONS#", "OPEN#"):
            session = sessions.must_read(item["thread_id"])
            if session.deleted_at is not None or item["sk"].partition("#")[2] not in open_ids:
                self.world.violated("a question outlives its session")
        self._check_taken(all_runs)
        self._check_expiry(all_runs)
        for run in all_runs.values():
            self.effects.check_stored(run.log_key)
            self.effects.check_unknown(run, code_of(run.key))
            if run.phase == "finished" and not asks(run.key):
                self._check_story(run)

    def check_no_execution(self) -> None:
        """Check that no execution waits for an answer: nothing goes on, and questions are open."""
        if running := [name for name, status in self.world.executions.statuses.items() if status == "RUNNING"]:
            self.world.violated(f"executions {running} go on while nobody does anything")

    def _items(self, partition: str, start: str) -> Iterator[table.Item]:
        for item in list(self.world.aws.table.items):
            if item["pk"]["S"].startswith(partition) and item["sk"]["S"].startswith(start):
                yield from_wire(item)

    def _look(self) -> None:
        """Check what must be true at any instant."""
        found_open = {item["sk"].partition("#")[2]: item for item in self._items("QUESTIONS#", "OPEN#")}
        found_closed = {item["sk"].partition("#")[2]: item for item in self._items("QUESTIONS#", "CLOSED#")}
        if not (found_open or found_closed):
            return
        all_runs = {run.key: run for run in map(runs.stored, self._items("RUN#", "RUN"))}
        its_sessions = {
            session.thread_id: session for session in map(sessions.stored, self._items("SESSION#", "SESSION"))
        }
        for name, item in found_open.items():
            self._look_at_open(name, item, all_runs[item["run_key"]], its_sessions[item["thread_id"]], all_runs)
        for session in its_sessions.values():
            if session.deleted_at is None:
                for line in session.open_questions:
                    if line.id not in found_open:
                        self.world.violated(f"a session has a question that is not open, {line.id[:12]}")
        for name, item in found_closed.items():
            self._look_at_closed(name, item, all_runs)
        if self.closed.keys() - found_closed.keys() or self.closed.keys() & found_open.keys():
            self.world.violated("a closed question is open again")

    def is_deleted(self, thread: str) -> bool:
        found = [sessions.stored(item) for item in self._items(f"SESSION#{thread}", "SESSION")]
        return all(session.deleted_at is not None for session in found)

    def _look_at_open(
        self, name: str, item: table.Item, asking: runs.Run, session: sessions.Session, all_runs: dict[str, runs.Run]
    ) -> None:
        if asking.phase != "finished":
            self.world.violated(f"a question of a run that is {asking.phase} is open")
        if session.deleted_at is not None:
            return  # it is closed next
        if item["step_id"] not in [line.step for line in session.open_questions if line.id == name]:
            self.world.violated("a question is open, and its session does not have it")
        active = None if session.active_run is None else all_runs[session.active_run]
        if active is not None and asking.log_key != active.log_key:
            self.world.violated("a question outlives the run that goes on")

    def _look_at_closed(self, name: str, item: table.Item, all_runs: dict[str, runs.Run]) -> None:
        before = self.closed.get(name)
        self.closed[name] = item
        if before is not None and before.get("answer_digest") != item.get("answer_digest"):
            self.world.violated("a question is answered twice")
        if before is not None and before.get("answered_in") != item.get("answered_in"):
            earlier, later = all_runs[before["answered_in"]], all_runs[item["answered_in"]]
            if earlier.phase != "failed" and earlier.key not in later.earlier:
                self.world.violated(f"a run that is {earlier.phase} is not the one that goes on any more")
        if before is None and item.get("answer_digest") is not None:
            found = self._items(f"RUN#{all_runs[item['run_key']].log_key}", f"STEP#{item['step_id']}")
            if not any("ms" in step for step in found):
                self.world.violated("an answer is taken, and its step has none")

    def _check_taken(self, all_runs: dict[str, runs.Run]) -> None:
        """Check that an answer is taken once, and leads to one run that goes on."""
        taken: defaultdict[str, set[str]] = defaultdict(set)
        for _, entry, run_key in self.answers:
            taken[entry.interrupt_id].add(entry.digest)
            if self.closed[entry.interrupt_id].get("answer_digest") != entry.digest:
                self.world.violated("an answer was accepted, and another is stored")
            if run_key not in all_runs:
                self.world.violated("an answer was accepted, and no run goes on")
        if any(len(digests) > 1 for digests in taken.values()):
            self.world.violated("two answers to a question were accepted")
        going_on: defaultdict[str, list[runs.Run]] = defaultdict(list)
        for run in all_runs.values():
            for name in _answered_by(run):
                going_on[name].append(run)
        for name, item in self.closed.items():
            if item.get("answer_digest") is None:
                continue
            goes_on = sorted((run for run in going_on[name] if run.phase != "failed"), key=lambda run: len(run.earlier))
            is_chain = all(one.key in other.earlier for one, other in itertools.pairwise(goes_on))
            if not (is_chain and going_on[name]):  # a `resume` of several may repeat an answer that was taken alone
                self.world.violated(f"{len(goes_on)} of {len(going_on[name])} runs go on with an answer")
            logs = {run.log_key for run in going_on[name]} | {all_runs[item["run_key"]].log_key}
            if len(logs) > 1:
                self.world.violated("a run goes on from other steps than those that asked")

    def _check_expiry(self, all_runs: dict[str, runs.Run]) -> None:
        """Check that no answer was taken long after the question's end, and none expired before it."""
        for item in self.closed.values():
            left = (
                datetime.fromisoformat(item["closed_at"]) - datetime.fromisoformat(item["closes_at"])
            ).total_seconds()
            if item["answer_status"] in ("answered", "refused") and left > LATE:
                self.world.violated(f"an answer was taken {left:.0f} s too late")
            if item["answer_status"] == "expired" and left < -EARLY:
                self.world.violated(f"a question expired {-left:.0f} s too early")

    def _check_story(self, run: runs.Run) -> None:
        """Check that the words of all runs of a log are those of one runner that was never stopped, and each is there
        once.
        """
        effects, log = self.effects, run.log_key
        texts = [text for key in (*run.earlier, run.key) for text in messages_of(key).values()]
        questions = {message_of(label) for label in effects.stories[log]}
        all_questions = {item["message"] for item in self._items("QUESTIONS#", "")}
        words = [text for text in texts if text not in all_questions]
        if "".join(words) != "".join(effects.words(log)):
            self.world.violated(f"{run.run_id} has {words}, not {effects.words(log)}")
        asked = [text for text in texts if text in questions]
        if len(asked) > len(set(asked)):
            self.world.violated(f"questions are shown twice: {asked}")
        effects.check_counts(run.key, effects.stories[log])


def _answered_by(run: runs.Run) -> list[str]:
    """Return the ids of the questions whose answers a run was started with."""
    if not run.earlier:
        return []
    trigger = runs.read_input(run.key).get(TRIGGER, {})
    found: list[str] = trigger["data"]["interrupts"]
    return found
