"""The rulings of `docs/agui-protocol.md` on AG-UI's members, and the members of the installed SDKs."""

import inspect
import json
import re
import shutil
import subprocess
from collections.abc import Iterator, Mapping
from typing import Any, Final, Literal, NamedTuple

import ag_ui._generated.models as sdk
import pytest
from ag_ui.core import BaseEvent
from pydantic import BaseModel

from tests.clients.agui_clients import INSTALLED
from tests.support.paths import ROOT

PAGE: Final = ROOT / "docs/agui-protocol.md"
NEWEST: Final = INSTALLED / "node_modules/agui-1.0.0"
EVERY_EVENT: Final = "every event"
COMMON: Final = frozenset({"type", "timestamp", "rawEvent", "metadata", "subagentRunId"})
"""The members of every event."""

Fate = Literal["produced", "passed on", "refused"]
FATES: Final[tuple[Fate, ...]] = ("produced", "passed on", "refused")

Members = Mapping[str, frozenset[str]]

_BASES: Final = frozenset({"GeneratedBaseModel", "Attributable", "BaseEvent", "BaseMessage"})
_INPUT_PARTS: Final = re.compile(r"(Text|Image|Audio|Video|Document)?Input(Part|Content\w*)$")

_LISTING: Final = """
const schemas = require(process.argv[1]);
const members = {};
for (const [name, schema] of Object.entries(schemas)) {
  const shape = schema?.shape ?? schema?._def?.shape?.();
  const type = shape?.type?.value ?? shape?.type?._def?.values?.[0];
  if (shape) members[name.replace(/Schema$/, "")] = [typeof type === "string" ? type : null, Object.keys(shape)];
}
console.log(JSON.stringify(members));
"""


class Ruling(NamedTuple):
    type: str
    member: str
    fate: Fate
    number: int | None


def rulings() -> Iterator[Ruling]:
    """Yield what the tables of the page say."""
    for line in PAGE.read_text(encoding="utf-8").splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if len(cells) != 1 + len(FATES) or not (cells[0] == EVERY_EVENT or re.fullmatch(r"`\w+`", cells[0])):
            continue
        for fate, cell in zip(FATES, cells[1:], strict=True):
            numbers: list[str] = []
            for member, number in reversed(re.findall(r"`(\w+)`|\((\d+)\)", cell)):
                if number:
                    numbers = [number]
                else:
                    yield Ruling(cells[0].strip("`"), member, fate, int(numbers[0]) if numbers else None)


def explained() -> list[int]:
    return [int(number) for number in re.findall(r"^(\d+)\. ", PAGE.read_text(encoding="utf-8"), re.MULTILINE)]


def python_members() -> Members:
    """Return the members of every type of the Python SDK, events by their type's value."""
    found: dict[str, frozenset[str]] = {EVERY_EVENT: COMMON}
    for name, model in inspect.getmembers(sdk, inspect.isclass):
        if not issubclass(model, BaseModel) or model.__module__ != sdk.__name__ or name in _BASES:
            continue
        members = frozenset(field.alias or own for own, field in model.model_fields.items())
        if issubclass(model, BaseEvent):
            found[_type_of(model)] = members - COMMON
        else:
            found[name] = members
    return found


def _type_of(event: type[BaseModel]) -> str:
    default: Any = event.model_fields["type"].default
    return str(getattr(default, "value", default))


def javascript_members() -> Members:
    """Return the same of the newest npm SDK; skips the test where it is not installed."""
    if shutil.which("node") is None or not (INSTALLED / ".ready").exists():
        pytest.skip("needs Node 20 and the AG-UI clients: make agui-clients")
    schemas = NEWEST / "node_modules/@ag-ui/core/dist/schemas.js"
    ran = subprocess.run(["node", "-e", _LISTING, str(schemas)], capture_output=True, text=True, timeout=60, check=True)
    listed: dict[str, tuple[str | None, list[str]]] = json.loads(ran.stdout)
    found: dict[str, frozenset[str]] = {EVERY_EVENT: COMMON}
    for name, (type_, members) in listed.items():
        if name in _BASES or _INPUT_PARTS.search(name):
            continue
        if name.endswith("Event"):
            assert type_ is not None
            found[type_] = frozenset(members) - COMMON
        else:
            found[name] = frozenset(members)
    return found
