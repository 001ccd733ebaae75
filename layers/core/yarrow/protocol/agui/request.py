"""`RunAgentInput` of AG-UI clients: the whole conversation, in any released spelling.

Source: `agui-http-agent.md` (EVT-21, MSG-01 … MSG-06, TOOL-01, TOOL-02, C4, C5, C7, C45, C48). The run gets the last
user message, what follows it, and client tool results right before it. Unknown members, roles and parts are dropped.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from yarrow.protocol.agui.media import Medium, medium_of
from yarrow.protocol.agui.reasoning import listed_reasoning
from yarrow.protocol.agui.request_size import fit_to_limit
from yarrow.protocol.agui.tool_results import is_text, pictures_of_results, plain_result, texts, unopened
from yarrow.protocol.interrupts import ResumeEntry, read_resume
from yarrow.protocol.problems import Code, Problem
from yarrow.protocol.run_ids import MAX_RUN_ID_LENGTH
from yarrow.protocol.run_input.body import MAX_ATTACHMENTS, read_messages, read_object
from yarrow.protocol.run_input.member_names import member
from yarrow.protocol.run_input.messages import ActivityMessage, AssistantMessage, Message, ToolMessage, UserMessage
from yarrow.protocol.run_input.tool_results import ResultPictures, pictures_member

MAX_BYTES: Final = 4 * 1024 * 1024
"""The most bytes of a request: Lambda takes less than 6 MiB."""

MAX_MESSAGES: Final = 5_000
MAX_THREAD_ID_LENGTH: Final = 128

LEFT_OUT: Final = "Left out of the user's message, for it cannot be opened here"
"""Introduces the kinds of dropped media, for the agent (TOOL-02)."""

_DEFAULT_PROPS: Final = {"runtime_mode": "chat"}
_KNOWN_PROPS: Final = frozenset({"runtime_mode", "runtimeMode", "client_time", "clientTime"})
_ROLES: Final = frozenset({"user", "assistant", "system", "developer", "tool", "reasoning", "activity"})

FindPicture = Callable[[Medium, str], tuple[str, str] | None]
"""Maps `(medium, client's thread id)` to MIME type and URL or path; None drops it. May raise Problem."""


@dataclass(frozen=True, slots=True)
class AgUiInput:
    """`thread_id` is the client's; `protocol_version` None before 1.0; `branch` the run to continue after (C38).

    `body` is the run, `earlier` the conversation before it; `messages` are both parsed, `sent` as sent.
    `result_pictures` are those that the run's agent sees in tool results.
    """

    thread_id: str
    protocol_version: str | None
    body: Mapping[str, Any]
    earlier: Sequence[Message]
    messages: Sequence[Message]
    sent: Sequence[Any]
    branch: str | None = None
    result_pictures: Sequence[ResultPictures] = ()
    resume: Sequence[ResumeEntry] = ()
    """The answers to questions of the thread's last run (ASK-02)."""

    @property
    def steers_away(self) -> bool:
        """Whether the client leaves all questions for a new message of the user, the last one listed."""
        leaves = bool(self.resume) and all(entry.status == "cancelled" for entry in self.resume)
        return leaves and bool(self.messages) and isinstance(self.messages[-1], UserMessage)


def read(raw: bytes, props: Collection[str], find_picture: FindPicture, find_in_result: FindPicture) -> AgUiInput:
    """Parse a request; `props` are the members of forwardedProps that agents read.

    Raises Problem: 413, 400 or 422 as `body.read_object`, 413 as `fit_to_limit`, 422 for malformed or empty messages
    and results of unknown calls (EVT-21); and as `find_picture`. `find_in_result` gives the paths of pictures in tool
    results.
    """
    document = read_object(raw, MAX_BYTES, mend_text=True)
    thread_id = _thread_id(document)
    sent = member(document, "messages")
    messages = _messages(sent)
    last = max((index for index, message in enumerate(messages) if isinstance(message, UserMessage)), default=None)
    tools = [_tool(tool) for tool in _array(document.get("tools"), "RunAgentInput.tools")]
    before: list[Message] = []
    left_out: Sequence[str] = ()
    if last is None:
        earlier = messages
        new = list(_to_wire(messages)) if any(isinstance(message, ToolMessage) for message in messages) else []
    else:
        earlier = messages[:last]
        _check_results(messages, last)
        if not any(isinstance(message, AssistantMessage) for message in messages[last:]):  # else a run has them already
            before = _preceding_results(earlier, {tool.get("name") for tool in tools if isinstance(tool, dict)})
        new = list(_to_wire(messages[last:]))
        where = f"RunAgentInput.messages[{last}].content"
        content, left_out = _content(sent[last]["content"], where, thread_id, find_picture)
        if any(block["type"] == "binary" for block in content):
            new[0] = {**new[0], "content": content}
        elif left_out and not new[0]["content"].strip():
            new[0] = {**new[0], "content": unopened(left_out)}  # a part that no agent can use fails no run
    brought = [*_brought(messages, sent, last or 0, before)]
    result_pictures = pictures_of_results(brought, lambda medium: find_in_result(medium, thread_id))
    known, foreign = _split_props(member(document, "forwardedProps"), {*props, *_KNOWN_PROPS})
    metadata = document.get("metadata")
    left_out_note = [{"description": LEFT_OUT, "value": ", ".join(left_out)}] if left_out else []
    version = member(document, "protocolVersion")
    version = version if isinstance(version, str) else None
    body = {
        "runId": member(document, "runId"),
        **({} if version is None else {"protocolVersion": version}),
        "parentRunId": member(document, "parentRunId"),
        "state": {} if document.get("state") is None else document["state"],
        "messages": new,
        "tools": tools,
        "context": [*_array(document.get("context"), "RunAgentInput.context"), *left_out_note],
        "forwardedProps": known,
        "passedOn": {
            "forwardedProps": foreign,
            "toolResults": list(_to_wire(before)),
            **_reasoning(messages),
            **_kept_state(metadata),
            **pictures_member(result_pictures),
        },
    }
    return AgUiInput(
        thread_id,
        version,
        fit_to_limit(body),
        earlier,
        messages,
        sent,
        _branch(metadata),
        result_pictures,
        read_resume(document.get("resume")),
    )


def _thread_id(document: Mapping[str, Any]) -> str:
    thread_id = member(document, "threadId")
    if not isinstance(thread_id, str) or not thread_id:
        raise Problem(Code.AGENT_RUN_INPUT_INVALID, "threadId must be a non-empty string")
    if len(thread_id) > MAX_THREAD_ID_LENGTH:
        raise Problem(Code.AGENT_RUN_INPUT_INVALID, "threadId exceeds length limit")
    return thread_id


def _branch(metadata: Any) -> str | None:
    branch = metadata.get("branch") if isinstance(metadata, dict) else None
    if branch is not None and (not isinstance(branch, str) or len(branch) > MAX_RUN_ID_LENGTH):
        detail = f"metadata.branch must be a string of at most {MAX_RUN_ID_LENGTH} characters"
        raise Problem(Code.AGENT_RUN_INPUT_INVALID, detail)
    return branch


def _reasoning(messages: Sequence[Message]) -> dict[str, Any]:
    listed = listed_reasoning(messages)
    return {"reasoning": listed} if listed else {}


def _kept_state(metadata: Any) -> dict[str, bool]:
    """Return whether to store the state between runs; empty unless the client requests it."""
    is_kept = metadata.get("persistentState") if isinstance(metadata, dict) else None
    if is_kept is not None and not isinstance(is_kept, bool):
        raise Problem(Code.AGENT_RUN_INPUT_INVALID, "metadata.persistentState must be a boolean")
    return {"persistentState": True} if is_kept else {}


def _messages(value: Any) -> list[Message]:
    if value is None:
        raise Problem(Code.AGENT_RUN_MESSAGES_INVALID, "RunAgentInput.messages must be an array")
    sent = _array(value, "RunAgentInput.messages", Code.AGENT_RUN_MESSAGES_INVALID)
    if len(sent) > MAX_MESSAGES:
        raise Problem(Code.AGENT_RUN_MESSAGES_INVALID, "RunAgentInput.messages exceeds limit")
    # Unknown roles keep their index, so that errors name the right one.
    return read_messages([_plain(message) for message in sent])


def _plain(message: Any) -> Any:
    """Reduce a message to plain text; unknown roles become empty activities."""
    if not isinstance(message, dict):
        return message
    if isinstance(message.get("role"), str) and message["role"] not in _ROLES:
        return {"id": "unknown", "role": "activity"}
    if message.get("role") == "tool":
        return plain_result(message)
    content = message.get("content")
    if not isinstance(content, list) or message.get("role") == "activity":
        return message
    return {**message, "content": texts(content)}


def _content(
    sent: Any, where: str, thread_id: str, find_picture: FindPicture
) -> tuple[list[dict[str, Any]], Sequence[str]]:
    blocks: list[dict[str, Any]] = []
    left_out: dict[str, None] = {}
    pictures = 0
    for index, part in enumerate(sent if isinstance(sent, list) else []):
        if is_text(part):
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
                break  # refused later
    return blocks, tuple(left_out)


def _check_results(messages: Sequence[Message], last: int) -> None:
    """Raise Problem for a result after the last user message without a call (EVT-21)."""
    called: set[str] = set()
    for index, message in enumerate(messages):
        if isinstance(message, AssistantMessage):
            called.update(call.id for call in message.tool_calls or ())
        if isinstance(message, ToolMessage) and index > last and message.tool_call_id not in called:
            where = f"RunAgentInput.messages[{index}].toolCallId"
            raise Problem(Code.AGENT_RUN_MESSAGES_INVALID, f"{where} is not the id of an earlier tool call")


def _brought(
    messages: Sequence[Message], sent: Sequence[Any], last: int, before: Sequence[Message]
) -> Iterator[tuple[ToolMessage, Any]]:
    """Yield the run's tool results, parsed and as sent: those after the last user message, and those of `before`."""
    for index, message in enumerate(messages):
        if isinstance(message, ToolMessage) and (index >= last or any(message is result for result in before)):
            yield message, sent[index]


def _preceding_results(before: Sequence[Message], tools: Collection[Any]) -> list[Message]:
    """Find client tool results right before the new message, which no run has had (EVT-21). Results of unlisted calls
    may be old.
    """
    called: dict[str, str] = {}
    answers: list[ToolMessage] = []
    for message in before:
        if isinstance(message, ToolMessage) and message.tool_call_id in called:
            answers.append(message)
        elif isinstance(message, AssistantMessage) and message.tool_calls:
            answers = [answer for answer in answers if called[answer.tool_call_id] in tools]
            called.update((call.id, call.function.name) for call in message.tool_calls)
        elif isinstance(message, UserMessage | AssistantMessage):
            answers.clear()
    return list(answers)


def _split_props(forwarded: Any, known: Collection[str]) -> tuple[dict[str, Any], Any]:
    """Split forwardedProps into the service's members and those for the agent alone."""
    if not isinstance(forwarded, dict):
        return dict(_DEFAULT_PROPS), forwarded
    read_here = {name: value for name, value in forwarded.items() if name in known and value is not None}
    foreign = {name: value for name, value in forwarded.items() if name not in known}
    if "runtimeMode" not in read_here:
        read_here = {**_DEFAULT_PROPS, **read_here}
    return read_here, foreign


def _tool(tool: Any) -> Any:
    """Add missing parameters, which mean none."""
    if isinstance(tool, dict) and tool.get("parameters") is None:
        return {**tool, "parameters": {}}
    return tool


def _array(value: Any, path: str, code: Code = Code.AGENT_RUN_INPUT_INVALID) -> list[Any]:
    if value is None:
        return []
    if not isinstance(value, list):
        raise Problem(code, f"{path} must be an array")
    return value


def _to_wire(messages: Iterable[Message]) -> Iterator[dict[str, Any]]:
    """Yield messages in wire form, without activities, which are display only."""
    for message in messages:
        if not isinstance(message, ActivityMessage):
            yield message.wire()
