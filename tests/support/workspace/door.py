"""The workspace door by plain calls: pages, API Gateway, the use cases, the table's stream and the runs.

Nothing happens by itself. A test opens pages, lets one frame be handled, one batch of the stream be pushed or one run
be worked on, in the order it likes, or `settle`s everything.
"""

import asyncio
import itertools
from collections import deque
from collections.abc import Callable, Coroutine, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from enum import Enum
from typing import Any, Final

import pytest

from local.dynamodb.table import ItemChange
from tests.support.memory_aws.aws import MemoryAws
from tests.support.virtual_time import VirtualTimeLoop
from tests.support.workspace.page import Page
from tests.support.workspace.stream_filter import is_shown
from yarrow.protocol.caller import Caller
from yarrow.store import clock, table
from yarrow.worker import execute_run, journal_writer
from yarrow.workspace.connect_workspace import OpeningConnection, connect_workspace
from yarrow.workspace.disconnect_workspace import disconnect_workspace
from yarrow.workspace.posting import GoneError, UnknownOutcomeError
from yarrow.workspace.workspace_command import ReceivedFrame, workspace_command
from yarrow.workspace.workspace_push import ChangedItem, workspace_push

ALICE, BOB = Caller("alice", "en", "Asia/Shanghai"), Caller("bob")

ROUNDS = 200
"""So often everything may need another round before it is settled."""


class Outcome(Enum):
    DELIVERED = "delivered"
    LOST = "not delivered, and nobody knows"
    UNANSWERED = "delivered, and nobody knows"
    DIED_BEFORE = "the poster dies before it"
    DIED_AFTER = "the poster dies when it is delivered"


class Died(BaseException):
    """The function's process is gone."""


@dataclass
class Line:
    id: str
    page: Page
    caller: Caller
    task: str | None
    open: bool = True
    inbox: deque[str] = field(default_factory=deque)
    """Frames of the page that no function has handled yet."""
    got: list[bytes] = field(default_factory=list)
    """Frames for the page, in order."""


TICK: Final = timedelta(microseconds=100)


class Clock:
    """The service's clock: a tick passes whenever it is read, and more when a test says so.

    So a run is slow where a test makes it slow, not where the machine is.
    """

    def __init__(self) -> None:
        self.time = datetime.now(UTC)

    def now(self) -> datetime:
        self.time += TICK
        return self.time

    def pass_seconds(self, seconds: float) -> None:
        self.time += timedelta(seconds=seconds)

    @contextmanager
    def installed(self) -> Iterator["Clock"]:
        def now_ms() -> int:
            return int(self.now().timestamp() * 1000)

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(clock, "now_iso", lambda: self.now().isoformat(timespec="milliseconds"))
            patch.setattr(clock, "now_ms", now_ms)
            patch.setattr(clock, "since", lambda moment: self.now() - datetime.fromisoformat(moment))
            patch.setattr(clock, "epoch_in", lambda days: int(self.now().timestamp()) + days * 86_400)
            yield self


class Door:
    """Everything behind the pages. `plan` has the outcomes of the next posts, `during` is called within each."""

    def __init__(self, aws: MemoryAws, task: str) -> None:
        self.aws, self.clock, self.task = aws, Clock(), task
        self.lines: dict[str, Line] = {}
        self.plan: deque[Outcome] = deque()
        self.during: Callable[[], object] = lambda: None
        self.pending: list[ChangedItem] = []
        """Records of the stream that are still to be pushed."""
        self._ids = itertools.count(1)
        self._read = self._worked = 0

    @contextmanager
    def installed(self) -> Iterator["Door"]:
        """Install its AWS and its clock in place of this process's own."""
        with self.aws.installed(), self.clock.installed(), pytest.MonkeyPatch.context() as patch:
            patch.setattr(journal_writer, "FLUSH_SECONDS", 0.0)
            patch.setattr(asyncio, "run", _run)
            yield self

    # ---- connections

    def connect(self, page: Page, caller: Caller = ALICE, task: str | None = None) -> Line:
        """Open a page's connection; `task` is in the query of other clients, the page's own has none."""
        line = Line(f"connection-{next(self._ids)}", page, caller, task)
        connect_workspace(OpeningConnection(line.id, caller, task, page.query["clientTag"], clock.now_ms()))
        self.lines[line.id] = line
        page.opened(line.inbox.append)
        return line

    def load(self, page: Page, caller: Caller = ALICE, task: str | None = None) -> Line:
        """Open a page that has just been loaded, and let everything settle."""
        line = self.connect(page, caller, task)
        page.start()
        self.settle()
        return line

    def disconnect(self, line: Line, *, notify: bool = True, status: int = 1001) -> None:
        """Close a connection; the service is not always told. What the page sent before is still handled."""
        line.open = False
        line.page.closed()
        if notify:
            disconnect_workspace(line.id, line.caller, line.task, status)

    def line_of(self, page: Page) -> Line:
        """Return the page's open connection."""
        return next(line for line in reversed(self.lines.values()) if line.page is page and line.open)

    def send(self, page: Page, text: str) -> list[dict[str, Any]]:
        """Send a frame as it is from a page, let everything settle; the frames that the page took of it."""
        count = len(page.frames)
        self.line_of(page).inbox.append(text)
        self.settle()
        return page.frames[count:]

    def fresh(self, caller: Caller = ALICE, task: str | None = None) -> Page:
        """A new client of the user that has named its task: what it knows after the first snapshot."""
        page = Page(task or self.task, f"fresh-{next(self._ids)}")
        line = self.connect(page, caller, page.task)
        self.settle()
        self.disconnect(line)
        return page

    # ---- one step

    def handle(self, line: Line) -> None:
        """Let a function handle the next frame of a page."""
        self.receive(line, line.inbox.popleft())

    def receive(self, line: Line, text: str, message_id: str | None = None, at_ms: int | None = None) -> None:
        """Let a function handle a frame, for the second time if its message id was there before. API Gateway received
        it at `at_ms`, by default now.
        """
        sent, at = message_id or f"message-{next(self._ids)}", clock.now_ms() if at_ms is None else at_ms
        frame = ReceivedFrame(line.id, line.caller, line.task, line.page.query["clientTag"], text, sent, at)
        workspace_command(frame, self.post)

    def records(self) -> list[ChangedItem]:
        """The records of the stream since the last call, as the filter lets them through."""
        changes = self.aws.table.changes[self._read :]
        self._read += len(changes)
        return [
            ChangedItem(f"{change.sequence:021}", item)
            for change in changes
            if is_shown(change, item := _plain(change))
        ]

    def push(self, records: Sequence[ChangedItem] | None = None) -> None:
        """Let a function push records, by default all that are pending; what fails or dies stays pending."""
        self.pending += self.records()
        batch = self.pending if records is None else list(records)
        if records is None:
            self.pending = []
        try:
            failed = workspace_push(batch, self.post)
        except Died:
            self.pending = [*batch, *self.pending]
        else:
            self.pending = [changed for changed in batch if changed.sequence_number in failed] + self.pending

    def work(self) -> bool:
        """Work on the next run that was started. False if there is none."""
        started = self.aws.executions.started
        if self._worked == len(started):
            return False
        self._worked += 1
        execute_run.work(started[self._worked - 1])
        return True

    def settle(self) -> None:
        """Go on until there is nothing left to do; leases of the dead expire meanwhile."""
        for _ in range(ROUNDS):
            lines = [line for line in self.lines.values() if line.inbox]
            for line in lines:
                self.handle(line)
            worked = self.work()
            before = [changed.sequence_number for changed in self.pending]
            self.push()
            left = [changed.sequence_number for changed in self.pending]
            if not (lines or worked or left or self.aws.table.changes[self._read :]):
                return
            if left and left == before:
                self.clock.pass_seconds(5)
        raise AssertionError(f"it does not settle: {len(self.pending)} records are left")

    # ---- posts

    def post(self, connection_id: str, frame: bytes, /) -> None:
        line = self.lines.get(connection_id)
        outcome = self.plan.popleft() if self.plan else Outcome.DELIVERED
        self.during()
        if outcome is Outcome.DIED_BEFORE:
            raise Died
        if outcome is Outcome.LOST:
            raise UnknownOutcomeError(connection_id)
        if line is None or not line.open:
            raise GoneError(connection_id)
        line.got.append(bytes(frame))
        line.page.receive(frame)
        if outcome is Outcome.UNANSWERED:
            raise UnknownOutcomeError(connection_id)
        if outcome is Outcome.DIED_AFTER:
            raise Died


def _run(main: Coroutine[Any, Any, Any]) -> Any:
    """A worker in virtual time: what it waits for takes none, and its calls are made one after the other."""
    with asyncio.Runner(loop_factory=VirtualTimeLoop) as runner:
        return runner.run(main)


def _plain(change: ItemChange) -> dict[str, Any]:
    return table.from_wire(change.item)
