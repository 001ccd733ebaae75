"""Questions of runs as elicitations of MCP, and their answers (ASK-01).

A form of MCP is an object of plain values. Source: MCP 2026-07-28, `client/elicitation`, `basic/patterns/mrtr`.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from yarrow.mcp_server.json_rpc import Document, RpcCode, RpcError
from yarrow.protocol.interrupts import ResumeEntry

_ANSWER: Final = "answer"
"""The member of the form for a question whose answer is no object."""

_PLAIN: Final = frozenset({"string", "number", "integer", "boolean"})
_IN_FORMS: Final = frozenset(
    {"type", "title", "description", "enum", "default", "minLength", "maxLength", "minimum", "maximum", "format"}
)


def is_offered(capabilities: Mapping[str, Any]) -> bool:
    """Return whether a client declares that it shows forms."""
    elicitation = capabilities.get("elicitation")
    return isinstance(elicitation, dict) and (not elicitation or "form" in elicitation)


def input_requests(questions: Sequence[Mapping[str, Any]]) -> Document | None:
    """Return the requests that ask these questions, by their ids; None if one does not fit a form."""
    forms = {question["id"]: _form(question) for question in questions}
    if not forms or None in forms.values():
        return None
    return {
        question["id"]: {
            "method": "elicitation/create",
            "params": {"mode": "form", "message": question["message"], "requestedSchema": forms[question["id"]]},
        }
        for question in questions
    }


def entries(responses: Any, questions: Sequence[Mapping[str, Any]]) -> list[ResumeEntry]:
    """Read the responses to questions; others are ignored, as the specification has it. Raises RpcError."""
    if not isinstance(responses, dict):
        raise RpcError(RpcCode.INVALID_PARAMS, "inputResponses must be an object")
    answered = [question for question in questions if question["id"] in responses]
    return [_entry(question, responses[question["id"]]) for question in answered]


def _form(question: Mapping[str, Any]) -> Document | None:
    schema = question["responseSchema"]
    if schema.get("type") == "string":
        return {"type": "object", "properties": {_ANSWER: _plain(schema)}, "required": [_ANSWER]}
    properties = {name: part for name, part in schema.get("properties", {}).items() if name != "editedArgs"}
    if schema.get("type") != "object" or not all(map(_is_plain, properties.values())):
        return None
    required = [name for name in schema.get("required", ()) if name in properties]
    return {
        "type": "object",
        "properties": {name: _plain(part) for name, part in properties.items()},
        **({"required": required} if required else {}),
    }


def _is_plain(schema: Any) -> bool:
    return isinstance(schema, dict) and schema.get("type") in _PLAIN


def _plain(schema: Mapping[str, Any]) -> Document:
    return {name: value for name, value in schema.items() if name in _IN_FORMS}


def _entry(question: Mapping[str, Any], response: Any) -> ResumeEntry:
    name = question["id"]
    action = response.get("action") if isinstance(response, dict) else None
    if action == "cancel":
        return ResumeEntry(name, "cancelled")
    is_confirmation = "approved" in question["responseSchema"].get("properties", {})
    if action == "decline":
        return ResumeEntry(name, "resolved", {"approved": False}) if is_confirmation else ResumeEntry(name, "cancelled")
    if action != "accept":
        raise RpcError(RpcCode.INVALID_PARAMS, f"inputResponses: {name} must have the action accept, decline or cancel")
    content = response.get("content")
    if question["responseSchema"].get("type") == "string" and isinstance(content, dict):
        content = content.get(_ANSWER)
    return ResumeEntry(name, "resolved", content)
