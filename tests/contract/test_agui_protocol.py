"""`docs/agui-protocol.md` rules on every event type and member of AG-UI's newest SDKs, and says what is true."""

import json
from collections import Counter
from typing import Any, Final

from tests.support.agui import ruled
from tests.support.agui.ruled import COMMON, EVERY_EVENT
from tests.support.paths import ROOT

VECTORS: Final[list[dict[str, Any]]] = json.loads(
    (ROOT / "tests/unit/protocol/events/event_vectors.json").read_text("utf-8")
)["vectors"]


def ruled_members() -> dict[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for ruling in ruled.rulings():
        found.setdefault(ruling.type, set()).add(ruling.member)
    return {type_: frozenset(members) for type_, members in found.items()}


def test_every_member_of_the_python_sdk_has_a_ruling() -> None:
    """EVT-30: a member that the SDK adds or drops fails this test."""
    assert ruled_members() == ruled.python_members()


def test_every_member_of_the_javascript_sdk_has_a_ruling() -> None:
    """EVT-30: it has the same members as the Python SDK."""
    assert ruled_members() == ruled.javascript_members()


def test_a_member_has_one_ruling_and_each_refusal_a_reason() -> None:
    """EVT-30: the numbers are those of the list below the tables."""
    found = list(ruled.rulings())
    assert [pair for pair, count in Counter((one.type, one.member) for one in found).items() if count > 1] == []
    assert [one for one in found if one.fate == "refused" and one.number is None] == []
    numbers = ruled.explained()
    assert numbers == list(range(1, len(numbers) + 1))
    assert {one.number for one in found if one.number is not None} == set(numbers)


def sent_members() -> dict[str, set[str]]:
    """Return the members that the recorded events have for AG-UI clients, by type."""
    found: dict[str, set[str]] = {}
    for vector in VECTORS:
        for line in filter(None, (vector["agui"], vector["agui_before_1_0"])):
            event = json.loads(line)
            found.setdefault(event.pop("type"), set()).update(event)
    return found


def test_clients_are_sent_what_the_page_says_and_nothing_that_it_refuses() -> None:
    """EVT-30: the recorded events have every member that events may have."""
    refused = {(one.type, one.member) for one in ruled.rulings() if one.fate == "refused"}
    kept = {(one.type, one.member) for one in ruled.rulings() if one.fate != "refused" and not is_short_form(one)}
    sent = {(type_, member) for type_, members in sent_members().items() for member in members}
    own = {(type_, member) for type_, member in sent if member not in COMMON}
    types = set(sent_members())
    assert own == {pair for pair in kept if pair[0] in types}
    assert {(EVERY_EVENT, member) for _, member in sent - own} | {(EVERY_EVENT, "type")} == {
        pair for pair in kept if pair[0] == EVERY_EVENT
    }
    assert not refused & sent
    assert types == {type_ for type_, member in kept if type_.isupper()}


def is_short_form(ruling: ruled.Ruling) -> bool:
    """Return whether it is of a chunk, which is passed on in full."""
    return ruling.type.endswith("_CHUNK")
