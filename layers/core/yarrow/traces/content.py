"""What users, models and tools said, as spans have it if the deployment wants that (`TracesContent`).

Source: the JSON schemas of `gen_ai.input.messages` and `gen_ai.output.messages`. Of a text a span has the beginning.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from yarrow.formats import json_text
from yarrow.protocol.events.lines import event_type
from yarrow.store import runs
from yarrow.traces import semantic_conventions as names

MAX_TEXT: Final = 20_000
"""Characters of a text in a span."""

_CONTENT: Final = "TEXT_MESSAGE_CONTENT"


class Texts:
    """The texts of a run's messages, read from its events in order."""

    def __init__(self) -> None:
        self._by_message: dict[str, str] = {}

    def read(self, lines: Sequence[str]) -> None:
        for line in lines:
            if event_type(line) == _CONTENT:
                event = json_text.loads(line.encode())
                name, before = str(event["messageId"]), self._by_message.get(event["messageId"], "")
                if len(before) < MAX_TEXT:
                    self._by_message[name] = (before + str(event["delta"]))[:MAX_TEXT]

    def all(self) -> list[str]:
        return list(self._by_message.values())


def of_run(run_key: str, texts: Texts) -> dict[str, str]:
    """Return the user's message and the run's answers; the message is missing once it has expired."""
    from yarrow.protocol.run_input.body import parse_run_input  # deployments that want no content need no input

    found = {}
    try:
        asked = parse_run_input(runs.read_input(run_key)).text
    except LookupError:
        asked = ""
    if asked:
        found[names.INPUT_MESSAGES] = _written([_message("user", [_text(asked)])])
    if answers := texts.all():
        said = [_message("assistant", [_text(text)]) | {"finish_reason": "stop"} for text in answers]
        found[names.OUTPUT_MESSAGES] = _written(said)
    return found


def reply_of(result: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the whole reply of a model's answer, streamed or not; empty for one that was cut off."""
    chunks = result.get("chunks")
    last = chunks[-1] if chunks else result
    reply = last.get("reply", last)
    return reply if isinstance(reply, Mapping) and "message" in reply else {}


def answer(reply: Mapping[str, Any]) -> str | None:
    """Return a model's answer as `gen_ai.output.messages`."""
    message = reply.get("message")
    if not isinstance(message, Mapping):
        return None
    said = message.get("content")
    parts = [_text(said)] if isinstance(said, str) and said else []
    parts += [
        {"type": "tool_call", "id": call.get("id"), "name": name, "arguments": _cut(str(arguments))}
        for call in message.get("tool_calls", ())
        for name, arguments in [_called(call)]
    ]
    return _written([_message("assistant", parts) | {"finish_reason": reply.get("finish_reason", "stop")}])


def tool_result(result: Mapping[str, Any]) -> str | None:
    if "result" not in result:
        return None
    told = result["result"]
    return _cut(told if isinstance(told, str) else _written(told))


def _called(call: Mapping[str, Any]) -> tuple[Any, Any]:
    function = call.get("function", call)
    return function.get("name"), function.get("arguments", "")


def _message(role: str, parts: list[dict[str, Any]]) -> dict[str, Any]:
    return {"role": role, "parts": parts}


def _text(text: str) -> dict[str, Any]:
    return {"type": "text", "content": _cut(text)}


def _cut(text: str) -> str:
    return text[:MAX_TEXT]


def _written(value: Any) -> str:
    return json_text.dumps(value)
