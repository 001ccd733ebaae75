"""Questions and answers in the history: which messages asked, and how the questions ended (ASK-01)."""

from collections.abc import Mapping, Sequence
from itertools import islice
from typing import Final, TypeVar

from msgspec import structs

from yarrow.protocol.history import (
    AssistantItem,
    DayAssistantItem,
    HistoryAnswer,
    HistoryInterrupt,
    InterruptStatus,
    UserItem,
)
from yarrow.store import sessions

MAX_READ: Final = 50
"""Questions without an answer in the history whose status is read, the latest ones; earlier ones are closed."""

_Item = UserItem | AssistantItem | DayAssistantItem
_ItemT = TypeVar("_ItemT", bound=_Item)


def interrupt_of(message: sessions.StoredMessage) -> HistoryInterrupt | None:
    """Return the question that a message is, as open: `with_statuses` knows better."""
    if not message.interrupt:
        return None
    return HistoryInterrupt(id=message.interrupt["id"], kind=message.interrupt["kind"], status="open")


def answers_of(message: sessions.StoredMessage) -> tuple[HistoryAnswer, ...] | None:
    """Return the answers that a message gives, if any."""
    if not message.answers:
        return None
    return tuple(
        HistoryAnswer(interrupt_id=name, status=answer["status"], payload=answer["payload"])
        for name, answer in message.answers.items()
    )


def with_statuses(user_id: str, items: Sequence[_ItemT]) -> list[_ItemT]:
    """Return the items with how their questions ended: by the answers among them, else as the questions say.

    One that is no longer stored was cancelled, or expired.
    """
    question_ids = [
        item.interrupt.id for item in items if not isinstance(item, UserItem) and item.interrupt is not None
    ]
    if not question_ids:
        return list(items)
    statuses: dict[str, InterruptStatus] = {
        answer.interrupt_id: answer.status
        for item in items
        if isinstance(item, UserItem)
        for answer in item.answers or ()
    }
    statuses |= _read(user_id, [*islice((name for name in reversed(question_ids) if name not in statuses), MAX_READ)])
    return [_with_status(item, statuses) for item in items]


def _with_status(item: _ItemT, statuses: Mapping[str, InterruptStatus]) -> _ItemT:
    if isinstance(item, UserItem) or item.interrupt is None:
        return item
    status = statuses.get(item.interrupt.id, "cancelled")
    return structs.replace(item, interrupt=structs.replace(item.interrupt, status=status))


def _read(user_id: str, ids: Sequence[str]) -> dict[str, InterruptStatus]:
    from yarrow.store import questions  # few sessions have any

    found = zip(ids, questions.read(user_id, ids), strict=True)
    return {name: one.ended or ("expired" if one.is_over else "open") for name, one in found if one is not None}
