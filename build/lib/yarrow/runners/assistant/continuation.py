"""Going on where tools have been at work: after the client has run its own (EVT-20, EVT-21), or after a failure.

What the model had heard is kept in the state of the conversation while calls wait for the client, by this runner for
its next run: what the client says of it is not asked. A run that answers one of them goes on from there (`resumed`);
then nothing waits any more. Whatever else was called and answered the host remembers: a result that comes late, in
part or again, and a message that is sent again, go on after what it remembers (`repeated`). So nothing is asked or done
twice. A result of a call that nobody here remembers is passed over.
"""

from collections.abc import Sequence
from typing import Any, Final

from pydantic import BaseModel, ConfigDict, ValidationError

from yarrow.formats.json_text import dumps
from yarrow.protocol.runner.api import ModelMessage
from yarrow.protocol.runner.models import AgentRunContext
from yarrow.protocol.runner.vocabulary import INPUT_AT, NO_RESULT, RESULT_CHARACTERS
from yarrow.runners.assistant.conversation import Conversation, size_of
from yarrow.runners.assistant.prompt import Words, shortened

KEY: Final = "continuation"
"""Where in the state of the conversation it is kept."""
KEPT_BYTES: Final = 160 * 1024
"""How much of the conversation is kept, as far as it can be cut."""
MOST_BYTES: Final = 250 * 1024
"""What is larger all the same is not kept: a value of the state may have 256 KiB."""

_Content = str | tuple[dict[str, Any], ...] | None


class _Waiting(BaseModel):
    """Calls by their ids, the message of the user that led to them, and the conversation so far.

    `asked` is the index of that message in the turn if it was cut: a client that sends it again brings the whole.
    """

    model_config = ConfigDict(frozen=True)

    calls: tuple[str, ...]
    message_id: str | None = None
    asked: int | None = None
    history: tuple[ModelMessage, ...]
    turn: tuple[ModelMessage, ...]


def to_keep(
    context: AgentRunContext, conversation: Conversation, calls: Sequence[str], words: Words
) -> dict[str, Any] | None:
    """The value to keep while these calls are the client's to answer; None where it is too large."""
    turn = _cut(conversation.turn, words)
    fitted = Conversation(conversation.history, turn).fitted(KEPT_BYTES, words.not_shown)
    own = said_by_user(context)
    waiting = _Waiting(
        calls=tuple(calls),
        message_id=_message_id(context),
        asked=next((at for at, each in enumerate(conversation.turn) if each == own and turn[at] != own), None),
        history=tuple(fitted.history),
        turn=tuple(fitted.turn),
    )
    value = waiting.model_dump(mode="json", exclude_none=True)
    return value if len(dumps(value).encode("utf-8", "surrogatepass")) <= MOST_BYTES else None


def _cut(turn: Sequence[ModelMessage], words: Words) -> list[ModelMessage]:
    """A turn, with long messages cut where it is too large: answers of tools are not to be left out for these."""
    if size_of(turn) <= KEPT_BYTES:
        return list(turn)
    return [each.model_copy(update={"content": _cut_text(each.content, words)}) for each in turn]


def _cut_text(content: _Content, words: Words) -> _Content:
    if isinstance(content, tuple):
        return tuple(
            {**part, "text": shortened(part["text"], RESULT_CHARACTERS, words)} if part["type"] == "text" else part
            for part in content
        )
    return None if content is None else shortened(content, RESULT_CHARACTERS, words)


def is_kept(context: AgentRunContext) -> bool:
    """Whether an earlier run left calls that wait."""
    return context.state.conversation.get(KEY) is not None


def resumed(context: AgentRunContext, words: Words) -> Conversation | None:
    """The conversation that waited, with the client's results; None when none of them answers it.

    What runs did since that failed before they could answer follows, and the event's own message if it is another one
    than that of the turn.
    """
    try:
        waiting = _Waiting.model_validate(context.state.conversation.get(KEY))
    except ValidationError:  # nothing, or what another version of this runner kept
        return None
    results = _results(context)
    if results.keys().isdisjoint(waiting.calls):
        return None
    answers = [
        ModelMessage(role="tool", tool_call_id=call, content=_content(results.get(call), words))
        for call in waiting.calls
    ]
    history, turn = (
        [_with_pictures_of(context, message, words) for message in messages]
        for messages in (waiting.history, waiting.turn)
    )
    is_same = bool(context.input.contents) and _message_id(context) == waiting.message_id
    if is_same and waiting.asked is not None:
        turn[waiting.asked] = said_by_user(context)
    return Conversation(history, [*turn, *answers, *_since(context, waiting)])


def _since(context: AgentRunContext, waiting: _Waiting) -> list[ModelMessage]:
    """What was said and done after the calls that wait, with the event's own message in its place if it is new."""
    told = () if context.bootstrap is None else context.bootstrap.messages
    asked = len(told) if context.bootstrap is None else context.bootstrap.metadata.get(INPUT_AT, len(told))
    calls = [index for index, each in enumerate(told) if each.tool_call_id in waiting.calls]
    start = len(told)
    if calls:  # their step ends with the answers of tools that were called beside them
        start = next((index for index in range(calls[-1], len(told)) if told[index].role != "tool"), len(told))
    asked = max(start, asked)
    is_new = bool(context.input.contents) and _message_id(context) != waiting.message_id
    more = [said_by_user(context)] if is_new else []
    return [*told[start:asked], *more, *told[asked:]]


def repeated(context: AgentRunContext, words: Words) -> Conversation | None:
    """The conversation up to the last answer of a tool, where the event's message was there before; None where it is
    new, or nothing was done for it.

    So it comes with a result that is late or was given before, or from a client that lost the answer or wants another
    one. What tools have told and done is known, and is not asked or done again; the words that followed are the model's
    to find anew.
    """
    told = context.bootstrap
    at = None if told is None else told.metadata.get(INPUT_AT)
    if told is None or at is None:
        return None
    since = list(told.messages[at:])
    while since and since[-1].role != "tool":
        del since[-1]
    if not since and _results(context).keys().isdisjoint(each.tool_call_id for each in told.messages):
        return None
    return Conversation(_opened(context, told.messages[:at], words), [said_by_user(context), *since])


def said_before(context: AgentRunContext, words: Words) -> list[ModelMessage]:
    """The history that is inlined."""
    return [] if context.bootstrap is None else _opened(context, context.bootstrap.messages, words)


def _opened(context: AgentRunContext, told: Sequence[ModelMessage], words: Words) -> list[ModelMessage]:
    """A history whose first message is the user's: providers demand it. A conversation may begin with a greeting."""
    is_greeted = bool(told) and told[0].role == "assistant" and context.context.inline_policy.messages_complete
    return [*([ModelMessage(role="user", content=words.begin)] if is_greeted else ()), *told]


def said_now(context: AgentRunContext, words: Words) -> list[ModelMessage]:
    """What the model is to answer: the event's message. Without one it goes on with what tools answered, or begins."""
    if context.input.contents:
        return [said_by_user(context)]
    told = () if context.bootstrap is None else context.bootstrap.messages
    goes_on = bool(told) and told[-1].role == "tool"
    return [] if goes_on else [ModelMessage(role="user", content=words.begin)]


def said_by_user(context: AgentRunContext) -> ModelMessage:
    """The main input of the event: its text, with its pictures by reference where it has any."""
    parts = context.input.contents
    if any(part.get("type") != "text" for part in parts):
        return ModelMessage(role="user", content=parts)
    return ModelMessage(role="user", content=context.input.text or "")


def _results(context: AgentRunContext) -> dict[str, dict[str, Any]]:
    """What the client's tools answered, by the ids of the calls."""
    return {each["tool_call_id"]: each for each in context.event.data.get("tool_results", ())}


def _with_pictures_of(context: AgentRunContext, message: ModelMessage, words: Words) -> ModelMessage:
    """A message with those of its pictures that this run may read as well."""
    if not isinstance(message.content, tuple):
        return message
    readable = {artifact.artifact_id for artifact in context.resources.artifacts}
    parts = tuple(part for part in message.content if part["type"] != "artifact" or part["artifact_id"] in readable)
    return message.model_copy(update={"content": parts or words.not_shown})


def _content(result: dict[str, Any] | None, words: Words) -> str:
    if result is None:
        return NO_RESULT
    lines = [result["content"]] if result.get("error") is None else [f"error: {result['error']}", result["content"]]
    return shortened("\n".join(lines), RESULT_CHARACTERS, words)


def _message_id(context: AgentRunContext) -> str | None:
    return None if context.subject is None else context.subject.subject_id
