"""A run's questions to its user as questions of the page's prompt, and the page's replies as their answers: pure.

A confirmation has two options, a choice its own, a text is an input. A form is not shown, as the page has none.
Its message says what it asks, and the inbox takes its answer.
"""

from collections.abc import Mapping
from typing import Any, Final

from yarrow.protocol.workspace import surface
from yarrow.workspace.state.notices import notice

YES: Final = "yes"
NO: Final = "no"
_LABEL_CHARACTERS: Final = 500


def shown(interrupt: Mapping[str, Any], language: str) -> dict[str, Any] | None:
    """Return an interrupt as a question of a prompt; None if the page cannot show it."""
    metadata = interrupt.get("metadata", {})
    match metadata.get("kind"):
        case "confirmation":
            options = [{"id": answer, "label": notice(language, answer)} for answer in (YES, NO)]
        case "choice":
            labels = {option["value"]: option.get("label") for option in metadata.get("options", ())}
            values = interrupt["responseSchema"]["enum"]
            options = [
                {"id": str(index), "label": (labels.get(value) or value)[:_LABEL_CHARACTERS]}
                for index, value in enumerate(values)
            ]
        case "text":
            options = []
        case _:
            return None
    if len(options) > surface.MAX_OPTIONS:
        return None
    question = {"id": interrupt["id"], "text": interrupt["message"][: surface.LINE_CHARACTERS]}
    of_kind = {"options": options} if options else {"type": "input", "inputType": "textarea"}
    return surface.question_document({**question, **of_kind})


def payload_of(kind: str, schema: Mapping[str, Any], reply: str) -> Any:
    """Return the answer that a reply of the page gives: the id of an option, or a text."""
    match kind:
        case "confirmation":
            return {"approved": reply == YES}
        case "choice":
            values = schema.get("enum", ())
            return values[int(reply)] if reply.isdecimal() and int(reply) < len(values) else None
    return reply
