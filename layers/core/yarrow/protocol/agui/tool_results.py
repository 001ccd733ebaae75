"""Tool results with parts: their text, and the pictures that the run's agent sees (MSG-05, C7)."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from yarrow.protocol.agui.media import Medium, medium_of
from yarrow.protocol.run_input.body import MAX_ATTACHMENTS
from yarrow.protocol.run_input.messages import ToolMessage
from yarrow.protocol.run_input.tool_results import ResultPicture, ResultPictures
from yarrow.protocol.runner.vocabulary import CUT, RESULT_CHARACTERS, UNOPENED


def plain_result(message: dict[str, Any]) -> dict[str, Any]:
    """Return a tool message whose content is text, with a line for each kind of media."""
    plain = dict(message)
    if isinstance(content := message.get("content"), list):
        kinds = dict.fromkeys(medium.kind for part in content if (medium := medium_of(part, "")))
        plain["content"] = "\n".join(filter(None, (texts(content), unopened(kinds))))
    for name in ("content", "error"):
        text = plain.get(name)
        if isinstance(text, str) and len(text) > RESULT_CHARACTERS:
            plain[name] = text[: RESULT_CHARACTERS - len(CUT)] + CUT
    return plain


def pictures_of_results(
    results: Sequence[tuple[ToolMessage, Any]], find: Callable[[Medium], tuple[str, str] | None]
) -> list[ResultPictures]:
    """Find the pictures of the latest results that have any, at most MAX_ATTACHMENTS.

    `results` are parsed and as sent, oldest first; of several results of one call only the last counts. `find` gives
    type and path, or None for media to leave out.
    """
    found: dict[str, ResultPictures] = {}
    seen: set[str] = set()
    room = MAX_ATTACHMENTS
    for message, sent in reversed(results):
        if not room:
            break
        if message.tool_call_id in seen:
            continue
        seen.add(message.tool_call_id)
        content = sent["content"]
        if not isinstance(content, list):
            continue
        of_result = _pictures(message, content, room, find)
        if of_result.pictures:
            found[message.tool_call_id] = of_result
            room -= len(of_result.pictures)
    return [*found.values()][::-1]


def _pictures(
    message: ToolMessage, content: list[Any], room: int, find: Callable[[Medium], tuple[str, str] | None]
) -> ResultPictures:
    length = 0
    has_text = False
    pictures: list[ResultPicture] = []
    left_out: dict[str, None] = {}
    for part in content:
        if is_text(part):
            length += len(part["text"]) + has_text  # and a line break between two
            has_text = True
        elif (medium := medium_of(part, f"the result of {message.tool_call_id}")) is None:
            continue
        elif len(pictures) < room and (picture := find(medium)) is not None:
            pictures.append(ResultPicture(length, *picture))
        else:
            left_out[medium.kind] = None
    return ResultPictures(message.tool_call_id, min(length, len(message.content)), tuple(pictures), tuple(left_out))


def unopened(kinds: Iterable[str]) -> str:
    """Return the text that the agent gets in place of media; empty without any."""
    return "\n".join(UNOPENED.format(kind=kind) for kind in kinds)


def texts(content: list[Any]) -> str:
    return "\n".join(part["text"] for part in content if is_text(part))


def is_text(part: Any) -> bool:
    return isinstance(part, dict) and part.get("type") == "text" and isinstance(part.get("text"), str)
