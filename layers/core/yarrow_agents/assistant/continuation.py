"""Resumes a conversation after client tools have run (EVT-20, EVT-21), or after a failure.

Pending calls and their conversation are kept in the state; a run with one of the results resumes it (`resumed`). Later,
partial or repeated results and resent messages continue from the host's tool history (`repeated`), so no tool runs
twice. Results of unknown calls are ignored.
"""

from collections.abc import Sequence
from typing import Annotated, Any, Final

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from yarrow.formats.json_text import dumps
from yarrow.protocol.runner.api import ModelMessage
from yarrow.protocol.runner.models import AgentRunContext
from yarrow.protocol.runner.vocabulary import INPUT_AT, NO_RESULT, RESULT_CHARACTERS, UNOPENED
from yarrow.protocol.ui_schema.hints import MAX_CARDS, Card
from yarrow_agents.assistant.conversation import Conversation, size_of
from yarrow_agents.assistant.prompt import Prompts, shortened

KEY: Final = "continuation"
KEPT_BYTES: Final = 160 * 1024
"""Target size of a kept conversation."""
MAX_BYTES: Final = 250 * 1024
"""A state value has at most 256 KiB; larger conversations are not kept."""

_Content = str | tuple[dict[str, Any], ...] | None


class _PendingCalls(BaseModel):
    """Calls by id, and the conversation so far.

    `asked` is the user message's index in the turn if it was cut: a client that resends it has the whole text.
    """

    model_config = ConfigDict(frozen=True)

    calls: tuple[str, ...]
    message_id: str | None = None
    asked: int | None = None
    history: tuple[ModelMessage, ...]
    turn: tuple[ModelMessage, ...]
    cards: Annotated[tuple[Card, ...], Field(exclude_if=lambda cards: not cards)] = ()
    """Cards of tools that no message has shown yet."""


def to_keep(
    context: AgentRunContext,
    conversation: Conversation,
    calls: Sequence[str],
    prompts: Prompts,
    cards: Sequence[Card] = (),
) -> dict[str, Any] | None:
    """Return the value to store while the client answers these calls; None if it is too large."""
    turn = _cut(conversation.turn, prompts)
    fitted = Conversation(conversation.history, turn).fitted(KEPT_BYTES, prompts.not_shown)
    own = user_message(context)
    waiting = _PendingCalls(
        calls=tuple(calls),
        message_id=_message_id(context),
        asked=next((at for at, message in enumerate(conversation.turn) if message == own and turn[at] != own), None),
        history=tuple(fitted.history),
        turn=tuple(fitted.turn),
        cards=tuple(cards[-MAX_CARDS:]),
    )
    value = waiting.model_dump(mode="json", exclude_none=True)
    return value if len(dumps(value).encode("utf-8", "surrogatepass")) <= MAX_BYTES else None


def _cut(turn: Sequence[ModelMessage], prompts: Prompts) -> list[ModelMessage]:
    """Cut the texts of a turn that is too large; the messages themselves stay."""
    if size_of(turn) <= KEPT_BYTES:
        return list(turn)
    return [message.model_copy(update={"content": _cut_text(message.content, prompts)}) for message in turn]


def _cut_text(content: _Content, prompts: Prompts) -> _Content:
    if isinstance(content, tuple):
        return tuple(
            {**part, "text": shortened(part["text"], RESULT_CHARACTERS, prompts)} if part["type"] == "text" else part
            for part in content
        )
    return None if content is None else shortened(content, RESULT_CHARACTERS, prompts)


def is_kept(context: AgentRunContext) -> bool:
    """Whether an earlier run left pending calls."""
    return context.state.conversation.get(KEY) is not None


def kept_cards(context: AgentRunContext) -> list[Card]:
    """Return the cards of the run whose calls the client has answered."""
    waiting = _answered(context)
    return [] if waiting is None else [*waiting.cards]


def _answered(context: AgentRunContext) -> _PendingCalls | None:
    """Return the pending calls, if the client brings a result of one."""
    try:
        waiting = _PendingCalls.model_validate(context.state.conversation.get(KEY))
    except ValidationError:  # none, or of another version of this runner
        return None
    return None if _results(context).keys().isdisjoint(waiting.calls) else waiting


def resumed(context: AgentRunContext, prompts: Prompts) -> Conversation | None:
    """Return the conversation with the client's results; None if they answer no pending call.

    What failed runs added since follows, and the event's message if it is new.
    """
    waiting, results = _answered(context), _results(context)
    if waiting is None:
        return None
    answers = [
        ModelMessage(role="tool", tool_call_id=call, content=_content(results.get(call), prompts))
        for call in waiting.calls
    ]
    history, turn = (
        [_with_pictures_of(context, message, prompts) for message in messages]
        for messages in (waiting.history, waiting.turn)
    )
    is_same = bool(context.input.contents) and _message_id(context) == waiting.message_id
    if is_same and waiting.asked is not None:
        turn[waiting.asked] = user_message(context)
    return Conversation(history, [*turn, *answers, *_since(context, waiting)])


def _since(context: AgentRunContext, waiting: _PendingCalls) -> list[ModelMessage]:
    """Return what followed the pending calls, and the event's message if it is new."""
    history = _history(context)
    input_at = len(history) if context.bootstrap is None else context.bootstrap.metadata.get(INPUT_AT, len(history))
    calls = [index for index, message in enumerate(history) if message.tool_call_id in waiting.calls]
    start = len(history)
    if calls:  # their step ends with the results of parallel calls
        start = next((index for index in range(calls[-1], len(history)) if history[index].role != "tool"), len(history))
    input_at = max(start, input_at)
    is_new = bool(context.input.contents) and _message_id(context) != waiting.message_id
    more = [user_message(context)] if is_new else []
    return [*history[start:input_at], *more, *history[input_at:]]


def repeated(context: AgentRunContext, prompts: Prompts) -> Conversation | None:
    """Return the conversation up to the last tool result; None if the message is new or no tool ran for it.

    This serves late or repeated results, and clients that lost the answer or want another: only its text is new.
    """
    history = _history(context)
    at = None if context.bootstrap is None else context.bootstrap.metadata.get(INPUT_AT)
    if at is None:
        return None
    since = history[at:]
    while since and since[-1].role != "tool":
        del since[-1]
    if not since and _results(context).keys().isdisjoint(message.tool_call_id for message in history):
        return None
    return Conversation(_opened(context, history[:at], prompts), [user_message(context), *since])


def earlier_messages(context: AgentRunContext, prompts: Prompts) -> list[ModelMessage]:
    return [] if context.bootstrap is None else _opened(context, _history(context), prompts)


def _opened(context: AgentRunContext, history: Sequence[ModelMessage], prompts: Prompts) -> list[ModelMessage]:
    """Begin the history with a user message, as providers require."""
    is_greeted = bool(history) and history[0].role == "assistant" and context.context.inline_policy.messages_complete
    return [*([ModelMessage(role="user", content=prompts.begin)] if is_greeted else ()), *history]


def current_message(context: AgentRunContext, prompts: Prompts) -> list[ModelMessage]:
    """Return the event's message, or a prompt to begin; nothing after a tool result."""
    if context.input.contents:
        return [user_message(context)]
    history = () if context.bootstrap is None else context.bootstrap.messages
    goes_on = bool(history) and history[-1].role == "tool"
    return [] if goes_on else [ModelMessage(role="user", content=prompts.begin)]


def user_message(context: AgentRunContext) -> ModelMessage:
    """Return the event's message, with pictures by reference."""
    parts = context.input.contents
    if any(part.get("type") != "text" for part in parts):
        return ModelMessage(role="user", content=parts)
    return ModelMessage(role="user", content=context.input.text or "")


def _results(context: AgentRunContext) -> dict[str, dict[str, Any]]:
    return {result["tool_call_id"]: result for result in context.event.data.get("tool_results", ())}


def _with_pictures_of(context: AgentRunContext, message: ModelMessage, prompts: Prompts) -> ModelMessage:
    """Drop pictures this run may not read; in a tool result, a line replaces them."""
    if not isinstance(message.content, tuple):
        return message
    readable = {artifact.artifact_id for artifact in context.resources.artifacts}
    line = [{"type": "text", "text": UNOPENED.format(kind="image")}] if message.role == "tool" else []
    parts: tuple[dict[str, Any], ...] = ()
    for part in message.content:
        parts += (part,) if part["type"] != "artifact" or part["artifact_id"] in readable else tuple(line)
    return message.model_copy(update={"content": parts or prompts.not_shown})


def _content(result: dict[str, Any] | None, prompts: Prompts) -> str | tuple[dict[str, Any], ...]:
    if result is None:
        return NO_RESULT
    if contents := result.get("contents"):
        return _with_pictures(result, contents)
    return shortened(_text(result), RESULT_CHARACTERS, prompts)


def _text(result: dict[str, Any]) -> str:
    lines = [result["content"]] if result.get("error") is None else [f"error: {result['error']}", result["content"]]
    return "\n".join(lines)


def _with_pictures(result: dict[str, Any], contents: Sequence[dict[str, Any]]) -> tuple[dict[str, Any], ...]:
    error = [] if result.get("error") is None else [{"type": "text", "text": f"error: {result['error']}"}]
    return (*error, *contents)


def _history(context: AgentRunContext) -> list[ModelMessage]:
    """Return the bootstrap's messages; results that the client repeats have their pictures."""
    history = [] if context.bootstrap is None else [*context.bootstrap.messages]
    results = {name: result for name, result in _results(context).items() if result.get("contents")}
    for index in reversed(range(len(history))):
        result = results.pop(history[index].tool_call_id or "", None)
        if result is not None and history[index].content == _text(result):  # the first result of a call counts
            history[index] = history[index].model_copy(update={"content": _with_pictures(result, result["contents"])})
    return history


def _message_id(context: AgentRunContext) -> str | None:
    return None if context.subject is None else context.subject.subject_id
