"""What runs did with tools, kept beside their session's messages for agents of later runs and nobody else (MSG-08).

A run that called a tool, or brought what tools of the client had answered, has one item; any other run has none. It is
not a message, and so no history shows it (HIS-15). How much of a run is kept is the writer's to bound.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from yarrow.formats import json_text
from yarrow.store import clock, table
from yarrow.store.branches import Path

if TYPE_CHECKING:
    from mypy_boto3_dynamodb.type_defs import TransactWriteItemTypeDef as WriteItem

_MOST = 100
"""How many turns are read at most."""


class Call(NamedTuple):
    """One call; `arguments` is JSON text. `result` is None where nothing answered it in its own run."""

    id: str
    name: str
    arguments: str
    result: str | None = None


class Step(NamedTuple):
    """Calls that were made at once, after the message of this id, or before the run had said anything."""

    message_id: str | None
    calls: tuple[Call, ...]


@dataclass(frozen=True, slots=True)
class Turn:
    """What one run did, in order. `answers` are what the client's tools answered to calls of earlier runs, by id."""

    steps: tuple[Step, ...] = ()
    answers: Mapping[str, str] = field(default_factory=dict)

    def to_json(self) -> str:
        """What its item holds of it."""
        return json_text.dumps([self.steps, self.answers])


class Placed(NamedTuple):
    """A turn, and the seq of the last message that was there before its run said anything."""

    after: int
    turn: Turn


class Standing(NamedTuple):
    """A turn by its branch, the seq it is kept under and when its run ended, and the ids of its calls."""

    branch: int
    after: int
    at: str
    calls: frozenset[str]


class Ended(NamedTuple):
    """A run that has a turn: the seq of the last message before it said anything, when it ended, and its key."""

    after: int
    at: str
    run_key: str


def keep(thread_id: str, after: int, run_key: str, turn: Turn, branch: int = 1) -> "WriteItem":
    """Keep the turn of a run that ends now, within a transaction; `branch` is that of the session."""
    # Several runs may come after the same message: one that waits for the client, and one that goes on.
    key = {"pk": table.session_partition(thread_id), "sk": f"{_prefix(after)}#{clock.now_iso()}#{run_key}"}
    return table.put({**key, "turn_json": turn.to_json(), "branch": branch if branch > 1 else None})


def since(thread_id: str, after: int, max_bytes: int, path: Path | None = None) -> list[Placed]:
    """The latest turns of runs that began after this message or later, oldest first: as many as the bytes hold.

    Given a path, those of it alone, each at its place there.
    """
    found: list[Placed] = []
    partition = table.session_partition(thread_id)
    for item in table.query(partition, start=_prefix(after), before="TURN#~", limit=_MOST, newest_first=True):
        place = _place(item, path)
        if place is None:
            continue
        text = item["turn_json"].encode()
        max_bytes -= len(text)
        if max_bytes < 0:
            break
        steps, answers = json_text.loads(text)
        read = tuple(Step(message_id, tuple(Call(*call) for call in calls)) for message_id, calls in steps)
        found.append(Placed(place, Turn(read, answers)))
    return found[::-1]


def at_place(thread_id: str, seq: int, path: Path) -> list[Standing]:
    """The turns of a path that come right after a message, in their order: the latest ones, at most _MOST."""
    found: list[Standing] = []
    partition = table.session_partition(thread_id)
    for item in table.query(partition, start=_prefix(seq), before="TURN#~", limit=_MOST, newest_first=True):
        if _place(item, path) == seq:
            _, after, at, _ = item["sk"].split("#")
            steps, _ = json_text.loads(item["turn_json"].encode())
            calls = frozenset(call[0] for _, calls in steps for call in calls)
            found.append(Standing(int(item.get("branch", 1)), int(after), at, calls))
    return sorted(found)


def runs_after(thread_id: str, first: int, last: int, limit: int, path: Path | None = None) -> Iterator[Ended]:
    """The latest of the runs with turns that began after one of these messages, by their seqs; latest first.

    Given a path, those of it alone, each at its place there.
    """
    # On a later branch, what comes after a message may be kept after those that it left behind.
    partition, start = table.session_partition(thread_id), _prefix(first)
    end = _prefix(last) + "#~" if path is None else "TURN#~"
    wanted = ("sk", "branch")
    for item in table.query(partition, start=start, before=end, limit=_MOST, newest_first=True, attributes=wanted):
        _, _, at, run_key = item["sk"].split("#")
        place = _place(item, path)
        if place is not None and place <= last and limit > 0:
            limit -= 1
            yield Ended(place, at, run_key)


def _place(item: table.Item, path: Path | None) -> int | None:
    _, after, at, _ = item["sk"].split("#")
    return int(after) if path is None else path.place(int(item.get("branch", 1)), int(after), at)


def _prefix(after: int) -> str:
    return f"TURN#{after:010d}"
