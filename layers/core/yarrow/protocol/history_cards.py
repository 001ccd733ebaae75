"""The history responses of clients that ask for cards with `ui=2.0` (UIS-04); others have none (HIS-11)."""

from typing import Any

from msgspec import field

from yarrow.protocol.history import AssistantItem, Snapshot, UserItem


def _null() -> None:
    return None


class CardAssistantItem(AssistantItem, frozen=True, kw_only=True):
    """An assistant message with its card, or null (UIS-04)."""

    ui_schema: dict[str, Any] | None = field(default_factory=_null, name="ui_schema")


class CardSnapshot(Snapshot, frozen=True, kw_only=True):
    """A history response with cards, as asked for with `ui=2.0`."""

    messages: tuple[UserItem | CardAssistantItem, ...]
