"""Validates `RunAgentInput`, the body of `POST /api/v1/agent/runs`.

Source: `run-input.md` (RUN-01 … RUN-15, FWD-01 … FWD-06), `divination-run.md`. The order is size, JSON, threadId,
runId, number of messages, roles, user content, other shapes, forwardedProps (RUN-15). Runs by `/send-message` have no
text limit (C43) and, like those with a trigger, need no user message (C45).
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final, Literal, NoReturn, Self, cast, get_args

from yarrow.formats import json_text
from yarrow.protocol.problems import Code, Problem
from yarrow.protocol.run_ids import MAX_RUN_ID_LENGTH, is_uuid
from yarrow.protocol.run_input.client_time import ClientTime, client_time_of
from yarrow.protocol.run_input.member_names import member, member_in_snake, members
from yarrow.protocol.run_input.messages import (
    BinaryBlock,
    ContextEntry,
    Message,
    Tool,
    ToolMessage,
    UserMessage,
    read_list,
)
from yarrow.protocol.run_input.tool_results import ResultPictures, pictures_of_member
from yarrow.protocol.run_input.trigger import Trigger

MAX_PAYLOAD_BYTES = 262_144
MAX_MESSAGES = 200
MAX_USER_TEXT_LENGTH = 10_000
MAX_ATTACHMENTS = 3

MAX_STORED_BYTES: Final = 350 * 1024
"""The most bytes of a body that is serialised again; a DynamoDB item holds 400 KB."""

_MEMBERS: Final = ("messages", "parentRunId", "tools", "context", "forwardedProps", "protocolVersion")

RuntimeMode = Literal["chat", "follow_up", "automation"]


@dataclass(frozen=True, slots=True)
class RunInput:
    """An input that is valid by the rules of all agents.

    `extensions` are further members of forwardedProps, for the agent's binding to check (FWD-01); `sent_members` are
    the optional ones of the body. AG-UI clients have `results_before` and `passed_on`. A client that names its AG-UI
    version `can_answer` questions.
    """

    thread_id: str
    run_id: str
    parent_run_id: str | None
    state: Any
    user_message: UserMessage | None
    messages: Sequence[Message]
    tools: Sequence[Tool]
    context: Sequence[ContextEntry]
    runtime_mode: RuntimeMode
    client_time: ClientTime | None
    extensions: Mapping[str, Any]
    sent_members: frozenset[str]
    results_before: Sequence[ToolMessage] = ()
    passed_on: Mapping[str, Any] = field(default_factory=dict)
    trigger: Trigger | None = None
    can_answer: bool = False

    @property
    def text(self) -> str:
        """The text of the user's message; empty without one."""
        return "" if self.user_message is None else self.user_message.text()

    @property
    def keeps_state(self) -> bool:
        """Whether the client requests that the shared state is stored between runs."""
        return self.passed_on.get("persistentState") is True

    @property
    def pictures(self) -> list[BinaryBlock]:
        """The pictures of the user's message."""
        return [] if self.user_message is None else self.user_message.pictures()

    @property
    def result_pictures(self) -> Sequence[ResultPictures]:
        """The pictures in the results of client tools."""
        return pictures_of_member(self.passed_on)

    def with_question(self, message: Mapping[str, Any]) -> Self:
        """Replace the user message. Raises Problem 422."""
        question = cast("UserMessage", read_messages([message])[0])
        return replace(self, user_message=question, messages=[question, *self.messages[1:]])

    def with_props(self, props: Mapping[str, Any]) -> Self:
        """Replace forwardedProps. Raises Problem 422."""
        runtime_mode, client_time, extensions = _forwarded_props(props)
        return replace(self, runtime_mode=runtime_mode, client_time=client_time, extensions=extensions)


@dataclass(frozen=True, slots=True)
class RunBody:
    """The body of a run: its JSON object, and the object as it is stored.

    It is stored as sent unless a member changes: numbers may grow when they are serialised again.
    """

    document: Mapping[str, Any]
    encoded: bytes

    @classmethod
    def read(cls, raw: bytes) -> Self:
        """Read a body as `read_body` does."""
        return cls(read_body(raw), raw)

    @classmethod
    def of(cls, document: Mapping[str, Any], max_bytes: int = MAX_STORED_BYTES) -> Self:
        """Encode a document. Raises Problem: 413 too large, as numbers may grow; 400 nested too deep."""
        encoded = json_text.dumps(document).encode()
        _check_size(encoded, max_bytes)
        try:
            json_text.check_depth(document, encoded)
        except json_text.UnreadableError as error:
            raise Problem(Code.REQUEST_INVALID, f"the request body {error}") from error
        return cls(document, encoded)


def read_body(raw: bytes) -> dict[str, Any]:
    """Read a body of at most 256 KiB (RUN-03)."""
    return read_object(raw, MAX_PAYLOAD_BYTES)


def read_object(raw: bytes, max_bytes: int, *, mend_text: bool = False) -> dict[str, Any]:
    """Read a JSON object, with its names as sent.

    Lone surrogates become U+FFFD if `mend_text` (C48), else are refused. Raises Problem: 413 too large, 400 not JSON,
    422 not an object (ERR-11).
    """
    _check_size(raw, max_bytes)
    try:
        body = json_text.loads(raw)
        if mend_text and b"\\u" in raw:
            body = json_text.replace_lone_surrogates(body)
        json_text.canonical(body)
    except json_text.UnreadableError as error:
        raise Problem(Code.REQUEST_INVALID, f"the request body {error}") from error
    if not isinstance(body, dict):
        _invalid("RunAgentInput must be an object")
    return body


def _check_size(encoded: bytes, max_bytes: int) -> None:
    if len(encoded) > max_bytes:
        raise Problem(
            Code.AGENT_RUN_INPUT_INVALID,
            "RunAgentInput payload exceeds size limit",
            status=413,
            params={"limitBytes": max_bytes},
        )


def parse_run_input(body: Mapping[str, Any]) -> RunInput:
    """Validate a body. Raises Problem at the first violation, in the order of RUN-15."""
    sent, parent_run_id, tools, context, forwarded_props, version = members(body, _MEMBERS).values()
    thread_id, run_id = checked_ids(body)
    from_agui = isinstance(body.get("passedOn"), dict)  # only `/send-message` writes it
    trigger = Trigger.of_body(body)
    user_message, messages = _messages(sent, from_agui=from_agui, may_be_silent=from_agui or trigger is not None)
    if parent_run_id is not None and (not isinstance(parent_run_id, str) or len(parent_run_id) > MAX_RUN_ID_LENGTH):
        _invalid("parentRunId must be a string of at most 128 characters")
    if version is not None and not isinstance(version, str):
        _invalid("protocolVersion must be a string")
    tools = read_list("tools", tools, "RunAgentInput.tools", Code.AGENT_RUN_INPUT_INVALID)
    context = read_list("context", context, "RunAgentInput.context", Code.AGENT_RUN_INPUT_INVALID)
    runtime_mode, client_time, extensions = _forwarded_props(forwarded_props)
    passed_on = body["passedOn"] if from_agui else {}
    return RunInput(
        thread_id=thread_id,
        run_id=run_id,
        parent_run_id=parent_run_id or None,
        state=body["state"] if body.get("state") is not None else {},
        user_message=user_message,
        messages=messages,
        tools=tools,
        context=context,
        runtime_mode=runtime_mode,
        client_time=client_time,
        extensions=extensions,
        sent_members=frozenset(name for name in ("state", "tools", "context") if body.get(name) is not None),
        results_before=read_list(
            "results",
            passed_on.get("toolResults"),
            "RunAgentInput.passedOn.toolResults",
            Code.AGENT_RUN_INPUT_INVALID,
        ),
        passed_on=passed_on,
        trigger=trigger,
        can_answer=version is not None,
    )


def checked_ids(body: Mapping[str, Any]) -> tuple[str, str]:
    """Return the threadId and runId of a body. Raises Problem 422."""
    thread_id = member(body, "threadId")
    if not is_uuid(thread_id):
        _invalid("threadId must be a valid UUID")
    return thread_id, _run_id(member(body, "runId"))


def _run_id(value: Any) -> str:
    if not isinstance(value, str) or not value:
        _invalid("runId must be a non-empty string")
    if len(value) > MAX_RUN_ID_LENGTH:
        _invalid("runId exceeds length limit")
    return value


def _invalid(detail: str, code: Code = Code.AGENT_RUN_INPUT_INVALID) -> NoReturn:
    raise Problem(code, detail)


def read_messages(value: Any) -> list[Message]:
    """Read messages of every role. Raises Problem 422 at the first invalid one."""
    return read_list("messages", value, "RunAgentInput.messages", Code.AGENT_RUN_MESSAGES_INVALID)


def text_of_user(message: Mapping[str, Any]) -> str:
    """Return the text of a user's message. Raises Problem 422."""
    return cast("UserMessage", read_messages([message])[0]).text()


def _messages(value: Any, *, from_agui: bool, may_be_silent: bool) -> tuple[UserMessage | None, list[Message]]:
    code = Code.AGENT_RUN_MESSAGES_INVALID
    if not isinstance(value, list):
        _invalid("RunAgentInput.messages must be an array", code)
    if len(value) > MAX_MESSAGES:
        _invalid("RunAgentInput.messages exceeds limit", code)
    roles = [message.get("role") if isinstance(message, dict) else None for message in value]
    if may_be_silent and "user" not in roles:
        return None, read_messages(value)
    if roles.count("user") != 1:
        _invalid("RunAgentInput.messages must contain exactly one user message", code)
    if roles[0] != "user":
        _invalid("RunAgentInput.messages[0].role must be user", code)
    _user_content(value[0].get("content"), None if from_agui else MAX_USER_TEXT_LENGTH)
    messages = read_messages(value)
    return cast("UserMessage", messages[0]), messages


def _user_content(content: Any, max_text: int | None) -> None:
    if isinstance(content, str):
        content = [{"type": "text", "text": content}]
    blocks = [block for block in content if isinstance(block, dict)] if isinstance(content, list) else []
    texts = [block.get("text") for block in blocks if block.get("type") == "text"]
    if max_text is not None and sum(len(text) for text in texts if isinstance(text, str)) > max_text:
        _invalid("RunAgentInput user message text exceeds limit", Code.AGENT_RUN_MESSAGES_INVALID)
    pictures = [block for block in blocks if block.get("type") == "binary"]
    for picture in pictures:
        mime_type = member(picture, "mimeType")
        if not isinstance(mime_type, str) or not re.fullmatch(r"image/[\w.+-]+", mime_type, re.ASCII | re.IGNORECASE):
            _invalid("binary content requires image mimeType", Code.AGENT_RUN_MESSAGES_INVALID)
        if picture.get("data") is not None:
            _invalid("binary content data is not allowed", Code.AGENT_RUN_MESSAGES_INVALID)
        if not picture.get("url"):
            _invalid("binary content requires url", Code.AGENT_RUN_MESSAGES_INVALID)
    if len(pictures) > MAX_ATTACHMENTS:
        _invalid("Too many attachments", Code.AGENT_RUN_MESSAGES_INVALID)


def _forwarded_props(value: Any) -> tuple[RuntimeMode, ClientTime | None, dict[str, Any]]:
    message = "invalid RunAgentInput.forwardedProps"
    if not isinstance(value, dict):
        _invalid(message, Code.AGENT_RUNTIME_MODE_INVALID)
    runtime_mode = member_in_snake(value, "runtime_mode")
    if runtime_mode not in get_args(RuntimeMode):
        _invalid(message, Code.AGENT_RUNTIME_MODE_INVALID)
    client_time = client_time_of(value)
    taken = {"runtime_mode", "runtimeMode", "client_time", "clientTime"}
    return runtime_mode, client_time, {name: item for name, item in value.items() if name not in taken}
