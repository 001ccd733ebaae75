"""Tool calls of runs, read by agents of later runs only (MSG-08, HIS-15).

One item per run that called a tool or brought client tools' results, of bounded size.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from yarrow.formats import json_text
from yarrow.store import clock, table
from yarrow.store.branches import Path

if TYPE_CHECKING:
    from mypy_boto3_dynamodb.type_defs import TransactWriteItemTypeDef as WriteItem

_MAX_TURNS = 100
"""Per read."""


class Call(NamedTuple):
    """`arguments` is JSON text. `result` is None if its own run has none."""

    id: str
    name: str
    arguments: str
    result: str | None = None


class Step(NamedTuple):
    """Concurrent calls after the message `message_id`, or before the first.

    `text` came with adopted calls, in a message that is not stored.
    """

    message_id: str | None
    calls: tuple[Call, ...]
    text: str | None = None


@dataclass(frozen=True, slots=True)
class Turn:
    """`answers` are client tools' results for earlier runs' calls, by id."""

    steps: tuple[Step, ...] = ()
    answers: Mapping[str, str] = field(default_factory=dict)

    def to_json(self) -> str:
        """Without the texts of steps."""
        return json_text.dumps([[step[:2] for step in self.steps], self.answers])

    def texts(self) -> dict[str, str]:
        """By the id of a step's first call."""
        return {step.calls[0].id: step.text for step in self.steps if step.text}


class PlacedTurn(NamedTuple):
    """`after` is the seq of the last message before the run's."""

    after: int
    turn: Turn


class StoredTurn(NamedTuple):
    """`at` is the end of the run."""

    branch: int
    after: int
    at: str
    calls: frozenset[str]


class RunWithTurn(NamedTuple):
    """`after` as in PlacedTurn, `at` as in StoredTurn. `adopted` are messages in wire form whose calls no run made."""

    after: int
    at: str
    run_key: str
    adopted: list[dict[str, Any]] | None = None


def keep(thread_id: str, after: int, run_key: str, turn: Turn, branch: int = 1) -> "WriteItem":
    """The transaction item for an ending run."""
    return table.put(_item(thread_id, after, run_key, turn, branch))


def adopt(
    thread_id: str, after: int, run_key: str, turn: Turn, messages: Sequence[Mapping[str, Any]], branch: int = 1
) -> "WriteItem":
    """The transaction item for calls that the client of a new run brings, with their messages in wire form."""
    texts = turn.texts()
    adopted = {
        "adopted_json": json_text.dumps(messages),
        "texts_json": json_text.dumps(texts) if texts else None,
    }
    return table.put({**_item(thread_id, after, run_key, turn, branch), **adopted})


def _item(thread_id: str, after: int, run_key: str, turn: Turn, branch: int) -> dict[str, Any]:
    # Several runs may come after the same message: one that waits for the client, and one that goes on.
    key = {"pk": table.session_partition(thread_id), "sk": f"{_prefix(after)}#{clock.now_iso()}#{run_key}"}
    return {**key, "turn_json": turn.to_json(), "branch": branch if branch > 1 else None}


def since(thread_id: str, after: int, max_bytes: int, path: Path | None = None) -> list[PlacedTurn]:
    """The latest turns at or after a message, oldest first, within `max_bytes`; with a path, at its seqs."""
    found: list[PlacedTurn] = []
    partition = table.session_partition(thread_id)
    for item in table.query(partition, start=_prefix(after), before="TURN#~", limit=_MAX_TURNS, newest_first=True):
        position = _located(item, path)
        if position is None:
            continue
        text = item["turn_json"].encode()
        max_bytes -= len(text)
        if max_bytes < 0:
            break
        steps, answers = json_text.loads(text)
        texts = json_text.loads(item["texts_json"].encode()) if "texts_json" in item else {}
        read = tuple(
            Step(message_id, tuple(Call(*call) for call in calls), texts.get(calls[0][0]))
            for message_id, calls in steps
        )
        found.append(PlacedTurn(position, Turn(read, answers)))
    return found[::-1]


def at_place(thread_id: str, seq: int, path: Path) -> list[StoredTurn]:
    """The latest turns of a path right after a message, in order."""
    found: list[StoredTurn] = []
    partition = table.session_partition(thread_id)
    for item in table.query(partition, start=_prefix(seq), before="TURN#~", limit=_MAX_TURNS, newest_first=True):
        if _located(item, path) == seq:
            _, after, at, _ = item["sk"].split("#")
            steps, _ = json_text.loads(item["turn_json"].encode())
            calls = frozenset(call[0] for _, calls in steps for call in calls)
            found.append(StoredTurn(int(item.get("branch", 1)), int(after), at, calls))
    return sorted(found)


def runs_after(thread_id: str, first: int, last: int, limit: int, path: Path | None = None) -> Iterator[RunWithTurn]:
    """The latest runs with turns after messages `first` to `last`, newest first; with a path, at its seqs."""
    # On a later branch, a turn's stored seq may exceed its position on the path.
    partition, start = table.session_partition(thread_id), _prefix(first)
    end = _prefix(last) + "#~" if path is None else "TURN#~"
    wanted = ("sk", "branch", "adopted_json")
    for item in table.query(partition, start=start, before=end, limit=_MAX_TURNS, newest_first=True, attributes=wanted):
        _, _, at, run_key = item["sk"].split("#")
        position = _located(item, path)
        if position is not None and position <= last and limit > 0:
            limit -= 1
            adopted = json_text.loads(item["adopted_json"].encode()) if "adopted_json" in item else None
            yield RunWithTurn(position, at, run_key, adopted)


def _located(item: table.Item, path: Path | None) -> int | None:
    _, after, at, _ = item["sk"].split("#")
    return int(after) if path is None else path.locate(int(item.get("branch", 1)), int(after), at)


def _prefix(after: int) -> str:
    return f"TURN#{after:010d}"
