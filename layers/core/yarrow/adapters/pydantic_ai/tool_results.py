"""What a tool of Pydantic AI returns or raises, as the JSON that a step stores."""

import base64
from collections.abc import Awaitable
from dataclasses import dataclass
from typing import Any, Final

from pydantic import TypeAdapter
from pydantic_ai.exceptions import ApprovalRequired, CallDeferred, ModelRetry, ToolFailed
from pydantic_ai.messages import (
    AudioUrl,
    BinaryContent,
    DocumentUrl,
    ImageUrl,
    ToolReturn,
    ToolReturnContent,
    ToolReturnPart,
    VideoUrl,
    is_multi_modal_content,
)
from pydantic_core import to_jsonable_python

from yarrow.protocol.runner.vocabulary import UNOPENED

_CONTENT: Final = TypeAdapter[Any](ToolReturnContent)
_RETURN: Final = TypeAdapter[ToolReturn[Any]](ToolReturn)
_MESSAGES: Final[dict[str, type[ModelRetry | ToolFailed]]] = {"retry": ModelRetry, "failed": ToolFailed}
"""Exceptions that tell the model something, by how they are stored."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """The value that a tool returned, or the exception by which it spoke to the model or the user."""

    value: Any = None
    raised: Exception | None = None

    def unwrap(self) -> Any:
        """Return the value. Raises the exception."""
        if self.raised is not None:
            raise self.raised
        return self.value


async def outcome_of(call: Awaitable[Any]) -> tuple[Outcome, Any]:
    """Return the outcome of a call and its JSON. Raises what is a failure of the tool."""
    try:
        value = await call
    except (ModelRetry, ToolFailed) as error:
        kind = "retry" if isinstance(error, ModelRetry) else "failed"
        return Outcome(raised=error), {kind: error.message}
    except ApprovalRequired as error:
        return Outcome(raised=error), {"approval": document(error.metadata)}
    except CallDeferred as error:
        return Outcome(raised=error), {"deferred": document(error.metadata), "kind": error.kind}
    if isinstance(value, ToolReturn):
        return Outcome(value), {"return": _RETURN.dump_python(value, mode="json", fallback=str)}
    return Outcome(value), {"value": _CONTENT.dump_python(value, mode="json", fallback=str)}


def loaded(stored: dict[str, Any]) -> Outcome:
    """Return the outcome that `outcome_of` stored; a value as the JSON that the model got."""
    for kind, exception in _MESSAGES.items():
        if kind in stored:
            return Outcome(raised=exception(stored[kind]))
    if "approval" in stored:
        return Outcome(raised=ApprovalRequired(stored["approval"]))
    if "deferred" in stored:
        return Outcome(raised=CallDeferred(stored["deferred"], kind=stored["kind"]))
    if "return" in stored:
        return Outcome(_RETURN.validate_python(stored["return"]))
    return Outcome(_CONTENT.validate_python(stored["value"]))


def shown(value: Any) -> list[dict[str, Any]] | None:
    """Return what a tool returned as the parts of AG-UI's tool message; None if it has no pictures or other files."""
    returned, added = (value.return_value, value.content) if isinstance(value, ToolReturn) else (value, None)
    listed = [*returned] if isinstance(returned, list | tuple) else [returned]
    more = [*added] if isinstance(added, list | tuple) else [added]
    files = [one for one in (*listed, *more) if is_multi_modal_content(one)]
    if not files:
        return None
    texts = [one for one in listed if one is not None and not is_multi_modal_content(one)]
    text = "\n".join(ToolReturnPart("", one, tool_call_id="").model_response_str() for one in texts)
    return [*([{"type": "text", "text": text}] if text else []), *map(_shown_file, files)]


def _shown_file(file: Any) -> dict[str, Any]:
    if isinstance(file, BinaryContent):
        kind = file.media_type.partition("/")[0]
        source = {"type": "data", "value": base64.b64encode(file.data).decode(), "mimeType": file.media_type}
        return {"type": kind if kind in ("image", "audio", "video") else "document", "source": source}
    if isinstance(file, AudioUrl | DocumentUrl | ImageUrl | VideoUrl):
        return {"type": file.kind.removesuffix("-url"), "source": {"type": "url", "value": file.url}}
    return {"type": "text", "text": UNOPENED.format(kind="file")}


def document(value: Any) -> Any:
    """Return a value as JSON; what has none as its text."""
    return to_jsonable_python(value, bytes_mode="base64", fallback=str)
