"""Parses DynamoDB's expressions on items in wire format: conditions, filters, updates, keys and projections.

An expression is parsed once into functions. It cannot name elements of lists (`a[0]`) or, in projections and keys,
members of maps. Errors are ValidationException.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from operator import eq, ge, gt, le, lt, ne
from pathlib import Path
from typing import Any, Final, Generic, TypeVar

from local.dynamodb.errors import OperationError, invalid
from local.dynamodb.evaluation import (
    Item,
    Names,
    Request,
    Values,
    added,
    at,
    begins,
    compared,
    contains,
    put,
    remove,
    size_of,
    there,
    total,
    typed,
    without,
)

_Parsed = TypeVar("_Parsed")
_Argument = TypeVar("_Argument")


Operand = Callable[[Request], Any]
Condition = Callable[[Request], bool]
Action = Callable[[Request, Item], None]
"""Reads the item before the update, changes the item after it."""


@dataclass(frozen=True, slots=True)
class ParsedExpression(Generic[_Parsed]):
    parsed: _Parsed
    placeholders: frozenset[str]


@dataclass(frozen=True, slots=True)
class KeyPart:
    """The condition on one key attribute, whose name may be a placeholder."""

    name: str
    operator: str
    operands: tuple[Operand, ...]


_TOKEN: Final = re.compile(r"\s*(?:([:#]?[A-Za-z_][A-Za-z0-9_]*)|(<>|<=|>=|[=<>().,+-]))")
_COMPARISONS: Final = {"=": eq, "<>": ne, "<": lt, "<=": le, ">": gt, ">=": ge}
_CLAUSES: Final = ("SET", "REMOVE", "ADD", "DELETE")


@cache
def condition(expression: str) -> ParsedExpression[Condition]:
    """Parse a condition or filter."""
    parser = _Parser(expression)
    return parser.whole(parser.either())


@cache
def update(expression: str) -> ParsedExpression[tuple[Action, ...]]:
    parser = _Parser(expression)
    actions: list[Action] = []
    while parser.here:
        clause = parser.take()
        if clause not in _CLAUSES:
            raise invalid(f"{clause} is not a clause of an update: {expression}")
        actions.append(parser.action(clause))
        while parser.skip(","):
            actions.append(parser.action(clause))
    return parser.whole(tuple(actions))


@cache
def key_condition(expression: str) -> ParsedExpression[tuple[KeyPart, ...]]:
    parser = _Parser(expression)
    return parser.whole(tuple(parser.key_parts()))


@cache
def projection(expression: str) -> ParsedExpression[tuple[str, ...]]:
    """Parse a projection into names, which may be placeholders."""
    parser = _Parser(expression)
    names = [parser.name()]
    while parser.skip(","):
        names.append(parser.name())
    return parser.whole(tuple(names))


def check_placeholders(names: Names, values: Values, expressions: list[ParsedExpression[Any]]) -> None:
    """Raise ValidationException for a placeholder that is used but not defined, or defined but not used."""
    used = expressions[0].placeholders if len(expressions) == 1 else _placeholders(expressions)
    if len(used) == len(names) + len(values) and used.issuperset(names) and used.issuperset(values):
        return
    for placeholder in sorted(used - names.keys() - values.keys()):
        kind = "value" if placeholder.startswith(":") else "name"
        raise invalid(
            f"An expression attribute {kind} used in expression is not defined; attribute {kind}: {placeholder}"
        )
    for kind, defined in (("Values", values), ("Names", names)):
        if unused := ", ".join(sorted(defined.keys() - used)):
            raise invalid(f"Value provided in ExpressionAttribute{kind} unused in expressions: keys: {{{unused}}}")


def _placeholders(expressions: list[ParsedExpression[Any]]) -> frozenset[str]:
    return frozenset[str]().union(*(expression.placeholders for expression in expressions))


@cache
def reserved_words() -> frozenset[str]:
    """Read DynamoDB's reserved words, in upper case."""
    return frozenset(Path(__file__).with_name("reserved_words.txt").read_text(encoding="ascii").split())


class _Parser:
    def __init__(self, expression: str) -> None:
        self._expression = expression
        self._tokens: list[str] = []
        position = 0
        while expression[position:].strip():
            found = _TOKEN.match(expression, position)
            if found is None:
                raise self._error(expression[position:].strip())
            self._tokens.append(found[1] or found[2])
            position = found.end()
        self._at = 0

    def whole(self, parsed: _Parsed) -> ParsedExpression[_Parsed]:
        """Parse all tokens. Raises ValidationException if any are left."""
        if self.here:
            raise self._error(self.here)
        return ParsedExpression(parsed, frozenset(token for token in self._tokens if token[0] in ":#"))

    @property
    def here(self) -> str:
        return self._tokens[self._at] if self._at < len(self._tokens) else ""

    def take(self, wanted: str | None = None) -> str:
        token = self.here
        if not token or (wanted is not None and token != wanted):
            raise self._error(token)
        self._at += 1
        return token

    def skip(self, token: str) -> bool:
        if self.here != token:
            return False
        self._at += 1
        return True

    def name(self) -> str:
        """Parse the name of an attribute or a placeholder for one."""
        name = self.take()
        if name.upper() in reserved_words():
            raise invalid(f"Attribute name is a reserved keyword; reserved keyword: {name}")
        if not (name[0] in "#_" or name[0].isalpha()):
            raise self._error(name)
        return name

    def _error(self, token: str) -> OperationError:
        return invalid(f"Syntax error; token: {token or '<EOF>'}, in: {self._expression}")

    # ---- conditions

    def either(self) -> Condition:
        parts = [self._both()]
        while self.skip("OR"):
            parts.append(self._both())
        return parts[0] if len(parts) == 1 else lambda request: any(part(request) for part in parts)

    def _both(self) -> Condition:
        parts = [self._single()]
        while self.skip("AND"):
            parts.append(self._single())
        return parts[0] if len(parts) == 1 else lambda request: all(part(request) for part in parts)

    def _single(self) -> Condition:
        if self.skip("NOT"):
            negated = self._single()
            return lambda request: not negated(request)
        if self.skip("("):
            inner = self.either()
            self.take(")")
            return inner
        match self.here:
            case "attribute_exists" | "attribute_not_exists" as function:
                (path,) = self._arguments(self.path)
                wanted = function == "attribute_exists"
                return lambda request: (at(request, path) is not None) is wanted
            case "begins_with" | "contains" as function:
                whole, part = self._arguments(self.operand)
                test = begins if function == "begins_with" else contains
                return lambda request: test(whole(request), part(request))
        return self._comparison()

    def _comparison(self) -> Condition:
        left = self.operand()
        match self.take():
            case "BETWEEN":
                low, high = self._between()
                return lambda request: (
                    compared(ge, left(request), low(request)) and compared(le, left(request), high(request))
                )
            case "IN":
                options = self._list(self.operand)
                return lambda request: any(compared(eq, left(request), option(request)) for option in options)
            case sign if sign in _COMPARISONS:
                compare, right = _COMPARISONS[sign], self.operand()
                return lambda request: compared(compare, left(request), right(request))
            case other:
                raise self._error(other)

    def _between(self) -> tuple[Operand, Operand]:
        low = self.operand()
        self.take("AND")
        return low, self.operand()

    def key_parts(self) -> list[KeyPart]:
        parts: list[KeyPart] = []
        while True:
            if self.skip("("):
                parts += self.key_parts()
                self.take(")")
            else:
                parts.append(self._key_part())
            if not self.skip("AND"):
                return parts

    def _key_part(self) -> KeyPart:
        if self.skip("begins_with"):
            self.take("(")
            name = self.name()
            self.take(",")
            prefix = self.operand()
            self.take(")")
            return KeyPart(name, "begins_with", (prefix,))
        name, operator = self.name(), self.take()
        if operator == "BETWEEN":
            return KeyPart(name, operator, self._between())
        if operator not in _COMPARISONS or operator == "<>":
            raise self._error(operator)
        return KeyPart(name, operator, (self.operand(),))

    # ---- operands

    def operand(self) -> Operand:
        if self.here.startswith(":"):
            name = self.take()
            return lambda request: request.values[name]
        match self.here:
            case "size":
                (path,) = self._arguments(self.path)
                return lambda request: size_of(at(request, path))
            case "if_not_exists":
                self.take()
                self.take("(")
                path = self.path()
                self.take(",")
                default = self.operand()
                self.take(")")
                return lambda request: found if (found := at(request, path)) is not None else default(request)
            case "list_append":
                first, second = self._arguments(self.operand)
                return lambda request: {"L": [*typed(first(request), "L"), *typed(second(request), "L")]}
        path = self.path()
        return lambda request: at(request, path)

    def path(self) -> tuple[str, ...]:
        parts = [self.name()]
        while self.skip("."):
            parts.append(self.name())
        return tuple(parts)

    def _arguments(self, parse: Callable[[], _Argument]) -> list[_Argument]:
        self.take()
        return self._list(parse)

    def _list(self, parse: Callable[[], _Argument]) -> list[_Argument]:
        self.take("(")
        parsed = [parse()]
        while self.skip(","):
            parsed.append(parse())
        self.take(")")
        return parsed

    # ---- updates

    def action(self, clause: str) -> Action:
        path = self.path()
        if clause == "REMOVE":
            return lambda request, item: remove(request, item, path)
        if clause != "SET":
            value, combine = self.operand(), added if clause == "ADD" else without
            return lambda request, item: put(request, item, path, combine(at(request, path), value(request)))
        self.take("=")
        first = self.operand()
        if self.here not in ("+", "-"):
            return lambda request, item: put(request, item, path, there(first(request)))
        sign, second = 1 if self.take() == "+" else -1, self.operand()
        return lambda request, item: put(request, item, path, total(first(request), second(request), sign))
