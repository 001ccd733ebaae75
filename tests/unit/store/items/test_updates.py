"""Updates and conditions: what they are composed of is what DynamoDB does and checks."""

from collections.abc import Callable
from functools import reduce
from typing import Any

import pytest
from boto3.dynamodb import conditions as boto3_conditions
from botocore.exceptions import ClientError
from hypothesis import given
from hypothesis import strategies as st

from tests.support.memory_aws.table import MemoryTable
from yarrow.store.items.updates import ALWAYS, EXISTS, IS_NEW, Attr, Condition, Update, parameters
from yarrow.store.table import Item, from_wire, to_wire

KEY = {"pk": "RUN#1", "sk": "RUN"}
NAMES = ("phase", "beats", "run_keys", "slots")
ITEM: Item = {"phase": "running", "beats": 2, "run_keys": {"a", "b"}, "slots": {"s.1": 1, "s.2": 2}}


class Stored:
    """The table with one item, or none."""

    def __init__(self, item: Item | None) -> None:
        self._table = MemoryTable()
        if item is not None:
            self._table.PutItem(Item=to_wire({**KEY, **item}))

    @property
    def item(self) -> Item:
        return {name: value for name, value in from_wire(self._table.items[0]).items() if name not in KEY}

    def update(self, changes: Update, condition: Condition = ALWAYS) -> Item:
        self._table.UpdateItem(Key=to_wire(KEY), **parameters(changes, condition))
        return self.item

    def puts(self, request: Item) -> bool:
        try:
            self._table.PutItem(Item=to_wire(KEY), **request)
        except ClientError as error:
            if error.response["Error"]["Code"] != "ConditionalCheckFailedException":
                raise
            return False
        return True


def holds(item: Item | None, condition: Condition) -> bool:
    return Stored(item).puts(parameters(None, condition))


NUMBERS = st.integers(-3, 3)
MEMBERS = st.sets(st.sampled_from("abc"), min_size=1)
CHANGES: dict[str, st.SearchStrategy[Update]] = {
    "phase": st.one_of(
        st.sampled_from(["queued", "running", None]).map(lambda value: Update().set(phase=value)),
        st.sampled_from(["queued", "failed"]).map(lambda value: Update().set_once(phase=value)),
        st.just(Update().remove("phase")),
    ),
    "beats": st.one_of(
        NUMBERS.map(lambda value: Update().set(beats=value)),
        NUMBERS.map(lambda amount: Update().increase(beats=amount)),
        NUMBERS.map(lambda amount: Update().add(beats=amount)),
    ),
    "run_keys": st.one_of(
        MEMBERS.map(lambda members: Update().add(run_keys=members)),
        MEMBERS.map(lambda members: Update().delete(run_keys=members)),
        st.just(Update().set(run_keys={"z"})),
    ),
    "slots": st.one_of(
        st.sampled_from(["s.1", "s.9"]).map(lambda member: Update().set_member("slots", member, 7)),
        st.sampled_from([["s.1"], ["s.1", "s.2"], ["s.9"]]).map(
            lambda members: Update().remove_members("slots", members)
        ),
        st.just(Update().set(slots={})),
    ),
}
SEVERAL = st.sets(st.sampled_from(NAMES), min_size=1).flatmap(lambda names: st.tuples(*map(CHANGES.get, sorted(names))))


@given(SEVERAL.flatmap(st.permutations))
def test_an_update_of_several_does_what_each_does(changes: list[Update]) -> None:
    """Their order does not matter."""
    one_by_one, at_once = Stored(ITEM), Stored(ITEM)
    for change in changes:
        one_by_one.update(change)
    assert at_once.update(reduce(Update.__add__, changes)) == one_by_one.item


CONDITIONS: tuple[tuple[str, Callable[[Any], Any]], ...] = (
    ("phase", lambda attr: attr.exists()),
    ("phase", lambda attr: attr.not_exists()),
    ("phase", lambda attr: attr.eq("running")),
    ("phase", lambda attr: attr.is_in(["queued", "running"])),
    ("beats", lambda attr: attr.lt(2)),
    ("beats", lambda attr: attr.lte(2)),
    ("beats", lambda attr: attr.gt(2)),
    ("beats", lambda attr: attr.gte(2)),
    ("beats", lambda attr: attr.between(1, 2)),
    ("beats", lambda attr: attr.between(3, 5)),
    ("run_keys", lambda attr: attr.contains("a")),
    ("run_keys", lambda attr: attr.contains("z")),
    ("run_keys", lambda attr: attr.size_lt(3) if isinstance(attr, Attr) else attr.size().lt(3)),
    ("absent", lambda attr: attr.lt(9)),
)
LEAVES = st.sampled_from(CONDITIONS)
TREES = st.recursive(LEAVES, lambda parts: st.tuples(st.sampled_from("&|"), parts, parts), max_leaves=6)


def built(tree: Any, attr: Callable[[str], Any]) -> Any:
    """Return the condition of a tree, of attributes of ours or of boto3's."""
    if len(tree) == 2:
        return tree[1](attr(tree[0]))
    sign, left, right = tree
    if sign == "&":
        return built(left, attr) & built(right, attr)
    return built(left, attr) | built(right, attr)


@given(TREES, st.sampled_from([ITEM, {"phase": "queued", "beats": 4}, {}]))
def test_a_condition_means_what_boto3s_means(tree: Any, item: Item) -> None:
    """For the same calls, where boto3 has parentheses around each `&` and `|`."""
    theirs = boto3_conditions.ConditionExpressionBuilder().build_expression(built(tree, boto3_conditions.Attr))
    request = {
        "ConditionExpression": theirs.condition_expression,
        "ExpressionAttributeNames": theirs.attribute_name_placeholders,
        "ExpressionAttributeValues": to_wire(theirs.attribute_value_placeholders),
    }
    expected = Stored(item).puts({name: value for name, value in request.items() if value})
    assert holds(item, built(tree, Attr)) == expected


@given(TREES, TREES, st.sampled_from([ITEM, {}]))
def test_both_and_either_are_what_they_are_of_each(one: Any, other: Any, item: Item) -> None:
    left, right = built(one, Attr), built(other, Attr)
    assert holds(item, left & right) == (holds(item, left) and holds(item, right))
    assert holds(item, left | right) == (holds(item, left) or holds(item, right))
    assert (left & ALWAYS, ALWAYS & left, left | ALWAYS, ALWAYS | left) == (left, left, ALWAYS, ALWAYS)


def test_none_is_an_attribute_that_is_missing() -> None:
    """As in items, where it is left out."""
    assert Stored(ITEM).update(Update().set(phase=None, beats=3)) == {**without(ITEM, "phase"), "beats": 3}
    assert holds(without(ITEM, "phase"), Attr("phase").eq(None))
    assert not holds(ITEM, Attr("phase").eq(None))


def without(item: Item, name: str) -> Item:
    return {other: value for other, value in item.items() if other != name}


def test_an_item_is_new_or_exists() -> None:
    assert (holds(None, IS_NEW), holds({}, IS_NEW)) == (True, False)
    assert (holds(None, EXISTS), holds({}, EXISTS)) == (False, True)


def test_a_member_of_a_map_may_have_any_name() -> None:
    """A stream's slot is named after its run, with a dot."""
    assert holds(ITEM, Attr("slots", "s.1").exists())
    assert not holds(ITEM, Attr("slots", "s.9").exists())
    condition = Attr("slots", "s.1").eq(1) & Attr("slots", "s.2").eq(2)
    assert Stored(ITEM).update(Update().set_member("slots", "s.1", 5), condition)["slots"] == {"s.1": 5, "s.2": 2}


def test_values_of_one_attribute_have_placeholders_of_their_own() -> None:
    """They are the old value and the new one."""
    write = parameters(Update().set(beats=3), Attr("beats").eq(2) & Attr("beats").lt(9))
    assert write == {
        "UpdateExpression": "SET beats = :beats",
        "ConditionExpression": "beats = :beats_2 AND beats < :beats_3",
        "ExpressionAttributeValues": {":beats": {"N": "3"}, ":beats_2": {"N": "2"}, ":beats_3": {"N": "9"}},
    }


def test_what_is_set_once_stays() -> None:
    once = Update().set_once(phase="queued", label="a")
    assert Stored(ITEM).update(once) == {**ITEM, "label": "a"}


def test_a_number_that_is_missing_can_be_added_to_and_not_increased() -> None:
    assert Stored({}).update(Update().add(beats=2)) == {"beats": 2}
    with pytest.raises(ClientError):
        Stored({}).update(Update().increase(beats=2))


@pytest.mark.parametrize(
    "changes",
    [
        Update(),
        Update().set(beats=1).increase(beats=1),
        Update().set(beats=1) + Update().remove("beats"),
        Update().set(slots={}).set_member("slots", "s", 1),
        Update().set_member("slots", "s", 1).remove("slots"),
    ],
)
def test_an_update_changes_something_and_nothing_twice(changes: Update) -> None:
    """DynamoDB refuses it, too."""
    with pytest.raises(ValueError, match=r"an update changes (nothing|\w+ twice)"):
        parameters(changes, ALWAYS)
