"""Generates `docs/event-schemas/`: the events of a deployment as JSON schemas, a file for each type (EVB-01).

Run `python -m tools.make_event_schemas` after changing `yarrow.protocol.domain_events`; a test compares the two.
"""

import json
from pathlib import Path
from typing import Any, Final

from tools.make_runner_schemas import DIALECT
from tools.response_schemas import Schema, schemas
from yarrow.protocol.domain_events import EVENTS

TARGET: Final = Path(__file__).parent.parent / "docs/event-schemas"

_OF_OPENAPI: Final = "#/components/schemas/"
_OWN: Final = "#/$defs/"


def named() -> dict[str, Schema]:
    """Return the schemas of all events and their parts by name."""
    return schemas(EVENTS.values())


def documents() -> dict[str, str]:
    """Return the text of each file by its name."""
    return {f"{kind}.json": _document(body.__name__, schemas([body])) for kind, body in EVENTS.items()}


def _document(name: str, parts: dict[str, Any]) -> str:
    root = parts.pop(name)
    text = json.dumps({"$schema": DIALECT, **root, "$defs": dict(sorted(parts.items()))}, ensure_ascii=False, indent=2)
    return text.replace(_OF_OPENAPI, _OWN) + "\n"


def main() -> None:
    """Write the files."""
    TARGET.mkdir(exist_ok=True)
    for name, text in documents().items():
        (TARGET / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
