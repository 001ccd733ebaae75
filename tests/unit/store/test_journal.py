"""A journal as a chain of places: what goes where, how it is packed, and how far it may be read."""

from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from yarrow.store import journal, table

LINES = st.lists(st.text(st.characters(blacklist_characters="\n", blacklist_categories=["Cs"]), min_size=1), max_size=6)


class Table:
    """Items by their keys, as a query finds them."""

    def __init__(self) -> None:
        self.items: dict[str, table.Item] = {}

    def put_alone(self, item: table.Item, _: str) -> None:
        if item["sk"] in self.items:
            raise table.ConditionFailedError([True])
        self.items[item["sk"]] = item

    def get(self, key: table.Item) -> table.Item | None:
        return self.items.get(key["sk"])

    def query(
        self, _: str, *, start: str, before: str, limit: int | None = None, newest_first: bool = False, **__: Any
    ) -> Iterator[table.Item]:
        found = [key for key in sorted(self.items, reverse=newest_first) if start <= key <= before]
        return (self.items[key] for key in found[:limit])


@pytest.fixture(autouse=True)
def stored(monkeypatch: pytest.MonkeyPatch) -> Table:
    fake = Table()
    for name in ("put_alone", "get", "query"):
        monkeypatch.setattr(table, name, getattr(fake, name))
    return fake


def put(*batches: list[str], attempt: int = 1) -> list[journal.Position]:
    """Append batches one after another; the place of each, and the one after."""
    places = [journal.Position()]
    for lines in batches:
        places.append(journal.append("key", attempt, places[-1], lines))
    return places


def read(at: journal.Position) -> list[tuple[int, str]]:
    return [event for batch in journal.read("key", at) for event in batch.numbered()]


@given(st.lists(LINES, max_size=5))
def test_what_is_read_from_any_place_is_what_was_put_there(batches: list[list[str]]) -> None:
    """EVT-04, EVT-27: whatever the events have in common, and however many places were taken for nothing."""
    with pytest.MonkeyPatch.context() as patch:
        fake = Table()
        for name in ("put_alone", "get", "query"):
            patch.setattr(table, name, getattr(fake, name))
        places = put(*batches)
        whole = list(enumerate([line for lines in batches for line in lines], 1))
        for place in places:
            assert read(place) == whole[place.last :]
        for number, _ in whole:
            start = journal.position_of("key", number)
            assert start in places
            assert start.last < number
            assert dict(read(start))[number] == dict(whole)[number]
        assert journal.position_of("key", len(whole) + 1) is None


def test_a_place_is_taken_once() -> None:
    """EVT-27: also by nothing, which is how a worker shuts out the one before it."""
    at, end = put(["a"])
    for lines in (["b"], []):
        with pytest.raises(table.ConditionFailedError):
            journal.append("key", 2, at, lines)
    assert journal.append("key", 2, end, []) == journal.Position(1, 1)
    with pytest.raises(table.ConditionFailedError):
        journal.append("key", 1, end, ["b"])


def test_a_worker_knows_its_own() -> None:
    """EVT-27, CMP-11: a write whose answer was lost is found again, and no other's is taken for it."""
    at, end = put(["a", "b"], attempt=3)
    assert journal.own("key", 3, at) == end
    assert journal.own("key", 2, at) is None
    assert journal.own("key", 3, end) is None


def test_nothing_is_read_past_a_gap(stored: Table) -> None:
    """EVT-04, EVT-27: two appends came while the query ran, and it saw the second only; the next reading sees both."""
    _, second, _, _ = put(["a"], ["b", "c"], ["d"])
    missed = stored.items.pop(second.sort_key)
    assert read(journal.Position()) == [(1, "a")]
    assert read(second) == []
    stored.items[second.sort_key] = missed
    assert read(second) == [(2, "b"), (3, "c"), (4, "d")]


def test_what_events_begin_with_is_stored_once(stored: Table) -> None:
    """One write unit is a kilobyte: the ids and names of a message's pieces are most of their text."""
    start = '{"type":"TEXT_MESSAGE_CONTENT","delta":"'
    put([f'{start}a"}}', f'{start}b"}}'])
    (item,) = stored.items.values()
    assert (item["opening"], item["events"]) == (start, 'a"}\nb"}')


@pytest.mark.parametrize(
    ("lines", "is_shown"),
    [
        (['{"type":"TEXT_MESSAGE_CONTENT","delta":"a"}', '{"type":"TOOL_CALL_ARGS","delta":"b"}'], False),
        (['{"type":"TEXT_MESSAGE_CONTENT","delta":"a"}', '{"type":"TEXT_MESSAGE_END"}'], True),
        ([], False),
    ],
)
def test_an_item_names_the_workspace_that_shows_one_of_its_events(
    stored: Table, lines: list[str], is_shown: bool
) -> None:
    """CMP-09: the table's stream is filtered by it, so pieces of a text alone wake nobody."""
    journal.append("key", 1, journal.Position(), lines, "workspace-1")
    (item,) = stored.items.values()
    assert item.get("workspace") == ("workspace-1" if is_shown else None)
    assert read(journal.Position()) == list(enumerate(lines, 1))
