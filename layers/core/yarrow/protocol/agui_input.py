"""`RunAgentInput` as AG-UI clients send it: the whole conversation every time, in any released spelling.

Source: `agui-http-agent.md` (EVT-21, MSG-01 … MSG-06, TOOL-01, TOOL-02, C4, C5, C7). What is new in it is the last
user message and what follows that; this becomes the body that `run_input` holds to the rules of every run. The rest of
the conversation is the service's own to remember. Nothing a newer client may add bounces a run: members, roles and
parts that are not known are left out, and so is every part that is neither text nor a picture which the caller of
`read` knows. Of the new message, the agent is told what kinds of media were left out.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from yarrow.protocol import json_text
from yarrow.protocol.agui_media import Medium, medium_of
from yarrow.protocol.member_names import member
from yarrow.protocol.messages import ActivityMessage, AssistantMessage, Message, ToolMessage, UserMessage
from yarrow.protocol.problems import Code, Problem
from yarrow.protocol.run_input import MAX_ATTACHMENTS, MAX_PAYLOAD_BYTES, read_messages, read_object

MAX_BYTES: Final = 4 * 1024 * 1024
"""The whole of a request: it grows with the conversation, and Lambda takes less than 6 MiB."""

MAX_MESSAGES: Final = 5_000
MAX_THREAD_ID_LENGTH: Final = 128
MAX_EARLIER_BYTES: Final = MAX_PAYLOAD_BYTES // 4
"""How much of the conversation before is kept with the run, for an agent that wants to look back (C22)."""

LEFT_OUT: Final = "Left out of the user's message, for it cannot be opened here"
"""The description of the context entry that says so; its value names the kinds of media (TOOL-02)."""

_DEFAULT_PROPS: Final = {"runtime_mode": "chat"}
_KNOWN_PROPS: Final = frozenset({"runtime_mode", "runtimeMode", "client_time", "clientTime"})
_ROLES: Final = frozenset({"user", "assistant", "system", "developer", "tool", "reasoning", "activity"})

FindPicture = Callable[[Medium, str], tuple[str, str] | None]
"""The MIME type of the picture that a medium is, and the URL that stands for it in the run; None for what no agent can
be given. It is also told the client's name of the thread, and raises Problem for what it cannot pass over."""


@dataclass(frozen=True, slots=True)
class AgUiInput:
    """One request. `thread_id` is the client's own name for the thread; `protocol_version` is None before 1.0.

    `body` is the run as `run_input` reads it, still without a thread.
    """

    thread_id: str
    protocol_version: str | None
    body: Mapping[str, Any]


def read(raw: bytes, props: Collection[str], find_picture: FindPicture) -> AgUiInput:
    """Read a request.

    `props` are the members of forwardedProps that some agent of the service reads; `find_picture` is asked for each
    medium of the new message, until there are more pictures than a run may have. A mode that is not given is `chat`.

    Raises Problem: 413, 400 or 422 as `run_input.read_object` does, 422 for what breaks the shape of a message, for a
    conversation without a user's message, for a message of which nothing can be read, and for the result of a tool that
    nobody called (EVT-21); and whatever finding a picture raises.
    """
    given = read_object(raw, MAX_BYTES)
    thread_id = _thread_id(given)
    messages = _messages(member(given, "messages"))
    last = max((index for index, each in enumerate(messages) if isinstance(each, UserMessage)), default=None)
    if last is None:
        raise Problem(Code.AGENT_RUN_MESSAGES_INVALID, "RunAgentInput.messages must contain a user message")
    _check_results(messages, last)
    new = list(_told(messages[last:]))
    known, foreign = _parted(member(given, "forwardedProps"), {*props, *_KNOWN_PROPS})
    where = f"RunAgentInput.messages[{last}].content"
    content, left_out = _content(member(given, "messages")[last]["content"], where, thread_id, find_picture)
    if any(block["type"] == "binary" for block in content):
        new[0] = {**new[0], "content": content}
    elif left_out and not new[0]["content"].strip():
        raise Problem(Code.AGENT_RUN_MESSAGES_INVALID, f"{where} has no text and no picture that can be opened here")
    told = [{"description": LEFT_OUT, "value": ", ".join(left_out)}] if left_out else []
    body = {
        "runId": member(given, "runId"),
        "parentRunId": member(given, "parentRunId"),
        "state": {} if given.get("state") is None else given["state"],
        "messages": new,
        "tools": [_tool(each) for each in _array(given.get("tools"), "RunAgentInput.tools")],
        "context": [*_array(given.get("context"), "RunAgentInput.context"), *told],
        "forwardedProps": known,
        "passedOn": {"forwardedProps": foreign, "messages": _latest(messages[:last])},
    }
    version = member(given, "protocolVersion")
    return AgUiInput(thread_id, version if isinstance(version, str) else None, body)


def _thread_id(given: Mapping[str, Any]) -> str:
    thread_id = member(given, "threadId")
    if not isinstance(thread_id, str) or not thread_id:
        raise Problem(Code.AGENT_RUN_INPUT_INVALID, "threadId must be a non-empty string")
    if len(thread_id) > MAX_THREAD_ID_LENGTH:
        raise Problem(Code.AGENT_RUN_INPUT_INVALID, "threadId exceeds length limit")
    return thread_id


def _messages(value: Any) -> list[Message]:
    """The messages of known roles, in their order, with nothing but text in them."""
    given = _array(value, "RunAgentInput.messages", Code.AGENT_RUN_MESSAGES_INVALID)
    if len(given) > MAX_MESSAGES:
        raise Problem(Code.AGENT_RUN_MESSAGES_INVALID, "RunAgentInput.messages exceeds limit")
    # One of a role that is not known keeps its place, so that a fault is told of the right one, and says nothing.
    return read_messages([_plain(each) for each in given])


def _plain(message: Any) -> Any:
    """A message with parts as text, and with no role but those that are known."""
    if not isinstance(message, dict):
        return message
    if isinstance(message.get("role"), str) and message["role"] not in _ROLES:
        return {"id": "unknown", "role": "activity"}
    content = message.get("content")
    if not isinstance(content, list) or message.get("role") == "activity":
        return message
    texts = [part["text"] for part in content if _is_text(part)]
    return {**message, "content": "\n".join(texts)}


def _is_text(part: Any) -> bool:
    return isinstance(part, dict) and part.get("type") == "text" and isinstance(part.get("text"), str)


def _content(
    sent: Any, where: str, thread_id: str, find_picture: FindPicture
) -> tuple[list[dict[str, Any]], Sequence[str]]:
    """The texts and pictures of a message with parts, in their places, and the kinds of media that are left out."""
    blocks: list[dict[str, Any]] = []
    left_out: dict[str, None] = {}
    pictures = 0
    for index, part in enumerate(sent if isinstance(sent, list) else []):
        if _is_text(part):
            blocks.append({"type": "text", "text": part["text"]})
        elif (medium := medium_of(part, f"{where}[{index}]")) is None:
            continue
        elif (found := find_picture(medium, thread_id)) is None:
            left_out[medium.kind] = None
        else:
            mime_type, url = found
            blocks.append({"type": "binary", "mimeType": mime_type, "url": url})
            pictures += 1
            if pictures > MAX_ATTACHMENTS:
                break  # it will be refused, however many there are
    return blocks, tuple(left_out)


def _check_results(messages: Sequence[Message], last: int) -> None:
    """Hold every result after the last user message to the calls before it (EVT-21)."""
    called: set[str] = set()
    for index, each in enumerate(messages):
        if isinstance(each, AssistantMessage):
            called.update(call.id for call in each.tool_calls or ())
        if isinstance(each, ToolMessage) and index > last and each.tool_call_id not in called:
            where = f"RunAgentInput.messages[{index}].toolCallId"
            raise Problem(Code.AGENT_RUN_MESSAGES_INVALID, f"{where} is not the id of a tool call before it")


def _parted(forwarded: Any, known: Collection[str]) -> tuple[dict[str, Any], Any]:
    """What of forwardedProps the service reads, and the rest, which is the agent's own affair."""
    if not isinstance(forwarded, dict):
        return dict(_DEFAULT_PROPS), forwarded
    read_here = {name: value for name, value in forwarded.items() if name in known and value is not None}
    foreign = {name: value for name, value in forwarded.items() if name not in known}
    if "runtimeMode" not in read_here:
        read_here = {**_DEFAULT_PROPS, **read_here}
    return read_here, foreign


def _tool(tool: Any) -> Any:
    """A tool without parameters takes none."""
    if isinstance(tool, dict) and tool.get("parameters") is None:
        return {**tool, "parameters": {}}
    return tool


def _array(value: Any, path: str, code: Code = Code.AGENT_RUN_INPUT_INVALID) -> list[Any]:
    if value is None:
        return []
    if not isinstance(value, list):
        raise Problem(code, f"{path} must be an array")
    return value


def _told(messages: Iterable[Message]) -> Iterator[dict[str, Any]]:
    """Messages on the wire, but for activities: they are for the user's eyes, and no client sends any back."""
    for each in messages:
        if not isinstance(each, ActivityMessage):
            yield each.model_dump(mode="json", by_alias=True, exclude_none=True)


def _latest(messages: Sequence[Message]) -> list[dict[str, Any]]:
    """The last messages of a conversation, in their order, as far as there is room for them."""
    room, kept = MAX_EARLIER_BYTES, []
    for each in _told(reversed(messages)):
        room -= len(json_text.dumps(each).encode())
        if room < 0:
            break
        kept.append(each)
    return kept[::-1]
