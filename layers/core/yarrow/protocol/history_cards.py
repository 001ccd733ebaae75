"""The history responses of clients that ask for cards with `ui=2.0` (UIS-04); others have none (HIS-11)."""

from typing import Annotated, Any

from pydantic import Field

from yarrow.protocol.history import AssistantItem, Snapshot, UserItem


class CardAssistantItem(AssistantItem):
    """An assistant message with its card, or null (UIS-04)."""

    ui_schema: Annotated[dict[str, Any] | None, Field(alias="ui_schema")] = None


class CardSnapshot(Snapshot):
    """A history response with cards, as asked for with `ui=2.0`."""

    messages: tuple[Annotated[UserItem | CardAssistantItem, Field(discriminator="role")], ...]
