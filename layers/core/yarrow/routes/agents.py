"""The routes of `functions/agents`."""

from typing import Final

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from yarrow.access import limits
from yarrow.runs.get_capabilities import get_capabilities
from yarrow.web.app import caller
from yarrow.web.json_body import BodyResponse

_FOR_A_MINUTE: Final = {"Cache-Control": "private, max-age=60"}


async def _get_capabilities(request: Request) -> Response:
    """Respond 200 with AG-UI's AgentCapabilities (EVT-36)."""
    user = caller(request)
    limits.count(user.user_id, "capability_reads")
    return BodyResponse(get_capabilities(request.query_params.get("agent"), user.locale), headers=_FOR_A_MINUTE)


ROUTES = (Route("/send-message/capabilities", _get_capabilities, methods=["GET"], name="get_capabilities"),)
