"""Updates and conditions, composed as values and turned into DynamoDB's expressions when sent. `Attr` has the methods
of boto3's, which take another 11 ms to import. None stands for a missing attribute, as in `table.to_wire`: setting it
removes the attribute. No attribute of this table is a reserved word, so only members of maps get placeholders for their
names.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any, Final, Literal, NamedTuple

from yarrow.formats import attribute_values

Form = tuple[str, ...]
"""Text of an expression, with `:name` for an operand and `#name` for a member's name."""

Clause = Literal["SET", "REMOVE", "ADD", "DELETE"]


@dataclass(slots=True, unsafe_hash=True)  # nothing changes one; frozen, it would take three times as long to make
class Condition:
    """A condition, with its operands in order; without a form it always holds."""

    form: Form = ()
    operands: tuple[Any, ...] = ()
    joined_by: Literal["", "AND", "OR"] = ""

    def __and__(self, other: "Condition") -> "Condition":
        if not self.form or not other.form:
            return self if self.form else other
        form = (*self._within("AND"), " AND ", *other._within("AND"))
        return Condition(form, self.operands + other.operands, "AND")

    def __or__(self, other: "Condition") -> "Condition":
        if not self.form or not other.form:
            return ALWAYS
        form = (*self._within("OR"), " OR ", *other._within("OR"))
        return Condition(form, self.operands + other.operands, "OR")

    def _within(self, word: Literal["AND", "OR"]) -> Form:
        """Return the form, in parentheses if joining it by this word needs them."""
        return self.form if self.joined_by in ("", word) else ("(", *self.form, ")")


ALWAYS: Final = Condition()


class Attr:
    """An attribute, or a member of one that is a map."""

    __slots__ = ("_names", "_path", "_value")

    def __init__(self, name: str, member: str | None = None) -> None:
        self._path: Form = (name,) if member is None else (f"{name}.", f"#{name}")
        self._names = () if member is None else (member,)
        self._value = f":{name}"

    def exists(self) -> Condition:
        return self._holds("attribute_exists(", *self._path, ")")

    def not_exists(self) -> Condition:
        return self._holds("attribute_not_exists(", *self._path, ")")

    def eq(self, value: Any) -> Condition:
        """The value is equal; for None, the attribute is missing."""
        return self.not_exists() if value is None else self._compared(" = ", value)

    def lt(self, value: Any) -> Condition:
        return self._compared(" < ", value)

    def lte(self, value: Any) -> Condition:
        return self._compared(" <= ", value)

    def gt(self, value: Any) -> Condition:
        return self._compared(" > ", value)

    def gte(self, value: Any) -> Condition:
        return self._compared(" >= ", value)

    def between(self, low: Any, high: Any) -> Condition:
        """The range includes both ends."""
        return self._holds(*self._path, " BETWEEN ", self._value, " AND ", self._value, of=(low, high))

    def is_in(self, values: Collection[Any]) -> Condition:
        """There must be at least one value."""
        listed = [part for _ in values for part in (", ", self._value)][1:]
        return self._holds(*self._path, " IN (", *listed, ")", of=tuple(values))

    def contains(self, value: Any) -> Condition:
        """A set contains the member, or a text the substring."""
        return self._holds("contains(", *self._path, ", ", self._value, ")", of=(value,))

    def size_lt(self, size: int) -> Condition:
        """A set or map has fewer members, or a text fewer bytes."""
        return self._holds("size(", *self._path, ") < ", self._value, of=(size,))

    def _compared(self, sign: str, value: Any) -> Condition:
        return Condition((*self._path, sign, self._value), (*self._names, value))

    def _holds(self, *form: str, of: tuple[Any, ...] = ()) -> Condition:
        return Condition(form, self._names + of)


IS_NEW: Final = Attr("pk").not_exists()

EXISTS: Final = Attr("pk").exists()


class _Change(NamedTuple):
    """A change of one attribute, or of a member of it."""

    clause: Clause
    name: str
    form: Form


@dataclass(slots=True, unsafe_hash=True)  # as `Condition`
class Update:
    """Changes of different attributes, with their operands in order; `+` joins two updates."""

    changes: tuple[_Change, ...] = ()
    operands: tuple[Any, ...] = ()

    def __add__(self, other: "Update") -> "Update":
        return Update(self.changes + other.changes, self.operands + other.operands)

    def set(self, **values: Any) -> "Update":
        """Set attributes; None removes one."""
        changes = [_removed(name) if value is None else _set(name) for name, value in values.items()]
        return self._with(changes, [value for value in values.values() if value is not None])

    def set_once(self, **values: Any) -> "Update":
        """Set those that are missing."""
        return self._with(map(_set_once, values), values.values())

    def increase(self, **amounts: int) -> "Update":
        """Add to numbers, which must exist."""
        return self._with(map(_increased, amounts), amounts.values())

    def add(self, **amounts: Any) -> "Update":
        """Add to numbers, or members to sets; a missing one counts as 0 or empty."""
        return self._with(map(_added, amounts), amounts.values())

    def delete(self, **members: Collection[str]) -> "Update":
        return self._with(map(_deleted, members), members.values())

    def remove(self, *names: str) -> "Update":
        return self._with(map(_removed, names))

    def set_member(self, name: str, member: str, value: Any) -> "Update":
        """Set a member of a map, which must exist."""
        return self._with([_Change("SET", name, (f"{name}.", f"#{name}", " = ", f":{name}"))], (member, value))

    def remove_members(self, name: str, members: Collection[str]) -> "Update":
        return self._with([_Change("REMOVE", name, (f"{name}.", f"#{name}"))] * len(members), members)

    def _with(self, changes: Iterable[_Change], operands: Iterable[Any] = ()) -> "Update":
        return Update((*self.changes, *changes), (*self.operands, *operands))


NOTHING: Final = Update()


@cache
def _set(name: str) -> _Change:
    return _Change("SET", name, (f"{name} = ", f":{name}"))


@cache
def _set_once(name: str) -> _Change:
    return _Change("SET", name, (f"{name} = if_not_exists({name}, ", f":{name}", ")"))


@cache
def _increased(name: str) -> _Change:
    return _Change("SET", name, (f"{name} = {name} + ", f":{name}"))


@cache
def _added(name: str) -> _Change:
    return _Change("ADD", name, (f"{name} ", f":{name}"))


@cache
def _deleted(name: str) -> _Change:
    return _Change("DELETE", name, (f"{name} ", f":{name}"))


@cache
def _removed(name: str) -> _Change:
    return _Change("REMOVE", name, (name,))


def parameters(update: Update | None, condition: Condition) -> dict[str, Any]:
    """Return a write's expressions, with the names and values of their placeholders. Raises ValueError for an update
    that changes nothing, or an attribute twice.
    """
    changes, operands = (None, ()) if update is None else (update.changes, update.operands)
    texts, placeholders = _expressions(changes, condition.form)
    found: dict[str, Any] = {**texts}
    names: dict[str, str] = {}
    values: dict[str, Any] = {}
    for placeholder, operand in zip(placeholders, operands + condition.operands, strict=True):
        if placeholder[0] == ":":
            values[placeholder] = attribute_values.serialize(operand)
        else:
            names[placeholder] = operand
    if values:
        found["ExpressionAttributeValues"] = values
    if names:
        found["ExpressionAttributeNames"] = names
    return found


@lru_cache(maxsize=1_000)  # the writes of a line of code have one form, or a few
def _expressions(changes: tuple[_Change, ...] | None, condition: Form) -> tuple[Mapping[str, str], Sequence[str]]:
    """Return the expressions by parameter, and their placeholders in order; a name's second one ends with `_2`."""
    placeholders: list[str] = []
    texts: dict[str, str] = {}
    if changes is not None:
        _check(changes)
        clauses: dict[Clause, list[str]] = {}
        for clause, _, form in changes:
            clauses.setdefault(clause, []).append(_text(form, placeholders))
        texts["UpdateExpression"] = " ".join(f"{clause} {', '.join(parts)}" for clause, parts in clauses.items())
    if condition:
        texts["ConditionExpression"] = _text(condition, placeholders)
    return texts, placeholders


def _text(form: Form, placeholders: list[str]) -> str:
    parts: list[str] = []
    for part in form:
        if part[0] not in ":#":
            parts.append(part)
            continue
        placeholder, number = part, 1
        while placeholder in placeholders:
            number += 1
            placeholder = f"{part}_{number}"
        placeholders.append(placeholder)
        parts.append(placeholder)
    return "".join(parts)


def _check(changes: Sequence[_Change]) -> None:
    """Raise ValueError for an attribute changed twice; DynamoDB itself refuses it for a map's member."""
    if not changes:
        raise ValueError("an update changes nothing")
    names = [change.name for change in changes]
    for change in changes:
        if f"#{change.name}" not in change.form and names.count(change.name) > 1:
            raise ValueError(f"an update changes {change.name} twice")
