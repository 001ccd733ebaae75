"""DynamoDB's condition and update expressions on items in wire format, as far as this product writes them.

An expression is parsed once into a function; what the grammar here does not have raises SyntaxError.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from functools import cache
from operator import eq, ge, gt, le, lt, ne
from typing import Any, Final

Item = dict[str, Any]
Names = Mapping[str, str]
Values = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Request:
    """What an expression is evaluated with: the item before it, and the placeholders."""

    item: Item
    names: Names
    values: Values


Operand = Callable[[Request], Any]
Condition = Callable[[Request], bool]
Action = Callable[[Request, Item], None]
"""Reads the item before the update, changes the item after it."""

_TOKEN: Final = re.compile(r"\s*(?:([:#]?[A-Za-z_][A-Za-z0-9_]*)|(<>|<=|>=|[=<>().,+-]))")
_COMPARISONS: Final = {"=": eq, "<>": ne, "<": lt, "<=": le, ">": gt, ">=": ge}
_CLAUSES: Final = ("SET", "REMOVE", "ADD", "DELETE")


@cache
def condition(expression: str) -> Condition:
    """A condition expression."""
    parser = _Parser(expression)
    parsed = parser.either()
    parser.end()
    return parsed


@cache
def update(expression: str) -> tuple[Action, ...]:
    """The actions of an update expression."""
    parser = _Parser(expression)
    actions: list[Action] = []
    while parser.here:
        clause = parser.take()
        if clause not in _CLAUSES:
            raise SyntaxError(f"{clause!r} is no clause: {expression}")
        actions.append(parser.action(clause))
        while parser.skip(","):
            actions.append(parser.action(clause))
    return tuple(actions)


class _Parser:
    """Recursive descent over the tokens of one expression."""

    def __init__(self, expression: str) -> None:
        self._tokens: list[str] = []
        at = 0
        while expression[at:].strip():
            found = _TOKEN.match(expression, at)
            if found is None:
                raise SyntaxError(f"{expression[at:]!r} is not known here")
            self._tokens.append(found[1] or found[2])
            at = found.end()
        self._at = 0

    @property
    def here(self) -> str:
        return self._tokens[self._at] if self._at < len(self._tokens) else ""

    def take(self, wanted: str | None = None) -> str:
        token = self.here
        if not token or (wanted is not None and token != wanted):
            raise SyntaxError(f"{wanted or 'more'} is missing in {self._tokens}")
        self._at += 1
        return token

    def skip(self, token: str) -> bool:
        if self.here != token:
            return False
        self._at += 1
        return True

    def end(self) -> None:
        if self.here:
            raise SyntaxError(f"{self.here!r} is too much in {self._tokens}")

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
                return lambda request: (_at(request, path) is not None) is wanted
            case "begins_with" | "contains" as function:
                whole, part = self._arguments(self.operand)
                test = _begins if function == "begins_with" else _contains
                return lambda request: test(whole(request), part(request))
        return self._comparison()

    def _comparison(self) -> Condition:
        left = self.operand()
        match self.take():
            case "BETWEEN":
                low = self.operand()
                self.take("AND")
                high = self.operand()
                return lambda request: (
                    _compared(ge, left(request), low(request)) and _compared(le, left(request), high(request))
                )
            case "IN":
                options = self._list(self.operand)
                return lambda request: any(_compared(eq, left(request), option(request)) for option in options)
            case sign if sign in _COMPARISONS:
                compare, right = _COMPARISONS[sign], self.operand()
                return lambda request: _compared(compare, left(request), right(request))
        raise SyntaxError(f"no comparison in {self._tokens}")

    # ---- operands

    def operand(self) -> Operand:
        if self.here.startswith(":"):
            name = self.take()
            return lambda request: request.values[name]
        match self.here:
            case "size":
                (path,) = self._arguments(self.path)
                return lambda request: _size(_at(request, path))
            case "if_not_exists":
                self.take()
                self.take("(")
                path = self.path()
                self.take(",")
                default = self.operand()
                self.take(")")
                return lambda request: found if (found := _at(request, path)) is not None else default(request)
            case "list_append":
                first, second = self._arguments(self.operand)
                return lambda request: {"L": [*first(request)["L"], *second(request)["L"]]}
        path = self.path()
        return lambda request: _at(request, path)

    def path(self) -> tuple[str, ...]:
        parts = [self.take()]
        while self.skip("."):
            parts.append(self.take())
        return tuple(parts)

    def _arguments(self, parse: Callable[[], Any]) -> list[Any]:
        self.take()
        return self._list(parse)

    def _list(self, parse: Callable[[], Any]) -> list[Any]:
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
            return lambda request, item: _remove(request, item, path)
        if clause != "SET":
            value, combine = self.operand(), _added if clause == "ADD" else _without
            return lambda request, item: _put(request, item, path, combine(_at(request, path), value(request)))
        self.take("=")
        first = self.operand()
        if self.here not in ("+", "-"):
            return lambda request, item: _put(request, item, path, first(request))
        sign, second = 1 if self.take() == "+" else -1, self.operand()
        return lambda request, item: _put(request, item, path, _sum(first(request), second(request), sign))


def _named(request: Request, name: str) -> str:
    return request.names[name] if name.startswith("#") else name


def _at(request: Request, path: tuple[str, ...]) -> Any:
    """The value at a path, in wire format; None if there is none."""
    value = request.item.get(_named(request, path[0]))
    for part in path[1:]:
        if value is None or "M" not in value:
            return None
        value = value["M"].get(_named(request, part))
    return value


def _container(request: Request, item: Item, path: tuple[str, ...]) -> Item:
    """The map that holds the last name of a path, copied on the way: items share what is unchanged."""
    for part in path[:-1]:
        name = _named(request, part)
        if "M" not in item.get(name, {}):
            raise SyntaxError(f"no map at {path} to write to")
        item[name] = {"M": dict(item[name]["M"])}
        item = item[name]["M"]
    return item


def _put(request: Request, item: Item, path: tuple[str, ...], value: Any) -> None:
    container, name = _container(request, item, path), _named(request, path[-1])
    if value is None:
        container.pop(name, None)
    else:
        container[name] = value


def _remove(request: Request, item: Item, path: tuple[str, ...]) -> None:
    _container(request, item, path).pop(_named(request, path[-1]), None)


def _plain(value: Any) -> Any:
    ((kind, content),) = value.items()
    return Decimal(content) if kind == "N" else frozenset(content) if kind in ("SS", "NS", "BS") else content


def _compared(compare: Callable[[Any, Any], Any], left: Any, right: Any) -> bool:
    """What is missing, and what is of another type, equals nothing and is not ordered."""
    if left is None or right is None or left.keys() != right.keys():
        return compare is ne and left != right
    return bool(compare(_plain(left), _plain(right)))


def _begins(whole: Any, part: Any) -> bool:
    return whole is not None and "S" in whole and whole["S"].startswith(part["S"])


def _contains(whole: Any, part: Any) -> bool:
    if whole is None:
        return False
    ((kind, content),) = whole.items()
    ((_, wanted),) = part.items()
    return part in content if kind == "L" else wanted in content


def _size(value: Any) -> Any:
    if value is None:
        return None
    ((kind, content),) = value.items()
    return {"N": str(len(content.encode() if kind == "S" else content))}


def _sum(first: Any, second: Any, sign: int) -> Item:
    return {"N": str(Decimal(first["N"]) + sign * Decimal(second["N"]))}


def _added(old: Any, value: Any) -> Any:
    ((kind, content),) = value.items()
    if old is None:
        return value
    return _sum(old, value, 1) if kind == "N" else {kind: sorted({*old[kind], *content})}


def _without(old: Any, value: Any) -> Any:
    """A set without these; an empty one is not there at all."""
    ((kind, content),) = value.items()
    left = sorted({*(old or {kind: []})[kind]} - {*content})
    return {kind: left} if left else None
