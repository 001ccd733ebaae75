"""`platform.*`: requests for platform actions, denied by default (RNR-61).

An action needs the grant and the user's approval. `Services.on_action` receives it; nothing is executed here (RNR-37).
"""

from collections.abc import Mapping
from typing import Any, Final

from yarrow.agents.grants import RunGrant
from yarrow.protocol.runner.api import PlatformRequest
from yarrow.services.api import access
from yarrow.services.api.errors import unauthorized
from yarrow.services.api.services import Action, Services


def _check(grant: RunGrant, request: PlatformRequest) -> None:
    access.permit(grant, "platform_api", request.action)


async def _request(grant: RunGrant, services: Services, request: PlatformRequest) -> dict[str, Any]:
    if not services.approves(grant, request):
        raise unauthorized("an action without the user's approval")
    await services.on_action(request)
    return {"status": "requested"}


ACTIONS: Final[Mapping[str, Action[Any]]] = {"platform.request_action": Action(_check, _request)}
