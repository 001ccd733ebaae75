"""The routes of `functions/agents`."""

from typing import Final

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from yarrow.access import limits
from yarrow.runs.get_capabilities import get_capabilities
from yarrow.runs.list_agents import list_agents
from yarrow.web.app import caller
from yarrow.web.json_body import BodyResponse

_FOR_A_MINUTE: Final = {"Cache-Control": "private, max-age=60"}


async def _get_capabilities(request: Request) -> Response:
    """Respond 200 with AG-UI's AgentCapabilities (EVT-36)."""
    user = caller(request)
    limits.count(user.user_id, "capability_reads")
    return BodyResponse(get_capabilities(request.query_params.get("agent"), user.locale), headers=_FOR_A_MINUTE)


async def _list_agents(request: Request) -> Response:
    """Respond 200 with the agents that the caller may use (EVB-06), in the language of `locale` or of the caller."""
    user = caller(request)
    limits.count(user.user_id, "agent_reads")
    return BodyResponse(list_agents(request.query_params.get("locale") or user.locale), headers=_FOR_A_MINUTE)


ROUTES = (
    Route("/send-message/capabilities", _get_capabilities, methods=["GET"], name="get_capabilities"),
    Route("/api/v1/agents", _list_agents, methods=["GET"], name="list_agents"),
)
