"""Earlier messages in model format, with tool calls and pictures. Results directly follow the message with their calls.
Calls without a result are omitted, unless this run's input contains it.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

from yarrow.protocol.runner.api import FunctionCall, ModelMessage, ModelReasoning, ModelToolCall, TranscriptItem
from yarrow.protocol.runner.vocabulary import INPUT_AT, NO_RESULT
from yarrow.store.tool_use import PlacedToolUse, StoredCall, ToolUse


class Extras(NamedTuple):
    """Tool use, oldest first, and picture ids; reasoning by the id of its message or of a call. `shows_members`:
    messages have it, and their names. `input_seq` is the seq of the run's own input, if it is among the messages.
    """

    tool_uses: Sequence[PlacedToolUse] = ()
    pictures: Collection[str] = ()
    input_seq: int | None = None
    shows_members: bool = False
    reasoning: Mapping[str, tuple[ModelReasoning, ...]] = {}


NOTHING: Final = Extras()


class _Group(NamedTuple):
    """A round of concurrent calls; `along` if they are in a message with text."""

    calls: tuple[StoredCall, ...]
    along: bool
    text: str | None = None

    def size(self) -> int:
        return len((self.text or "").encode()) + sum(
            len(part.encode()) for call in self.calls for part in (call.name, call.arguments, call.result or "")
        )


def with_extras(
    items: Sequence[TranscriptItem], extras: Extras, room: int
) -> tuple[tuple[ModelMessage, ...], dict[str, Any]]:
    """Return messages and the bootstrap's `metadata`. Tool calls are limited to the latest `room` bytes."""
    groups = _fitting(_groups(items, extras), room)
    input_at = None
    messages: list[ModelMessage] = []
    by_seq: dict[int, TranscriptItem | None] = {item.seq: item for item in items}
    if extras.input_seq is not None:
        by_seq[extras.input_seq] = None
    for seq in sorted(by_seq):
        following, item = groups.get(seq, []), by_seq[seq]
        if item is None:
            input_at = len(messages)
        else:
            along = following.pop(0).calls if following and following[0].along else ()
            said = _message(item, extras, along)
            if item.role != "assistant" or said.content or along:  # providers refuse an answer that is a card alone
                messages += [said, *_answers(along)]
        for group in following:
            calling = ModelMessage(
                role="assistant",
                content=group.text,
                tool_calls=tuple(map(_call, group.calls)),
                reasoning=_reasoning(extras, (call.id for call in group.calls)),
            )
            messages += [calling, *_answers(group.calls)]
    return tuple(messages), {} if input_at in (None, len(messages)) else {INPUT_AT: input_at}


def _groups(items: Sequence[TranscriptItem], extras: Extras) -> dict[int, list[_Group]]:
    """Return groups of answered calls by the seq of the message they follow, in order."""
    answer_seqs = {item.item_id: item.seq for item in items if item.role == "assistant"}
    groups: dict[int, list[_Group]] = {item.seq: [] for item in items}
    if extras.input_seq is not None:
        groups[extras.input_seq] = []
    input_seq = extras.input_seq
    goes_on = input_seq is not None and any(
        tool_use.answers for after, tool_use in extras.tool_uses if after >= input_seq
    )
    for after, tool_use in _with_late_results(extras.tool_uses):
        missing = NO_RESULT if goes_on and after >= (input_seq or 0) else None
        for message_id, calls, text in tool_use.rounds:
            seq = after if message_id is None else answer_seqs.get(message_id)
            answered = tuple(
                completed for call in calls if (completed := _with_result(missing, call)).result is not None
            )
            if seq in groups and answered:
                groups[seq].append(_Group(answered, along=message_id is not None and not groups[seq], text=text))
    return groups


def _with_late_results(tool_uses: Sequence[PlacedToolUse]) -> list[PlacedToolUse]:
    """Add results that client tools delivered later. Clients may reuse an id: a result belongs to the last earlier call
    with its id and no result; the first of several results counts.
    """
    later: dict[str, str] = {}
    merged: list[PlacedToolUse] = []
    for after, tool_use in reversed(tool_uses):
        rounds = tuple(
            round_._replace(calls=tuple(_with_result(later.get(call.id), call) for call in round_.calls))
            for round_ in tool_use.rounds
        )
        for call in (call for round_ in tool_use.rounds for call in round_.calls if call.result is None):
            later.pop(call.id, None)
        later |= tool_use.answers
        merged.append(PlacedToolUse(after, ToolUse(rounds)))
    return merged[::-1]


def _with_result(answer: str | None, call: StoredCall) -> StoredCall:
    return call._replace(result=answer) if call.result is None else call


def _fitting(groups: Mapping[int, list[_Group]], room: int) -> dict[int, list[_Group]]:
    kept: dict[int, list[_Group]] = {}
    for seq in sorted(groups, reverse=True):
        for group in reversed(groups[seq]):
            room -= group.size()
            if room < 0:
                return kept
            kept.setdefault(seq, []).insert(0, group)
    return kept


def _message(item: TranscriptItem, extras: Extras, calls: Sequence[StoredCall]) -> ModelMessage:
    pictures = [artifact["artifact_id"] for artifact in item.artifacts if artifact["artifact_id"] in extras.pictures]
    content: Any = item.content
    if pictures:
        text = [{"type": "text", "text": item.content}] if item.content else []
        content = (*text, *({"type": "artifact", "artifact_id": picture} for picture in pictures))
    role: Any = item.role
    return ModelMessage(
        role=role,
        content=content,
        name=item.name if extras.shows_members else None,
        tool_calls=tuple(map(_call, calls)),
        reasoning=_reasoning(extras, (item.item_id, *(call.id for call in calls))) if role == "assistant" else (),
    )


def _reasoning(extras: Extras, ids: Iterable[str]) -> tuple[ModelReasoning, ...]:
    return next((extras.reasoning[key] for key in ids if key in extras.reasoning), ())


def _call(call: StoredCall) -> ModelToolCall:
    return ModelToolCall(id=call.id, function=FunctionCall(name=call.name, arguments=call.arguments))


def _answers(calls: Sequence[StoredCall]) -> Iterator[ModelMessage]:
    return (ModelMessage(role="tool", tool_call_id=call.id, content=call.result) for call in calls)
