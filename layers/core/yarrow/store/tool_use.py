"""Tool calls of runs, read by agents of later runs only (MSG-08, HIS-15). One item of bounded size per run that called
a tool or brought client tools' results.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from yarrow.formats import json_text
from yarrow.store import clock, table
from yarrow.store.branches import Path
from yarrow.store.items.records import Codec, read_from

if TYPE_CHECKING:
    from mypy_boto3_dynamodb.type_defs import TransactWriteItemTypeDef as WriteItem

_MAX_ITEMS = 100

_END: Final = "TURN#~"


class StoredCall(NamedTuple):
    """`arguments` is JSON text; `result` is None if its own run has none."""

    id: str
    name: str
    arguments: str
    result: str | None = None


class Round(NamedTuple):
    """The calls after the message `message_id`, or before the first, all concurrent. `text` came with adopted calls, in
    a message that is not stored.
    """

    message_id: str | None
    calls: tuple[StoredCall, ...]
    text: str | None = None


@dataclass(frozen=True, slots=True)
class ToolUse:
    """The tool calls of a run. `answers` are client tools' results for earlier runs' calls, by id."""

    rounds: tuple[Round, ...] = ()
    answers: Mapping[str, str] = field(default_factory=dict)

    def to_json(self) -> str:
        """Leaves out the texts of rounds."""
        return json_text.dumps([[round_[:2] for round_ in self.rounds], self.answers])

    def texts(self) -> dict[str, str]:
        """Texts of rounds by the id of their first call."""
        return {round_.calls[0].id: round_.text for round_ in self.rounds if round_.text}


class PlacedToolUse(NamedTuple):
    """`after` is the seq of the last message before the run's."""

    after: int
    tool_use: ToolUse


class StoredToolUse(NamedTuple):
    """`at` is the end of the run."""

    branch: int
    after: int
    at: str
    calls: frozenset[str]


class RunWithToolUse(NamedTuple):
    """`after` and `at` are as above; `adopted` are messages in wire form whose calls no run made."""

    after: int
    at: str
    run_key: str
    adopted: list[dict[str, Any]] | None = None


class _Place(NamedTuple):
    after: int
    at: str
    run_key: str


def _place(sort_key: str) -> _Place:
    _, after, at, run_key = sort_key.split("#")
    return _Place(int(after), at, run_key)


@dataclass(frozen=True, slots=True)
class _Record:
    """JSON texts are decoded by readers that need them."""

    place: _Place = field(metadata=read_from("sk", _place))
    turn_json: str = ""
    branch: int = 1
    adopted_json: str | None = None
    texts_json: str | None = None

    def located(self, path: Path | None) -> int | None:
        """Return the seq that it follows on a path, or in storage without one; None if it is not on the path."""
        after, at, _ = self.place
        return after if path is None else path.locate(self.branch, after, at)


_TOOL_USES: Final = Codec(_Record)


def keep(thread_id: str, after: int, run_key: str, tool_use: ToolUse, branch: int = 1) -> "WriteItem":
    return _put(thread_id, _Record(_Place(after, clock.now_iso(), run_key), tool_use.to_json(), branch))


def adopt(
    thread_id: str, after: int, run_key: str, tool_use: ToolUse, messages: Sequence[Mapping[str, Any]], branch: int = 1
) -> "WriteItem":
    """Make the item of calls that a new run's client sends, with their messages in wire form."""
    texts = tool_use.texts()
    record = _Record(
        place=_Place(after, clock.now_iso(), run_key),
        turn_json=tool_use.to_json(),
        branch=branch,
        adopted_json=json_text.dumps(messages),
        texts_json=json_text.dumps(texts) if texts else None,
    )
    return _put(thread_id, record)


def _put(thread_id: str, record: _Record) -> "WriteItem":
    return table.put({**_key(thread_id, record.place), **_TOOL_USES.item(record)})


def _key(thread_id: str, place: _Place) -> table.Item:
    # Several runs may follow the same message: one that waits for the client, and one that continues it.
    sort_key = f"{_prefix(place.after)}#{place.at}#{place.run_key}"
    return {"pk": table.session_partition(thread_id), "sk": sort_key}


def since(thread_id: str, after: int, max_bytes: int, path: Path | None = None) -> list[PlacedToolUse]:
    """Read the latest tool use at or after a message, oldest first, up to `max_bytes`."""
    found: list[PlacedToolUse] = []
    for record in _records(thread_id, after):
        position = record.located(path)
        if position is None:
            continue
        text = record.turn_json.encode()
        max_bytes -= len(text)
        if max_bytes < 0:
            break
        rounds, answers = json_text.loads(text)
        texts = {} if record.texts_json is None else json_text.loads(record.texts_json.encode())
        read = tuple(
            Round(message_id, tuple(StoredCall(*call) for call in calls), texts.get(calls[0][0]))
            for message_id, calls in rounds
        )
        found.append(PlacedToolUse(position, ToolUse(read, answers)))
    return found[::-1]


def at_place(thread_id: str, seq: int, path: Path) -> list[StoredToolUse]:
    """Read the latest tool use right after a message, in order."""
    found: list[StoredToolUse] = []
    for record in _records(thread_id, seq):
        if record.located(path) == seq:
            rounds, _ = json_text.loads(record.turn_json.encode())
            calls = frozenset(call[0] for _, calls in rounds for call in calls)
            found.append(StoredToolUse(record.branch, record.place.after, record.place.at, calls))
    return sorted(found)


def runs_after(thread_id: str, first: int, last: int, limit: int, path: Path | None = None) -> Iterator[RunWithToolUse]:
    """Read the latest runs with tool use after messages `first` to `last`, newest first."""
    # On a later branch, the stored seq of tool use may exceed its position on the path.
    end = _prefix(last) + "#~" if path is None else _END
    for record in _records(thread_id, first, end, attributes=("sk", "branch", "adopted_json")):
        position = record.located(path)
        if position is not None and position <= last and limit > 0:
            limit -= 1
            adopted = None if record.adopted_json is None else json_text.loads(record.adopted_json.encode())
            yield RunWithToolUse(position, record.place.at, record.place.run_key, adopted)


def _records(thread_id: str, after: int, end: str = _END, attributes: Sequence[str] = ()) -> Iterator[_Record]:
    """Read the latest _MAX_ITEMS at or after a message, newest first."""
    items = table.query(
        table.session_partition(thread_id),
        start=_prefix(after),
        before=end,
        limit=_MAX_ITEMS,
        newest_first=True,
        attributes=attributes,
    )
    return map(_TOOL_USES.record, items)


def _prefix(after: int) -> str:
    return f"TURN#{after:010d}"
