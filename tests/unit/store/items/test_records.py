"""Records as items: any record that is stored reads back as it was, and what is stored stays readable."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from datetime import UTC, datetime, timedelta, timezone
from types import NoneType, UnionType
from typing import Any, Final, Literal, NamedTuple, Union, get_args, get_origin, get_type_hints

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from yarrow.protocol.automation.job import JobFields
from yarrow.protocol.reading_outcome import Outcome
from yarrow.store import (
    api_keys,
    artifacts,
    calendar,
    event_log,
    journal,
    memories,
    runs,
    sessions,
    table,
    tool_use,
    uploads,
)
from yarrow.store.automation import job_runs, jobs
from yarrow.store.branches import Branch
from yarrow.store.feedback import session_outcomes
from yarrow.store.items.records import JSON, Codec, Item, in_key, read_from, stored_always, stored_as
from yarrow.store.runner import grants, run_tokens
from yarrow.store.workspace import connections, keys, log, tickets


class Kept(NamedTuple):
    record: type[Any]
    codec: Codec[Any]
    key: Callable[[Any], Item]


KEPT: Final = (
    Kept(runs.Run, runs._RUNS, lambda run: table.run_key_of(run.key)),
    Kept(sessions.Session, sessions.SESSIONS, lambda session: table.session_key(session.thread_id)),
    Kept(sessions.StoredMessage, sessions.MESSAGES, lambda message: table.message_key(message.thread_id, message.seq)),
    Kept(jobs.StoredJob, jobs._JOBS, lambda job: jobs.key(job.id)),
    Kept(job_runs.StoredJobRun, job_runs._JOB_RUNS, lambda run: job_runs._key(run.job_id, run.due_at, run.run_id)),
    Kept(api_keys.StoredApiKey, api_keys._KEYS, lambda key: api_keys._key(key.id)),
    Kept(uploads.StoredUpload, uploads._UPLOADS, lambda _: uploads._key("alice", "upload")),
    Kept(memories.Memory, memories._MEMORIES, lambda memory: memories._key("alice", memory.id)),
    Kept(session_outcomes.StoredOutcome, session_outcomes._OUTCOMES, lambda _: session_outcomes._key("alice", "t")),
    Kept(run_tokens.StoredToken, run_tokens._TOKENS, lambda _: run_tokens._key("run")),
    Kept(calendar.CalendarEvent, calendar._EVENTS, lambda event: calendar._key("t", event.id_in("t"))),
    Kept(artifacts._Artifact, artifacts._ARTIFACTS, lambda artifact: table.artifact_key("t", artifact.id)),
    Kept(connections.Connection, connections._CONNECTIONS, lambda connection: keys.connection("w", connection.id)),
    Kept(connections.Opened, connections._OPENED, lambda _: connections._opened_key("c")),
    Kept(connections.Page, connections._PAGES, lambda _: connections._page_key("alice", "tag")),
    Kept(log.LogEntry, log._ENTRIES, lambda entry: keys.entry("w", entry.number)),
    Kept(log.Head, log._HEADS, lambda _: keys.head("w")),
    Kept(event_log.LoggedEvent, event_log._EVENTS, lambda event: table.logged_key(event.thread_id, event.event_id)),
    Kept(tool_use._Record, tool_use._TOOL_USES, lambda turn: tool_use._key("t", turn.place)),
    Kept(journal._Record, journal._RECORDS, lambda _: table.run_key_of("run", journal.Position().sort_key)),
    Kept(grants.StoredGrant, grants._GRANTS, lambda _: table.run_key_of("run", "GRANT")),
    Kept(tickets._Ticket, tickets._TICKETS, lambda _: tickets._key("ticket")),
)
NEVER_STORED: Final = {(sessions.Session, "last_answer")}
"""Fields that are read from what another record has."""

NUMBERS: Final = st.integers(-(10**30), 10**30)
JSON_VALUES: Final = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=5,
)
JOB_FIELDS: Final = [
    JobFields.model_validate({"input_template": "a", "schedule": schedule, "timezone": "UTC"} | more)
    for schedule, more in (
        ({"type": "daily", "run_at": {"hour": 7, "minute": 0}}, {}),
        (
            {"type": "weekly", "run_at": {"hour": 23, "minute": 59}, "weekdays": [1, 7]},
            {"title": "早", "status": "disabled"},
        ),
    )
]
SIMPLE: Final[Mapping[Any, st.SearchStrategy[Any]]] = {
    str: st.text(),
    bool: st.booleans(),
    int: NUMBERS,
    NoneType: st.none(),
    Any: JSON_VALUES,
    datetime: st.datetimes(timezones=st.integers(-720, 840).map(lambda minutes: timezone(timedelta(minutes=minutes)))),
    JobFields: st.sampled_from(JOB_FIELDS),
    sessions.StoredPicture: st.builds(sessions.StoredPicture, st.text(), st.text(), st.text()),
    Branch: st.builds(Branch, NUMBERS, NUMBERS, NUMBERS, st.text()),
}
EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
IN_A_KEY: Final = st.text(st.characters(exclude_characters="#"))
NARROWER: Final[Mapping[tuple[type[Any], str], st.SearchStrategy[Any]]] = {
    (event_log.LoggedEvent, "arrived_at"): st.integers(0, 2**47).map(
        lambda milliseconds: (EPOCH + timedelta(milliseconds=milliseconds)).isoformat(timespec="milliseconds")
    ),
    (event_log.LoggedEvent, "summary"): st.text(max_size=event_log.SUMMARY_CHARACTERS),
    (tool_use._Record, "place"): st.builds(tool_use._Place, st.integers(0, 10**10 - 1), IN_A_KEY, IN_A_KEY),
}
"""Fields that hold less than any value of their type."""


def values(hint: Any) -> st.SearchStrategy[Any]:
    if hint in SIMPLE:
        return SIMPLE[hint]
    kind, parts = get_origin(hint), get_args(hint)
    if isinstance(hint, type) and issubclass(hint, tuple) and hasattr(hint, "_fields"):
        return st.builds(hint, *map(values, get_type_hints(hint).values()))
    if kind is Literal:
        return st.sampled_from(parts)
    if kind in (Union, UnionType):
        return st.one_of(*map(values, parts))
    if kind is frozenset:
        return st.frozensets(st.text(min_size=1), max_size=3)
    if kind is tuple and parts[-1] is ...:
        return st.lists(values(parts[0]), max_size=3).map(tuple)
    if kind is tuple:
        return st.tuples(*map(values, parts))
    if isinstance(kind, type) and issubclass(kind, Mapping):
        return st.dictionaries(values(parts[0]), values(parts[1]), max_size=3)
    if kind is Sequence or (isinstance(kind, type) and issubclass(kind, Sequence)):
        return st.lists(values(parts[0]), max_size=3)
    raise TypeError(hint)


def records(record: type[Any]) -> st.SearchStrategy[Any]:
    hints = get_type_hints(record, localns={"Outcome": Outcome, "Picture": sessions.StoredPicture})
    names = [field.name for field in fields(record) if (record, field.name) not in NEVER_STORED]
    narrower = {name: of for (of_record, name), of in NARROWER.items() if of_record is record}
    return st.builds(record, **{name: values(hints[name]) for name in names if name not in narrower}, **narrower)


@pytest.mark.parametrize("kept", KEPT, ids=lambda kept: kept.record.__name__)
@settings(max_examples=50, suppress_health_check=[HealthCheck.too_slow])
@given(data=st.data())
def test_a_record_reads_back_as_it_was_stored(kept: Kept, data: st.DataObject) -> None:
    """Through DynamoDB's attribute values, with every field as it may be."""
    record = data.draw(records(kept.record))
    item = {**kept.key(record), **kept.codec.item(record)}
    assert kept.codec.record(table.from_wire(table.to_wire(item))) == record


@dataclass(frozen=True, slots=True)
class Example:
    id: str = field(metadata=in_key("sk", "EXAMPLE#"))
    owner: str
    note: str | None
    size: int = field(default=0, metadata=stored_always())
    kind: str = "plain"
    label: str = field(default="", metadata=stored_as("name_of_it"))
    parts: Sequence[str] = field(default=(), metadata=stored_as("parts", JSON))
    total: int | None = field(default=None, metadata=read_from("sum", lambda value: int(value) + 1))


EXAMPLES: Final = Codec(Example)
KEY: Final = {"pk": "EXAMPLES", "sk": "EXAMPLE#1"}


def test_what_is_none_or_as_by_default_takes_no_room() -> None:
    """Every write of an item is paid by its size."""
    assert EXAMPLES.item(Example("1", "alice", None)) == {"owner": "alice", "size": 0}
    full = Example("1", "alice", "n", 2, "other", "l", ("a",), 9)
    assert EXAMPLES.item(full) == {
        "owner": "alice",
        "note": "n",
        "size": 2,
        "kind": "other",
        "name_of_it": "l",
        "parts": '["a"]',
    }


def test_an_item_from_before_a_field_was_added_has_its_default() -> None:
    assert EXAMPLES.record({**KEY, "owner": "alice"}) == Example("1", "alice", None)


def test_attributes_of_others_are_left_alone() -> None:
    """A later version or another module stores them."""
    assert EXAMPLES.record({**KEY, "owner": "alice", "sum": 4, "expires_at": 1}).total == 5


def test_what_must_be_there_is_missed_by_its_name() -> None:
    with pytest.raises(KeyError, match="owner"):
        EXAMPLES.record(KEY)


def test_no_item_is_no_record() -> None:
    assert EXAMPLES.record_if(None) is None
    assert EXAMPLES.record_if({**KEY, "owner": "alice"}) == Example("1", "alice", None)
