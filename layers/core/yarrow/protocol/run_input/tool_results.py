"""Client tool results in a run input.

Source: `agui-http-agent.md` (EVT-21, MSG-05). Clients also send back results of the service's own tools. A result's
message has its text, with a line in place of each kind of media; ResultPictures restores the pictures that the run's
agent sees.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Final

from yarrow.protocol.run_input.member_names import member
from yarrow.protocol.runner.vocabulary import UNOPENED

PICTURES_MEMBER: Final = "resultPictures"
"""The member of `passedOn` with pictures."""


def client_results(messages: Iterable[Mapping[str, Any]], tools: Collection[Any]) -> list[dict[str, Any]]:
    """Return results: `tool_call_id`, `content` and, if the tool failed, `error`.

    Results of the client's `tools` count anywhere, others only after the last assistant message.
    """
    results: list[dict[str, Any]] = []
    names: dict[str, str] = {}
    for message in messages:
        if message["role"] == "assistant":
            results = [result for result in results if names.get(result["tool_call_id"]) in tools]
            names |= {call["id"]: call["function"]["name"] for call in member(message, "toolCalls") or ()}
        elif message["role"] == "tool":
            error = {} if message.get("error") is None else {"error": message["error"]}
            results.append({"tool_call_id": member(message, "toolCallId"), "content": message["content"], **error})
    return results


def client_results_of(body: Mapping[str, Any]) -> list[dict[str, Any]]:
    passed_on = body.get("passedOn")
    before = passed_on.get("toolResults") if isinstance(passed_on, dict) else None
    tools = {tool["name"] for tool in body.get("tools") or ()}
    return client_results([*(before or ()), *body["messages"]], tools)


@dataclass(frozen=True, slots=True)
class ResultPicture:
    """A picture. `at` is its offset in the result's text; `path` is that of an attachment of the user."""

    at: int
    mime_type: str
    path: str


@dataclass(frozen=True, slots=True)
class ResultPictures:
    """The pictures of one result, in order.

    The first `text_length` characters of its text are what the client wrote; `left_out` are the kinds of media that
    the agent does not see.
    """

    tool_call_id: str
    text_length: int
    pictures: tuple[ResultPicture, ...]
    left_out: tuple[str, ...] = ()

    def contents(self, text: str, artifact_ids: Iterable[str]) -> list[dict[str, Any]]:
        """Return the result as parts of a ModelMessage, with an artifact for each picture."""
        parts: list[dict[str, Any]] = []
        start = 0
        for picture, artifact_id in zip(self.pictures, artifact_ids, strict=True):
            end = min(picture.at, self.text_length)
            parts += _text(text[start:end])
            parts.append({"type": "artifact", "artifact_id": artifact_id})
            start = end
        parts += _text(text[start : self.text_length])
        return [*parts, *(part for kind in self.left_out for part in _text(UNOPENED.format(kind=kind)))]


def pictures_member(found: Iterable[ResultPictures]) -> dict[str, Any]:
    """Return the member of `passedOn`; nothing without pictures."""
    listed = [asdict(result) for result in found]
    return {PICTURES_MEMBER: listed} if listed else {}


def pictures_of_member(passed_on: Mapping[str, Any]) -> Sequence[ResultPictures]:
    return [
        ResultPictures(
            tool_call_id=entry["tool_call_id"],
            text_length=entry["text_length"],
            pictures=tuple(ResultPicture(**picture) for picture in entry["pictures"]),
            left_out=tuple(entry["left_out"]),
        )
        for entry in passed_on.get(PICTURES_MEMBER, ())
    ]


def _text(text: str) -> list[dict[str, Any]]:
    """Make a text part, without the line break beside a picture."""
    text = text.removeprefix("\n")
    return [{"type": "text", "text": text}] if text else []
