"""All actions by name."""

from collections.abc import Mapping
from typing import Any, Final

from yarrow.services.api import (
    artifacts,
    events,
    history,
    knowledge,
    models,
    platform,
    state,
    steering,
    steps,
    storage,
    tools,
)
from yarrow.services.api.services import Action, StreamAction

ACTIONS: Final[Mapping[str, Action[Any]]] = {
    **models.ACTIONS,
    **tools.ACTIONS,
    **knowledge.ACTIONS,
    **history.ACTIONS,
    **events.ACTIONS,
    **artifacts.ACTIONS,
    **state.ACTIONS,
    **storage.ACTIONS,
    **platform.ACTIONS,
    **steps.ACTIONS,
    **steering.ACTIONS,
}
STREAMS: Final[Mapping[str, StreamAction[Any]]] = models.STREAMS
