"""What a run's events tell of messages that its user has added (RNR-87)."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, TypeGuard

from yarrow.protocol.events.events import Custom, Event
from yarrow.protocol.runner.vocabulary import MESSAGE_TAKEN, MESSAGES_UNREAD

if TYPE_CHECKING:
    from yarrow.protocol.events.framing import RunIds
    from yarrow.store.runner.added_messages import AddedMessage


def taken_event(ids: "RunIds", message: dict[str, Any]) -> Event:
    """Return the event of a message that the runner has taken, from the document that the runner gets."""
    value = {"id": message["id"], "content": message["content"], "sentAt": message["sent_at"]}
    return Custom(**ids, name=MESSAGE_TAKEN, value=value)


def is_taken(event: Event) -> TypeGuard[Custom]:
    """Return whether an event is that of a message that was taken: it is of the host, and no rerun repeats it."""
    return isinstance(event, Custom) and event.name == MESSAGE_TAKEN


def unread_event(ids: "RunIds", unread: "Iterable[AddedMessage]") -> Sequence[Event]:
    """Return the event that ends a run with messages which nobody saw taken; none without any."""
    names = [message.id for message in unread]  # not their texts, which together are larger than an item may be
    return [Custom(**ids, name=MESSAGES_UNREAD, value={"ids": names})] if names else []
