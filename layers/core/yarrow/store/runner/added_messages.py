"""Messages that a user adds to a run that goes on (RNR-87).

They are accepted only while the run is active: the run counts them, and whoever ends it does so on condition of the
count that it has read. So each is either pulled by the runner or known to the run's end.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

from yarrow.protocol.runner.vocabulary import MAX_ADDED
from yarrow.store import clock, journal, runs, table
from yarrow.store.items.records import Codec
from yarrow.store.items.updates import EXISTS, IS_NEW, Attr, Update

_TRIES: Final = MAX_ADDED + 2
"""Each try but one fails because another message or step was first, or the run has ended."""


class FullError(Exception):
    """The run has MAX_ADDED messages."""


class ConflictError(Exception):
    """Another message has this id."""


class EndedError(Exception):
    """The run has ended."""


class ReplacedError(Exception):
    """The run has ended, or is another worker's."""


@dataclass(frozen=True, slots=True)
class AddedMessage:
    """A message; `taken_by` is the key of the step that has pulled it, None if none has. `place` counts from 1."""

    id: str
    content: str = field(repr=False)
    place: int
    sent_at: str
    taken_by: str | None = None

    def document(self) -> dict[str, Any]:
        """Return it as the runner gets it (`protocol.runner.api.AddedMessage`)."""
        return {"id": self.id, "content": self.content, "place": self.place, "sent_at": self.sent_at}


_MESSAGES: Final = Codec(AddedMessage)


def read_all(run_key: str) -> list[AddedMessage]:
    """Read the messages of a run, in order; strongly consistent."""
    partition = table.run_key_of(run_key)["pk"]
    return [_MESSAGES.record(item) for item in table.query(partition, start="ADDED#", before="ADDED#~")]


def add(run: runs.Run, message_id: str, content: str) -> AddedMessage:
    """Add a message to an active run; the same one again is not added twice.

    Raises ConflictError if the id has another content, FullError, EndedError.
    """
    for _ in range(_TRIES):
        messages = read_all(run.key)
        same = next((message for message in messages if message.id == message_id), None)
        if same is not None:
            if same.content != content:
                raise ConflictError
            return same
        if runs.must_read(run.key).ended:
            raise EndedError
        if len(messages) >= MAX_ADDED:
            raise FullError
        added = AddedMessage(message_id, content, len(messages) + 1, clock.now_iso())
        item = {**_key(run.key, added.place), **_MESSAGES.item(added), "expires_at": clock.epoch_in(runs.INPUT_DAYS)}
        counted = Update().set(added=added.place)
        is_next = journal.IS_ACTIVE & Attr("added").eq(len(messages) or None)
        try:
            table.transact(table.update(table.run_key_of(run.key), counted, is_next), table.put(item, IS_NEW))
        except table.ConditionFailedError:
            continue  # another message was first, or the run has ended
        return added
    raise table.ConditionFailedError([True])


def take(run_key: str, step_key: str, attempt: int, limit: int) -> Sequence[AddedMessage]:
    """Take up to `limit` messages that no other step has taken, for one step; its repetition gets the same.

    Raises ReplacedError if the run has ended, or another worker than that of the attempt has it: one that goes on
    though it was replaced would take what the step of its successor did not get.
    """
    is_held = journal.IS_ACTIVE & Attr("attempt").eq(attempt)
    is_free = EXISTS & (Attr("taken_by").not_exists() | Attr("taken_by").eq(step_key))
    mark = Update().set(taken_by=step_key)
    for _ in range(_TRIES):
        messages = read_all(run_key)
        own = [message for message in messages if message.taken_by == step_key]
        found = [message for message in messages if message.taken_by is None][:limit]
        if own or not found:
            return own
        marks = [table.update(_key(run_key, message.place), mark, is_free) for message in found]
        try:
            table.transact(table.check(table.run_key_of(run_key), is_held), *marks)
        except table.ConditionFailedError as error:
            if error.failed[0]:
                raise ReplacedError from error
            continue  # another step of the worker was first
        return [replace(message, taken_by=step_key) for message in found]
    raise table.ConditionFailedError([True])


def release(run_key: str, step_key: str, got: Collection[str]) -> None:
    """Leave to the next step what a step has taken and its result has not: `got` are the ids that it has.

    The first result counts, which may be that of an earlier worker, from before the others were added.
    """
    for message in read_all(run_key):
        if message.taken_by == step_key and message.id not in got:
            is_own = Attr("taken_by").eq(step_key)
            table.update_returning(_key(run_key, message.place), Update().remove("taken_by"), is_own)


def _key(run_key: str, place: int) -> table.Item:
    return table.run_key_of(run_key, f"ADDED#{place:04d}")
