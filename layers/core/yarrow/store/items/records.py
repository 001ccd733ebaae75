"""Records as items: a codec made from a dataclass's fields. A field is stored under its name, and left out where it is
None or has its default. Exceptions are in its metadata: `field(default=None, metadata=stored_as("job_id"))`.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import MISSING, Field, fields
from decimal import Decimal
from types import NoneType
from typing import Any, Final, Generic, NamedTuple, TypeVar

from yarrow.formats import json_text

Item = dict[str, Any]

_Record = TypeVar("_Record")
_KEPT: Final = "stored"
_NO_DEFAULT: Final = object()


class Form(NamedTuple):
    """Converts a value to an attribute's and back. Without `dump` it is only read."""

    dump: Callable[[Any], Any] | None
    load: Callable[[Any], Any]


class _Stored(NamedTuple):
    name: str = ""
    always: bool = False
    form: Form | None = None


JSON: Final = Form(json_text.dumps, lambda text: json_text.loads(text.encode()))


def stored_as(name: str, form: Form | None = None, *, always: bool = False) -> Mapping[str, Any]:
    """Metadata of a field whose attribute has another name or form."""
    return {_KEPT: _Stored(name, always, form)}


def stored_always() -> Mapping[str, Any]:
    """Metadata of a field whose default is stored too: updates add to it, or conditions compare it."""
    return {_KEPT: _Stored(always=True)}


def read_from(name: str, load: Callable[[Any], Any]) -> Mapping[str, Any]:
    """Metadata of a field read from an attribute that is written elsewhere."""
    return {_KEPT: _Stored(name, form=Form(None, load))}


def in_key(name: str, prefix: str) -> Mapping[str, Any]:
    """Metadata of a field that is the rest of a key, `pk` or `sk`, after a prefix."""
    return read_from(name, lambda key: key.removeprefix(prefix))


class Codec(Generic[_Record]):
    """Converts between a dataclass's records and items without keys."""

    def __init__(self, record: type[_Record]) -> None:
        self._make: Callable[..., _Record] = record
        self._written: list[tuple[str, str, Any, Callable[[Any], Any] | None]] = []
        self._read: list[tuple[str, str, Callable[[Any], Any] | None, bool]] = []
        self._absent: dict[str, None] = {}
        for member in fields(record):  # type: ignore[arg-type]
            self._add(member)

    def _add(self, member: Field[Any]) -> None:
        name, always, form = member.metadata.get(_KEPT, _Stored())
        default = member.default_factory() if member.default_factory is not MISSING else member.default
        has_default = default is not MISSING
        may_be_none = NoneType in getattr(member.type, "__args__", ())
        if may_be_none and not has_default:
            self._absent[member.name] = None
        if form is None or form.dump is not None:
            omitted = default if has_default and not always else _NO_DEFAULT
            self._written.append((member.name, name or member.name, omitted, form and form.dump))
        self._read.append((member.name, name or member.name, form and form.load, not (may_be_none or has_default)))

    @property
    def attributes(self) -> Sequence[str]:
        return tuple(name for _, name, _, _ in self._read)

    def item(self, record: _Record) -> Item:
        item: Item = {}
        for member, name, omitted, dump in self._written:
            value = getattr(record, member)
            if value is not None and value != omitted:
                item[name] = value if dump is None else dump(value)
        return item

    def record(self, item: Mapping[str, Any]) -> _Record:
        """Return the item's record. Raises KeyError for a missing attribute that has no default."""
        values: Item = {**self._absent}
        for member, name, load, is_required in self._read:
            value = item.get(name)
            if value is None:
                if is_required:
                    raise KeyError(name)
            elif load is not None:
                values[member] = load(value)
            else:
                values[member] = int(value) if type(value) is Decimal else value
        return self._make(**values)

    def record_if(self, item: Mapping[str, Any] | None) -> _Record | None:
        return None if item is None else self.record(item)
