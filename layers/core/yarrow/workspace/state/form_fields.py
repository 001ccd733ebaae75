"""The fields of a form, by their JSON schemas, as inputs and options of the page, and its replies as their values."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from yarrow.formats import json_text
from yarrow.protocol.workspace import surface

_LABEL_CHARACTERS: Final = 500
_LONG_TEXT: Final = 200
"""A text of more characters gets an input of several lines."""

_INPUTS: Final[Mapping[str, surface.InputType]] = {
    "date": "date",
    "time": "time",
    "date-time": "text",
    "email": "email",
    "uri": "url",
}
"""HTML inputs by the format of a text. Those of a date with time have no time zone, which the format demands."""

_KNOWN: Final = frozenset(
    {"type", "title", "description", "enum", "format", "default", "examples", "minLength", "maxLength"}
    | {"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "$comment"}
)
"""The members of schemas that can be shown, or checked when the answer is given."""


def field_document(name: str, schema: Any, yes_or_no: Sequence[Mapping[str, str]]) -> dict[str, Any] | None:
    """Return a field as a question without its id; None if the page has no input for it."""
    if not isinstance(schema, Mapping) or not schema.keys() <= _KNOWN:
        return None
    of_kind = _of_kind(schema, yes_or_no)
    if of_kind is None:
        return None
    text = str(schema.get("title") or name)[: surface.LINE_CHARACTERS]
    hint = {"placeholder": str(schema["description"])[:_LABEL_CHARACTERS]} if schema.get("description") else {}
    return {"text": text, **hint, **of_kind}


def _of_kind(schema: Mapping[str, Any], yes_or_no: Sequence[Mapping[str, str]]) -> dict[str, Any] | None:
    if "enum" in schema:
        values = schema["enum"]
        options = [{"id": str(index), "label": _label(value)} for index, value in enumerate(values)]
        return {"options": options} if 0 < len(options) <= surface.MAX_OPTIONS else None
    match schema.get("type"):
        case "boolean":
            return {"options": list(yes_or_no)}
        case "number" | "integer":
            return {"type": "input", "inputType": "number"}
        case "string" if "format" in schema:
            return {"type": "input", "inputType": _INPUTS.get(schema["format"], "text")}
        case "string":
            is_long = schema.get("maxLength", 0) > _LONG_TEXT
            return {"type": "input", "inputType": "textarea" if is_long else "text"}
    return None


def _label(value: Any) -> str:
    return (value if isinstance(value, str) else json_text.dumps(value))[:_LABEL_CHARACTERS]


def field_value(schema: Mapping[str, Any], reply: str, *, yes: str) -> Any:
    """Return the value that a reply gives to a field: by the id of an option, or by its text."""
    if "enum" in schema:
        values = schema["enum"]
        return values[int(reply)] if reply.isdecimal() and int(reply) < len(values) else None
    match schema.get("type"):
        case "boolean":
            return reply == yes
        case "number" | "integer":
            number = float(reply)
            return int(number) if number.is_integer() else number
    return reply
