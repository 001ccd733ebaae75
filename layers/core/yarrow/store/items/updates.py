"""Updates and conditions of items. They are composed as values, and become DynamoDB's expressions when they are sent.

`Attr` has the methods of boto3's, which would take another 11 ms to import. None stands for an attribute that is
missing, as in `table.to_wire`: to set it removes the attribute. No attribute of this table is a reserved word of
DynamoDB, so only members of maps get placeholders for their names.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal, NamedTuple

from yarrow.formats import attribute_values

Operand = tuple[str, Any]
"""A placeholder's name, and what it stands for: `:name` and a value, or `#name` and the name of a member of a map."""

Clause = Literal["SET", "REMOVE", "ADD", "DELETE"]
_CLAUSES: Final[Sequence[Clause]] = ("SET", "REMOVE", "ADD", "DELETE")


@dataclass(frozen=True, slots=True)
class Condition:
    """A condition of a write. `text` has `{}` for each operand; without text it always holds."""

    text: str = ""
    operands: tuple[Operand, ...] = ()
    joined_by: Literal["", "AND", "OR"] = ""

    def __and__(self, other: "Condition") -> "Condition":
        if not self.text or not other.text:
            return self if self.text else other
        return self._joined("AND", other)

    def __or__(self, other: "Condition") -> "Condition":
        if not self.text or not other.text:
            return ALWAYS
        return self._joined("OR", other)

    def _joined(self, word: Literal["AND", "OR"], other: "Condition") -> "Condition":
        sides = [f"({each.text})" if each.joined_by not in ("", word) else each.text for each in (self, other)]
        return Condition(f"{sides[0]} {word} {sides[1]}", self.operands + other.operands, word)


ALWAYS: Final = Condition()


def _path(name: str, member: str | None) -> tuple[str, tuple[Operand, ...]]:
    """The text of a path, and its operands."""
    return (name, ()) if member is None else (f"{name}.{{}}", ((f"#{name}", member),))


class Attr:
    """An attribute in a condition, or a member of one that is a map."""

    __slots__ = ("_names", "_path", "_stem")

    def __init__(self, name: str, member: str | None = None) -> None:
        self._stem = f":{name}"
        self._path, self._names = _path(name, member)

    def exists(self) -> Condition:
        return self._holds("attribute_exists({path})")

    def not_exists(self) -> Condition:
        return self._holds("attribute_not_exists({path})")

    def eq(self, value: Any) -> Condition:
        """None: it is missing."""
        return self.not_exists() if value is None else self._holds("{path} = {{}}", value)

    def lt(self, value: Any) -> Condition:
        return self._holds("{path} < {{}}", value)

    def lte(self, value: Any) -> Condition:
        return self._holds("{path} <= {{}}", value)

    def gt(self, value: Any) -> Condition:
        return self._holds("{path} > {{}}", value)

    def gte(self, value: Any) -> Condition:
        return self._holds("{path} >= {{}}", value)

    def between(self, low: Any, high: Any) -> Condition:
        """Including both."""
        return self._holds("{path} BETWEEN {{}} AND {{}}", low, high)

    def is_in(self, values: Collection[Any]) -> Condition:
        return self._holds(f"{{path}} IN ({', '.join(['{{}}'] * len(values))})", *values)

    def contains(self, value: Any) -> Condition:
        """A set its member, or a text its part."""
        return self._holds("contains({path}, {{}})", value)

    def size_lt(self, size: int) -> Condition:
        """The members of a set or map, or the bytes of a text, are fewer."""
        return self._holds("size({path}) < {{}}", size)

    def _holds(self, form: str, *values: Any) -> Condition:
        operands = (*self._names, *((self._stem, value) for value in values))
        return Condition(form.format(path=self._path), operands)


IS_NEW: Final = Attr("pk").not_exists()
"""There is no such item yet."""

EXISTS: Final = Attr("pk").exists()


class _Change(NamedTuple):
    """One change of a clause. `text` has `{}` for each operand."""

    clause: Clause
    path: tuple[str, str | None]
    text: str
    operands: tuple[Operand, ...]


@dataclass(frozen=True, slots=True)
class Update:
    """Changes of attributes, each of another one. `+` makes those of both."""

    changes: tuple[_Change, ...] = ()

    def __add__(self, other: "Update") -> "Update":
        return Update(self.changes + other.changes)

    def set(self, **values: Any) -> "Update":
        """Set attributes; those that are None are removed."""
        return self._with(
            _change("REMOVE", name) if value is None else _change("SET", name, " = {}", value)
            for name, value in values.items()
        )

    def set_once(self, **values: Any) -> "Update":
        """Set attributes that are missing; others stay."""
        return self._with(
            _change("SET", name, f" = if_not_exists({name}, {{}})", value) for name, value in values.items()
        )

    def increase(self, **amounts: int) -> "Update":
        """Add to numbers, which must be there."""
        return self._with(_change("SET", name, f" = {name} + {{}}", amount) for name, amount in amounts.items())

    def add(self, **amounts: Any) -> "Update":
        """Add to numbers, or members to sets; one that is missing counts as 0, or empty."""
        return self._with(_change("ADD", name, " {}", amount) for name, amount in amounts.items())

    def delete(self, **members: Collection[str]) -> "Update":
        """Take members out of sets."""
        return self._with(_change("DELETE", name, " {}", each) for name, each in members.items())

    def remove(self, *names: str) -> "Update":
        return self._with(_change("REMOVE", name) for name in names)

    def set_member(self, name: str, member: str, value: Any) -> "Update":
        """Set a member of a map, which must be there."""
        return self._with([_change("SET", name, " = {}", value, member=member)])

    def remove_members(self, name: str, members: Collection[str]) -> "Update":
        """Remove members of a map."""
        return self._with(_change("REMOVE", name, member=member) for member in members)

    def _with(self, changes: Iterable[_Change]) -> "Update":
        return Update((*self.changes, *changes))


NOTHING: Final = Update()


def parameters(update: Update | None, condition: Condition) -> dict[str, Any]:
    """A write's parameters: its expressions, and what their placeholders stand for.

    Raises ValueError for an update that changes nothing, or an attribute twice.
    """
    placeholders = _Placeholders()
    found: dict[str, Any] = {}
    if update is not None:
        found["UpdateExpression"] = _expression(update.changes, placeholders)
    if condition.text:
        found["ConditionExpression"] = placeholders.fill(condition.text, condition.operands)
    if placeholders.values:
        found["ExpressionAttributeValues"] = placeholders.values
    if placeholders.names:
        found["ExpressionAttributeNames"] = placeholders.names
    return found


class _Placeholders:
    """`names` and `values` by their placeholders; a second one of a name ends with `_2`."""

    def __init__(self) -> None:
        self.names: dict[str, str] = {}
        self.values: dict[str, Any] = {}

    def fill(self, text: str, operands: Sequence[Operand]) -> str:
        return text.format(*[self._place(*operand) for operand in operands])

    def _place(self, stem: str, operand: Any) -> str:
        name, number = stem, 1
        while name in self.names or name in self.values:
            number += 1
            name = f"{stem}_{number}"
        if stem[0] == "#":
            self.names[name] = operand
        else:
            self.values[name] = attribute_values.serialize(operand)
        return name


def _expression(changes: Sequence[_Change], placeholders: _Placeholders) -> str:
    paths = {change.path for change in changes}
    whole = {name for name, member in paths if member is None}
    if not changes or len(paths) < len(changes) or any(member and name in whole for name, member in paths):
        raise ValueError("an update changes nothing, or an attribute twice")
    clauses: list[str] = []
    for clause in _CLAUSES:
        parts = [placeholders.fill(each.text, each.operands) for each in changes if each.clause == clause]
        if parts:
            clauses.append(f"{clause} {', '.join(parts)}")
    return " ".join(clauses)


def _change(clause: Clause, name: str, action: str = "", *values: Any, member: str | None = None) -> _Change:
    path, names = _path(name, member)
    return _Change(clause, (name, member), path + action, (*names, *((f":{name}", value) for value in values)))
