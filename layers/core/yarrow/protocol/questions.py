"""Questions of runs to their users: the schema of the answer by kind, and how an answer is read (ASK-01, ASK-04)."""

from collections.abc import Mapping
from typing import Any, Final

from yarrow.formats import json_text
from yarrow.protocol.problems import Code, Problem
from yarrow.protocol.runner.questions import Answer, Question

MAX_SCHEMA_BYTES: Final = 16 * 1024
MAX_ANSWER_BYTES: Final = 32 * 1024
"""JSON bytes."""

TEXT_CHARACTERS: Final = 10_000
_REASON: Final = {"type": "string", "maxLength": 2_000}


def response_schema(question: Question) -> dict[str, Any]:
    """Return the JSON schema of the answer. Raises ValueError for a question that cannot be answered."""
    match question.kind:
        case "confirmation":
            return approval_schema()
        case "text":
            return {"type": "string", "minLength": 1, "maxLength": TEXT_CHARACTERS}
        case "choice":
            values = [option.value for option in question.options]
            if not values or len(set(values)) < len(values):
                raise ValueError("options must be there, with different values")
            return {"type": "string", "enum": values}
    schema = question.response_schema
    if schema is None or schema.get("type") != "object":
        raise ValueError("response_schema must have the type object")
    from yarrow.formats import json_schema  # few runs ask with a form

    try:
        json_schema.check_schema(schema)
    except json_schema.SchemaError as error:
        raise ValueError(f"response_schema {error}") from error
    if len(json_text.dumps(schema).encode()) > MAX_SCHEMA_BYTES:
        raise ValueError(f"response_schema has at most {MAX_SCHEMA_BYTES} bytes")
    return schema


def approval_schema(edited_args: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """Return the schema of a yes or no; with `edited_args`, their schema, edits are offered.

    Its `$defs` move to the top, where its references look for them.
    """
    properties = {"approved": {"type": "boolean"}, "reason": _REASON}
    schema = {"type": "object", "properties": properties, "required": ["approved"]}
    if edited_args is not None:
        properties["editedArgs"] = {name: part for name, part in edited_args.items() if name != "$defs"}
        if "$defs" in edited_args:
            schema["$defs"] = edited_args["$defs"]
    return schema


def check_payload(payload: Any, schema: Mapping[str, Any]) -> None:
    """Raise Problem 413 for a payload that is too large, 422 for one that does not match."""
    if len(json_text.dumps(payload).encode()) > MAX_ANSWER_BYTES:
        detail = f"an answer has at most {MAX_ANSWER_BYTES} bytes"
        raise Problem(Code.AGENT_INTERRUPT_ANSWER_INVALID, detail, status=413)
    from yarrow.formats import json_schema

    if wrong := json_schema.mismatch(payload, schema):
        raise Problem(Code.AGENT_INTERRUPT_ANSWER_INVALID, f"the answer does not match its schema: {wrong}")


def answer_of(kind: str, payload: Any) -> Answer:
    """Read a payload that matches the question's schema."""
    if kind != "confirmation":
        return Answer(status="answered", value=payload)
    if payload["approved"]:
        return Answer(status="answered", value=True)
    return Answer(status="refused", value=False, reason=payload.get("reason"))


def shown_answer(kind: str, answer: Answer, labels: Mapping[str, str]) -> str | None:
    """Return the answer as a message of the user; None without one. `labels` are those of choices, by value."""
    match kind, answer:
        case "confirmation", Answer(status="answered"):
            return "✓"
        case "confirmation", Answer(status="refused", reason=reason):
            return f"✗ {reason}" if reason else "✗"
        case "choice", Answer(status="answered", value=value):
            return labels.get(value, str(value))
        case "text", Answer(status="answered", value=value):
            return str(value)
        case _, Answer(status="answered", value=value):
            return json_text.dumps(value)
    return None
