"""A run's questions to its user as questions of the page's prompt, and the page's replies as their answers: pure.

A confirmation has two options, a choice its own, a text is an input. Of a form, the page asks each field that must be
there, and the answer is given when it has all of them; fields that may be left out are left out. A form with a required
field that the page cannot show is not shown: its message says what it asks, and the inbox takes its answer.
"""

from collections.abc import Mapping
from typing import Any, Final

from yarrow.protocol.workspace import surface
from yarrow.workspace.state.form_fields import field_document, field_value
from yarrow.workspace.state.notices import notice
from yarrow.workspace.state.session import WorkspaceSession

YES: Final = "yes"
NO: Final = "no"
_LABEL_CHARACTERS: Final = 500
_MAX_FIELDS: Final = 20
_MAX_ID_LENGTH: Final = 128
_OF_FORM: Final = "/"
"""Between the id of a form and the name of its field; ids of interrupts have none."""
_CONDITIONS: Final = frozenset(
    {"allOf", "anyOf", "oneOf", "not", "if", "dependentRequired", "dependentSchemas", "minProperties", "$ref"}
)
"""What may demand more of a form than its required fields."""


def shown(interrupt: Mapping[str, Any], language: str) -> list[dict[str, Any]]:
    """Return an interrupt as questions of a prompt; none if the page cannot show it."""
    metadata = interrupt.get("metadata", {})
    match metadata.get("kind"):
        case "confirmation":
            options = _yes_or_no(language)
        case "choice":
            labels = {option["value"]: option.get("label") for option in metadata.get("options", ())}
            values = interrupt["responseSchema"]["enum"]
            options = [
                {"id": str(index), "label": (labels.get(value) or value)[:_LABEL_CHARACTERS]}
                for index, value in enumerate(values)
            ]
        case "text":
            options = []
        case "form":
            return _form(interrupt, language)
        case _:
            return []
    if len(options) > surface.MAX_OPTIONS:
        return []
    question = {"id": interrupt["id"], "text": interrupt["message"][: surface.LINE_CHARACTERS]}
    of_kind = {"options": options} if options else {"type": "input", "inputType": "textarea"}
    return [surface.question_document({**question, **of_kind})]


def _yes_or_no(language: str) -> list[dict[str, str]]:
    return [{"id": answer, "label": notice(language, answer)} for answer in (YES, NO)]


def _form(interrupt: Mapping[str, Any], language: str) -> list[dict[str, Any]]:
    schema = interrupt["responseSchema"]
    names, fields = schema.get("required", ()), schema.get("properties", {})
    if _CONDITIONS & schema.keys() or not 0 < len(names) <= _MAX_FIELDS:
        return []
    found = []
    for name in names:
        field_id = f"{interrupt['id']}{_OF_FORM}{name}"
        document = field_document(name, fields.get(name), _yes_or_no(language))
        if document is None or len(field_id) > _MAX_ID_LENGTH:
            return []
        group = interrupt["message"][:_LABEL_CHARACTERS]
        found.append(surface.question_document({"id": field_id, "group": group, **document}))
    return found


def replied(session: WorkspaceSession, question_id: str, reply: str) -> tuple[str, Any] | None:
    """Return the id of the question that a reply answers, and the whole reply; None while a form lacks some fields."""
    form, separator, name = question_id.partition(_OF_FORM)
    if not separator:
        return question_id, reply
    replies = {**_replies(session, form), name: reply}
    names = [asked.partition(_OF_FORM)[2] for asked in session.asked if asked.startswith(f"{form}{_OF_FORM}")]
    return (form, replies) if all(replies.get(one) for one in names) else None


def _replies(session: WorkspaceSession, form: str) -> dict[str, str]:
    """Return the replies that the prompt has to the fields of a form."""
    found = {}
    for question in (session.prompt or {}).get("questions", ()):
        of, _, name = question["id"].partition(_OF_FORM)
        if of == form:
            found[name] = question.get("selectedOptionId") or question.get("answerValue") or ""
    return found


def payload_of(kind: str, schema: Mapping[str, Any], reply: Any) -> Any:
    """Return the answer that a reply of the page gives: the id of an option, a text, or those of a form's fields."""
    match kind:
        case "confirmation":
            return {"approved": reply == YES}
        case "choice":
            values = schema.get("enum", ())
            return values[int(reply)] if reply.isdecimal() and int(reply) < len(values) else None
        case "form":
            fields = schema.get("properties", {})
            return {name: field_value(fields.get(name, {}), value, yes=YES) for name, value in reply.items()}
    return reply
