"""How often a run's events are stored: seldom while nobody watches it, and as ever from the first viewer on."""

import asyncio
from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest
from botocore.exceptions import ClientError

from tests.support import virtual_time
from yarrow.protocol.events import events
from yarrow.protocol.events.order import EventOrder
from yarrow.store import journal, runs
from yarrow.store.limits import stream_slots
from yarrow.worker import journal_writer, presence
from yarrow.worker.journal_writer import JournalWriter
from yarrow.worker.presence import Presence, presence_of

RUN = runs.Run("key", "alice", "thread", "run-1", "agent", "chat", "", made_session=True, created_at="", attempt=1)
SECONDS = 40
SLACK = 0.05


def stored_at(found: Callable[[float], bool], *, expected: bool = True) -> list[float]:
    """Return when a run of SECONDS, with twenty events a second, stores something; `found` says who looks when sees a
    viewer.
    """
    times: list[float] = []

    async def use() -> None:
        clock = asyncio.get_running_loop().time
        began = clock()

        def append(_: str, __: int, at: journal.Position, lines: list[str], *_rest: Any) -> journal.Position:
            times.append(clock() - began)
            return at.after(len(lines))

        order = EventOrder()
        order.admit(events.RunStarted(**RUN.ids))
        who = Presence(lambda: found(clock() - began), expected=expected)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(journal, "append", append)
            async with JournalWriter(RUN, order, journal.Position(1), presence=who) as writer:
                while clock() - began < SECONDS:
                    await writer.write(events.Custom(**RUN.ids, name="told", value=1))
                    await asyncio.sleep(0.05)

    virtual_time.run(use())
    return times


def pauses(times: list[float], begin: float, end: float) -> list[float]:
    return [after - at for at, after in pairwise(times) if begin < at and after < end]


def test_a_run_that_nobody_watches_is_stored_every_two_seconds_once_that_is_known() -> None:
    """A client that has submitted may be about to watch: until the first look the run counts as watched."""
    times = stored_at(lambda _: False)
    assert max(pauses(times, 0, presence.LOOK_SECONDS)) < journal_writer.FLUSH_SECONDS + SLACK
    later = pauses(times, presence.LOOK_SECONDS + journal_writer.FLUSH_SECONDS, SECONDS)
    assert len(later) >= 15
    assert min(later) > journal_writer.UNWATCHED_FLUSH_SECONDS - SLACK


def test_a_run_where_nobody_is_expected_is_stored_seldom_from_the_start() -> None:
    times = stored_at(lambda _: False, expected=False)
    assert min(pauses(times, -1, SECONDS)) > journal_writer.UNWATCHED_FLUSH_SECONDS - SLACK


def test_a_watched_run_is_stored_as_often_as_without_looking(monkeypatch: pytest.MonkeyPatch) -> None:
    watched = stored_at(lambda _: True)
    monkeypatch.setattr(Presence, "is_due", lambda *_: False)
    assert watched == stored_at(lambda _: True)


@pytest.mark.parametrize("came", [3.0, 4.9, 7.3, 20.01])
def test_the_first_viewer_waits_for_one_write(came: float) -> None:
    """From the write after it came on, events are stored as often as ever."""
    times = stored_at(lambda now: now >= came)
    first = next(at for at in times if at >= came)
    assert first - came <= journal_writer.UNWATCHED_FLUSH_SECONDS + SLACK
    assert max(pauses(times, first - SLACK, SECONDS)) < journal_writer.LATER_FLUSH_SECONDS + SLACK


def test_who_lost_the_connection_finds_the_pace_unchanged_for_a_while() -> None:
    """And when nobody comes back, the run is stored seldom again."""
    times = stored_at(lambda now: now < 10)
    gone = 10 - presence.LINGER_SECONDS / 2 + presence.LINGER_SECONDS
    assert max(pauses(times, 0, gone)) < journal_writer.LATER_FLUSH_SECONDS + SLACK
    settled = 10 + 1.5 * presence.LINGER_SECONDS
    assert min(pauses(times, settled, SECONDS)) > journal_writer.UNWATCHED_FLUSH_SECONDS - SLACK


def test_a_look_that_fails_changes_nothing_and_is_repeated() -> None:
    """Storing goes on; it must not depend on who watches."""
    looks: list[float] = []

    def found(now: float) -> bool:
        looks.append(now)
        if 5 < now < 11:
            raise ClientError({"Error": {"Code": "ProvisionedThroughputExceededException"}}, "GetItem")
        return True

    times = stored_at(found)
    failed = [at for at in looks if 5 < at < 11]
    assert len(failed) >= 2
    assert max(after - at for at, after in pairwise(failed)) < presence.LOOK_SECONDS + 2 * SLACK + 0.2
    assert max(pauses(times, 0, SECONDS)) < journal_writer.LATER_FLUSH_SECONDS + SLACK


def test_looking_costs_a_watched_run_one_read_in_five_seconds() -> None:
    looks: list[float] = []

    def found(now: float) -> bool:
        looks.append(now)
        return True

    stored_at(found)
    assert len(looks) <= 1 + SECONDS / 5


def test_a_run_of_a_workspace_is_always_watched(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its pages are sent what is stored; they hold no slot of a stream."""
    monkeypatch.setattr(stream_slots, "is_watched", lambda *_: pytest.fail("it has no viewers to look for"))
    of_workspace = presence_of(replace(RUN, workspace="workspace"))
    assert of_workspace.is_watched
    assert not of_workspace.is_due(1e9)
    of_workspace.look(1e9)
    assert of_workspace.is_watched


def test_a_job_expects_nobody_and_others_do(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[str, str]] = []

    def is_watched(user_id: str, run_key: str) -> bool:
        asked.append((user_id, run_key))
        return False

    monkeypatch.setattr(stream_slots, "is_watched", is_watched)
    assert presence_of(RUN).is_watched
    of_job = presence_of(replace(RUN, job="job"))
    assert not of_job.is_watched
    assert of_job.is_due(0.0)
    of_job.look(0.0)
    assert asked == [("alice", "key")]
