"""What of a step's result is in its span: why an answer has ended, until when a sleep lasts, and content if wanted."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final

from yarrow.formats import json_text
from yarrow.store.runner import steps
from yarrow.store.runner.steps import Step
from yarrow.traces import content as contents
from yarrow.traces import semantic_conventions as names
from yarrow.traces.spans import Value

SLEEP: Final = "steps.sleep"


@dataclass(frozen=True, slots=True)
class Details:
    """Attributes of the step's span, and when a sleep ends."""

    attributes: Mapping[str, Value] = field(default_factory=dict)
    until: datetime | None = None


NONE: Final = Details()


def details_of(log_key: str, step: Step, *, content: bool) -> Details:
    """Return what a step's result says; a result in the bucket is loaded if anything of it is wanted."""
    kind = step.action.partition(".")[0]
    if step.result is None or not (kind == "models" or step.action == SLEEP or (content and kind == "tools")):
        return NONE
    try:
        result = json_text.loads((steps.loaded(log_key, step).result or "{}").encode())
    except LookupError:  # it has expired
        return NONE
    if step.action == SLEEP:
        return Details(until=datetime.fromisoformat(result["until"]))
    return Details(_of_model(result, content=content) if kind == "models" else _known(names.TOOL_RESULT, result))


def _of_model(result: Mapping[str, Any], *, content: bool) -> dict[str, Value]:
    reply = contents.reply_of(result)
    found: dict[str, Value] = {}
    if isinstance(reason := reply.get("finish_reason"), str):
        found[names.FINISH_REASONS] = [reason]
    if content and (answer := contents.answer(reply)) is not None:
        found[names.OUTPUT_MESSAGES] = answer
    return found


def _known(name: str, result: Mapping[str, Any]) -> dict[str, Value]:
    told = contents.tool_result(result)
    return {} if told is None else {name: told}
