"""Interactions of the LangBot SDK as questions to the user, and the answers as their submissions (ASK-05).

A choice of one field, or of actions alone, is a `choice`; a confirmation without actions is a `confirmation`, and any
other one a choice of its actions: which of them says yes, only their labels tell. Everything else is a `form`, whose
members are its fields, and the action if there are several.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from yarrow.formats import json_text
from yarrow.protocol.questions import MAX_SCHEMA_BYTES, TEXT_CHARACTERS, approval_schema
from yarrow.protocol.runner.interactions import InteractionField, InteractionRequest, InteractionSubmission
from yarrow.protocol.runner.questions import Answer
from yarrow.protocol.runner.vocabulary import QuestionKind

FIELD_TYPES: Final = ("text", "textarea", "select", "multiselect", "number", "boolean")
"""Those that can be answered: an answer has no files."""

ACTION_STYLES: Final = ("default", "primary", "danger")

MAX_FIELDS: Final = 50

MAX_REQUEST_BYTES: Final = 32 * 1024
"""JSON bytes of a request: it is stored with its question, and shown to clients."""

CONFIRMED: Final = "confirm"
DENIED: Final = "cancel"
"""The actions of a confirmation that names none."""

_ACTION: Final = "action_id"


@dataclass(frozen=True, slots=True)
class InteractionQuestion:
    """An interaction as a question. `labels` are those of choices, by value."""

    kind: QuestionKind
    schema: Mapping[str, Any]
    labels: Mapping[str, str]


def delivery_capabilities() -> dict[str, Any]:
    """Return what a run's user can be asked, as `delivery.interactions` of its context."""
    return {
        "field_types": [*FIELD_TYPES],
        "action_styles": [*ACTION_STYLES],
        "supports_updates": False,
        "max_fields": MAX_FIELDS,
    }


def question_of(request: InteractionRequest) -> InteractionQuestion | None:
    """Return a request as a question; None if it cannot be answered here."""
    if any(field.type not in FIELD_TYPES for field in request.fields):
        return None
    if len(json_text.dumps(request.model_dump(mode="json")).encode()) > MAX_REQUEST_BYTES:
        return None
    if request.kind == "confirmation" and not (request.actions or request.fields):
        return InteractionQuestion("confirmation", approval_schema(), {})
    labels = _choices(request)
    if labels is not None:
        return InteractionQuestion("choice", {"type": "string", "enum": [*labels]}, labels)
    schema = _form(request)
    return None if len(json_text.dumps(schema).encode()) > MAX_SCHEMA_BYTES else InteractionQuestion("form", schema, {})


def submission(request: InteractionRequest, answer: Answer, submitted_at: int) -> InteractionSubmission:
    """Return the submission of an answer. One that is no answer has neither action nor values."""
    action_id: str | None = None
    values: dict[str, Any] = {}
    only = request.actions[0].id if len(request.actions) == 1 else None
    question = question_of(request)
    match (None if question is None else question.kind), answer.status:
        case "confirmation", "answered":
            action_id = CONFIRMED
        case "confirmation", "refused":
            action_id = DENIED
        case "choice", "answered":
            action_id, values = (only, {request.fields[0].id: answer.value}) if request.fields else (answer.value, {})
        case "form", "answered":
            values = dict(answer.value)
            action_id = values.pop(_action_member(request), only) if len(request.actions) > 1 else only
    return InteractionSubmission(
        interaction_id=request.interaction_id, action_id=action_id, values=values, submitted_at=submitted_at
    )


def _choices(request: InteractionRequest) -> dict[str, str] | None:
    """Return the labels of a request that is a choice, by value; None if it is none."""
    if not request.fields and request.actions:
        return {action.id: action.label for action in request.actions}
    if request.kind == "choice" and len(request.actions) < 2 and len(request.fields) == 1:
        field = request.fields[0]
        if field.type == "select":
            return {option.value: option.label for option in field.options}
    return None


def _form(request: InteractionRequest) -> dict[str, Any]:
    properties = {field.id: _field_schema(field) for field in request.fields}
    required = [field.id for field in request.fields if field.required]
    if len(request.actions) > 1:
        member = _action_member(request)
        properties[member] = {"type": "string", "oneOf": [_labelled(one.id, one.label) for one in request.actions]}
        required.append(member)
    return {"type": "object", "properties": properties, "required": required, "additionalProperties": False}


def _action_member(request: InteractionRequest) -> str:
    """Return the member of a form's answer that names the action, which no field has."""
    member, taken = _ACTION, {field.id for field in request.fields}
    while member in taken:
        member = f"_{member}"
    return member


def _field_schema(field: InteractionField) -> dict[str, Any]:
    about: dict[str, Any] = {"title": field.label}
    if field.placeholder is not None:
        about["description"] = field.placeholder
    if field.default is not None:
        about["default"] = field.default
    options = [_labelled(option.value, option.label) for option in field.options]
    match field.type:
        case "select":
            return {"type": "string", "oneOf": options, **about}
        case "multiselect":
            items = {"type": "string", "oneOf": options}
            least = {"minItems": 1} if field.required else {}
            return {"type": "array", "items": items, "uniqueItems": True, **least, **about}
        case "number" | "boolean" as plain:
            return {"type": plain, **about}
    least = {"minLength": 1} if field.required else {}
    return {"type": "string", "maxLength": TEXT_CHARACTERS, **least, **about}


def _labelled(value: str, label: str) -> dict[str, str]:
    return {"const": value, "title": label}
