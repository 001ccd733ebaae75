"""The writer of a journal: in order and nothing twice, though writes are slow, fail, or lose their answers."""

import asyncio
import threading
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import suppress
from typing import Any

import pytest

from tests.support import virtual_time
from yarrow.protocol.events import events
from yarrow.protocol.events.order import EventOrder
from yarrow.store import journal, runs, table
from yarrow.store.journal import Position
from yarrow.worker import journal_writer
from yarrow.worker.journal_writer import JournalWriter, Store

RUN = runs.Run(
    "key", "alice", "thread", "run-1", "agent", "chat", "", made_session=True, created_at="", phase="running", attempt=3
)
START = Position(1)
SOON = 5.0
"""Seconds, far more than anything here takes."""


Write = Callable[[], None]
Fault = Callable[[Write], None]
"""What becomes of an append: given what stores it."""


class Unreachable(Exception):
    """The table is, for once."""


class Journal:
    """A journal; each append can be made to fail, or to wait."""

    def __init__(self) -> None:
        self.batches: list[tuple[int, list[str]]] = []
        self.faults: Iterator[Fault] = iter(())
        self._changed = threading.Condition()

    def append(
        self, _key: str, attempt: int, at: Position, lines: Sequence[str], _workspace: str | None = None
    ) -> Position:
        def store() -> None:
            if at != self.end:
                raise table.ConditionFailedError([True])
            self.put(attempt, lines)

        next(self.faults, none)(store)
        return at.after(len(lines))

    def put(self, attempt: int, lines: Sequence[str]) -> None:
        with self._changed:
            self.batches.append((attempt, [*lines]))
            self._changed.notify_all()

    def own(self, _key: str, attempt: int, at: Position) -> Position | None:
        place = START
        for by, lines in self.batches:
            if place == at:
                return place.after(len(lines)) if by == attempt else None
            place = place.after(len(lines))
        return None

    @property
    def end(self) -> Position:
        place = START
        for _, lines in self.batches:
            place = place.after(len(lines))
        return place

    async def has(self, batches: int) -> None:
        """Wait until so many batches are stored."""

        def wait() -> bool:
            with self._changed:
                return self._changed.wait_for(lambda: len(self.batches) >= batches, SOON)

        assert await asyncio.to_thread(wait)

    @property
    def stored(self) -> list[str]:
        return [line for _, lines in self.batches for line in lines]


def none(store: Write) -> None:
    store()


def refused(_: Write) -> None:
    raise Unreachable


def unanswered(store: Write) -> None:
    store()
    raise Unreachable


def asked_twice(store: Write) -> None:
    store()
    store()


class Slow:
    """A write that takes until it is let go."""

    def __init__(self) -> None:
        self.begun, self.go_on = threading.Event(), threading.Event()

    async def has_begun(self) -> None:
        assert await asyncio.to_thread(self.begun.wait, SOON)

    def __call__(self, store: Write) -> None:
        self.begun.set()
        assert self.go_on.wait(SOON)
        store()


@pytest.fixture
def stored(monkeypatch: pytest.MonkeyPatch) -> Journal:
    fake = Journal()
    monkeypatch.setattr(journal, "append", fake.append)
    monkeypatch.setattr(journal, "own", fake.own)
    return fake


TOLD = [events.Custom(**RUN.ids, name="told", value=number) for number in range(6)]
LINES = [events.encode(event) for event in TOLD]
START_OF_TEXT = events.TextMessageStart(**RUN.ids, message_id="m")
PIECE = events.TextMessageContent(**RUN.ids, message_id="m", delta="一")
END_OF_TEXT = events.TextMessageEnd(**RUN.ids, message_id="m")
END = events.RunFinished(**RUN.ids)


def write(act: Callable[[JournalWriter], Awaitable[None]]) -> None:
    """Use a writer of the run, whose journal has RUN_STARTED so far."""

    async def use() -> None:
        order = EventOrder()
        order.admit(events.RunStarted(**RUN.ids))
        async with asyncio.timeout(SOON), JournalWriter(RUN, order, START) as writer:
            await act(writer)

    asyncio.run(use())


def test_the_first_event_is_stored_at_once_and_what_follows_together(stored: Journal) -> None:
    """EVT-27."""

    async def act(writer: JournalWriter) -> None:
        await writer.write(TOLD[0])
        assert stored.batches == [(3, LINES[:1])]
        for event in TOLD[1:4]:
            await writer.write(event)
        assert stored.batches == [(3, LINES[:1])]
        await stored.has(2)
        assert stored.batches[1] == (3, LINES[1:4])

    write(act)


def test_a_long_answer_is_stored_less_often_and_its_successor_as_often_as_at_first(stored: Journal) -> None:
    """Within the first seconds of an answer, or after a quiet period, a piece waits less than later."""
    waits: list[tuple[float, float]] = []

    async def answer(writer: JournalWriter) -> None:
        clock = asyncio.get_running_loop().time
        begun = clock()
        batches, since = len(stored.batches), begun
        while clock() < begun + 6:
            await writer.write(TOLD[0])
            if len(stored.batches) > batches:
                waits.append((since - begun, clock() - since))
                batches, since = len(stored.batches), clock()
            await asyncio.sleep(0.01)

    async def use() -> None:
        order = EventOrder()
        order.admit(events.RunStarted(**RUN.ids))
        async with JournalWriter(RUN, order, START) as writer:
            for _ in range(2):
                await answer(writer)
                await asyncio.sleep(2 * journal_writer.QUIET_SECONDS)

    virtual_time.run(use())
    early = [wait for at, wait in waits if 0 < at < journal_writer.EARLY_SECONDS - 0.2]
    late = [wait for at, wait in waits if at > journal_writer.EARLY_SECONDS + 0.2]
    assert len(early) > 40
    assert max(early) < journal_writer.FLUSH_SECONDS + 0.03
    assert len(late) > 20
    assert min(late) > journal_writer.LATER_FLUSH_SECONDS - 0.03


def test_what_opens_a_message_waits_for_its_first_piece_which_goes_at_once(stored: Journal) -> None:
    """EVT-09, EVT-27: a piece that had to wait, because its message had just begun, would be the first a user sees."""

    async def act(writer: JournalWriter) -> None:
        await writer.write(events.StepStarted(**RUN.ids, step_name="work"))
        await writer.write(START_OF_TEXT)
        assert stored.batches == []
        await writer.write(PIECE)
        assert [len(lines) for _, lines in stored.batches] == [3]
        await writer.write(PIECE)
        await stored.has(2)

    write(act)


def test_an_opening_that_nothing_follows_is_stored_soon(stored: Journal) -> None:
    """EVT-15: a stage that takes long is told of when it begins."""

    async def act(writer: JournalWriter) -> None:
        await writer.write(events.StepStarted(**RUN.ids, step_name="work"))
        await stored.has(1)
        await writer.write(START_OF_TEXT)
        await stored.has(2)

    write(act)


def test_an_event_that_comes_while_others_are_being_stored_follows_by_itself(
    stored: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    """EVT-27: though the runner is silent from then on."""
    slow = Slow()
    stored.faults = iter([none, slow])

    async def act(writer: JournalWriter) -> None:
        await writer.write(TOLD[0])
        await writer.write(TOLD[1])
        await slow.has_begun()
        await writer.write(TOLD[2])
        slow.go_on.set()
        await stored.has(3)
        assert stored.stored == LINES[:3]

    write(act)


@pytest.mark.parametrize("fault", [refused, unanswered])
@pytest.mark.parametrize("at", range(4))
def test_a_write_that_fails_leaves_no_hole(stored: Journal, at: int, fault: Fault) -> None:
    """EVT-27, CMP-11: the worker is told, and what can be stored at the end is stored from where the journal is."""
    stored.faults = iter([*[none] * at, fault])

    async def act(writer: JournalWriter) -> None:
        with suppress(Unreachable):
            for event in TOLD:
                await writer.write(event)
                await asyncio.sleep(journal_writer.FLUSH_SECONDS / 2)
        with suppress(Unreachable):
            await writer.close()
        await writer.close()

    write(act)
    assert stored.stored == LINES[: len(stored.stored)]


def test_a_failure_in_the_background_is_told_by_the_next_write(stored: Journal) -> None:
    """CMP-11."""
    stored.faults = iter([none, refused])

    async def act(writer: JournalWriter) -> None:
        await writer.write(TOLD[0])
        await writer.write(TOLD[1])
        await asyncio.sleep(2 * journal_writer.FLUSH_SECONDS)
        with pytest.raises(Unreachable):
            await writer.write(TOLD[2])

    write(act)


def test_a_write_that_was_asked_twice_counts_once(stored: Journal) -> None:
    """CMP-11: the second time its condition does not hold, for the first time it did."""
    stored.faults = iter([asked_twice] * 4)

    async def act(writer: JournalWriter) -> None:
        await writer.write(TOLD[0])
        await writer.write(TOLD[1])
        await writer.close()

    write(act)
    assert stored.stored == LINES[:2]


def end(stored: Journal, faults: Iterator[Fault]) -> Store:
    def store(at: Position, lines: Sequence[str]) -> Position:
        def put() -> None:
            if at != stored.end:
                raise table.ConditionFailedError([False, True])
            stored.put(RUN.attempt, [*lines, "ended"])

        next(faults, none)(put)
        return at.after(len(lines))

    return store


@pytest.mark.parametrize("fault", [none, asked_twice])
def test_the_last_event_is_stored_with_what_is_left_by_a_write_of_its_own(stored: Journal, fault: Fault) -> None:
    """EVT-08, EVT-27: though events are under way, and though one of them was stored without an answer."""
    slow = Slow()
    stored.faults = iter([none, slow, unanswered])

    async def act(writer: JournalWriter) -> None:
        await writer.write(START_OF_TEXT)
        await writer.write(PIECE)
        await writer.write(PIECE)
        await slow.has_begun()
        await writer.write(PIECE)
        closing = writer.order.closing(RUN.ids)
        ending = asyncio.create_task(finish(writer, [*closing, END], end(stored, iter([fault]))))
        slow.go_on.set()
        await ending

    write(act)
    lines = [
        events.encode(text_message_start)
        for text_message_start in (START_OF_TEXT, PIECE, PIECE, PIECE, END_OF_TEXT, END)
    ]
    assert stored.stored == [*lines, "ended"]


async def finish(writer: JournalWriter, last: list[Any], store: Store) -> None:
    for event in last[:-1]:
        await writer.write(event)
    await writer.end(last[-1], store)


def test_a_write_under_way_is_waited_for_though_its_caller_is_cancelled(stored: Journal) -> None:
    """RNR-70, EVT-27: a time limit strikes while an event is being stored."""
    slow = Slow()
    stored.faults = iter([slow])

    async def act(writer: JournalWriter) -> None:
        writing = asyncio.create_task(writer.write(TOLD[0]))
        await slow.has_begun()
        writing.cancel()
        await asyncio.gather(writing, return_exceptions=True)
        closing = asyncio.create_task(writer.close())
        await asyncio.sleep(0.01)
        assert stored.stored == []
        slow.go_on.set()
        await closing

    write(act)
    assert stored.stored == [LINES[0]]


@pytest.mark.parametrize("lines", [[], [events.encode(END)]])
def test_a_writer_that_was_replaced_or_whose_run_has_ended_is_told(stored: Journal, lines: list[str]) -> None:
    """CAN-04, CMP-11, EVT-27: its place is taken, by nothing or by the terminal event."""
    stored.put(4, lines)

    async def act(writer: JournalWriter) -> None:
        with pytest.raises(table.ConditionFailedError):
            await writer.write(TOLD[0])
        with pytest.raises(table.ConditionFailedError):
            await writer.close()

    write(act)
    assert stored.stored == lines
