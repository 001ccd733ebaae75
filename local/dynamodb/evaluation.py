"""Evaluates the parts of an expression on an item in wire format."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from operator import ne
from typing import Any

from local.dynamodb.errors import invalid

Item = dict[str, Any]
Names = Mapping[str, str]
Values = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Request:
    """The item and the placeholders that an expression is evaluated with."""

    item: Item
    names: Names
    values: Values


def _named(request: Request, name: str) -> str:
    return request.names[name] if name.startswith("#") else name


def at(request: Request, path: tuple[str, ...]) -> Any:
    """Return the value at a path, in wire format; None if there is none."""
    value = request.item.get(_named(request, path[0]))
    for part in path[1:]:
        if value is None or "M" not in value:
            return None
        value = value["M"].get(_named(request, part))
    return value


def _container(request: Request, item: Item, path: tuple[str, ...]) -> Item:
    """Return the map that holds the last name of a path; copies maps on the way, since items share them."""
    for part in path[:-1]:
        name = _named(request, part)
        if "M" not in item.get(name, {}):
            raise invalid("The document path provided in the update expression is invalid for update")
        item[name] = {"M": dict(item[name]["M"])}
        item = item[name]["M"]
    return item


def put(request: Request, item: Item, path: tuple[str, ...], value: Any) -> None:
    """Set the value at a path; without a value, as of a set that became empty, remove it."""
    container, name = _container(request, item, path), _named(request, path[-1])
    if value is None:
        container.pop(name, None)
    else:
        container[name] = value


def remove(request: Request, item: Item, path: tuple[str, ...]) -> None:
    _container(request, item, path).pop(_named(request, path[-1]), None)


def there(value: Any) -> Any:
    if value is None:
        raise invalid("The provided expression refers to an attribute that does not exist in the item")
    return value


def typed(value: Any, kind: str) -> Any:
    if kind not in there(value):
        raise invalid("An operand in the update expression has an incorrect data type")
    return value[kind]


def _plain(value: Any) -> Any:
    ((kind, content),) = value.items()
    return Decimal(content) if kind == "N" else frozenset(content) if kind in ("SS", "NS", "BS") else content


def compared(compare: Callable[[Any, Any], Any], left: Any, right: Any) -> bool:
    """Compare two values; a missing value or one of another type is neither equal nor ordered."""
    if left is None or right is None or left.keys() != right.keys():
        return compare is ne and left != right
    return bool(compare(_plain(left), _plain(right)))


def begins(whole: Any, part: Any) -> bool:
    return whole is not None and "S" in whole and whole["S"].startswith(part["S"])


def contains(whole: Any, part: Any) -> bool:
    if whole is None:
        return False
    ((kind, content),) = whole.items()
    ((_, wanted),) = part.items()
    return part in content if kind == "L" else wanted in content


def size_of(value: Any) -> Any:
    if value is None:
        return None
    ((kind, content),) = value.items()
    return {"N": str(len(content.encode() if kind == "S" else content))}


def total(first: Any, second: Any, sign: int) -> Item:
    return {"N": f"{Decimal(typed(first, 'N')) + sign * Decimal(typed(second, 'N')):f}"}


def added(old: Any, value: Any) -> Any:
    ((kind, content),) = value.items()
    if old is None:
        return value
    return total(old, value, 1) if kind == "N" else {kind: sorted({*typed(old, kind), *content})}


def without(old: Any, value: Any) -> Any:
    """Return a set without these members; None if it becomes empty."""
    ((kind, content),) = value.items()
    left = sorted({*(old or {kind: []})[kind]} - {*content})
    return {kind: left} if left else None
