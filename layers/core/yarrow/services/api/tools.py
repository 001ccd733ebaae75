"""`tools.*`: details of the run's tools, and calls of backend tools (RNR-53)."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from yarrow.agents.grants import RunGrant
from yarrow.protocol.runner.api import ToolCallRequest, ToolDetail, ToolDetailRequest
from yarrow.protocol.runner.resources import ToolResource
from yarrow.protocol.runner.tools import ToolContext
from yarrow.protocol.runner.vocabulary import Retry
from yarrow.services.api import access
from yarrow.services.api.errors import invalid_argument, not_found, unauthorized
from yarrow.services.api.services import Action, Services
from yarrow.services.approvals import Decision
from yarrow.services.steps.step_log import Call
from yarrow.services.tools.registry import ToolResult
from yarrow.services.tools.tool_run import StoredRun

CALL: Final = "tools.call"


def _visible(grant: RunGrant, tool_name: str, operation: str) -> ToolResource:
    return access.visible(grant.resources.tools, "tool_name", tool_name, operation)


def _check_detail(grant: RunGrant, request: ToolDetailRequest) -> None:
    access.permit(grant, "tools", "detail")
    _visible(grant, request.tool_name, "detail")


def check_call(grant: RunGrant, request: ToolCallRequest) -> None:
    """Raise AgentAPIException unless the run may call the tool."""
    access.permit(grant, "tools", "call")
    if _visible(grant, request.tool_name, "call").tool_type != "backend":
        raise unauthorized("a call of a tool that the client executes")


async def _detail(grant: RunGrant, services: Services, request: ToolDetailRequest) -> ToolDetail:
    """Return a tool's detail; a backend tool's registered one overrides the grant's (TOOL-06)."""
    granted = _visible(grant, request.tool_name, "detail")
    if granted.tool_type == "frontend":
        return ToolDetail(
            tool_name=granted.tool_name, description=granted.description or "", parameters=granted.parameters or {}
        )
    detail = services.tools.detail(request.tool_name)
    if detail is None:
        raise not_found()
    return detail


async def _call(grant: RunGrant, services: Services, request: ToolCallRequest) -> dict[str, Any]:
    if services.tools.detail(request.tool_name) is None:
        raise not_found()
    if services.tools.writes(request.tool_name):
        await access.check_active(services)
    if services.is_early and (elicitations := services.elicitations) is not None:
        return _document(elicitations.tools.sign_in_first(request.tool_name), services, request)
    context = _context(grant, services)
    return _document(await services.tools.answer(request.tool_name, request.parameters, context), services, request)


async def _settle(
    grant: RunGrant, services: Services, request: ToolCallRequest, call: Call, document: dict[str, Any]
) -> dict[str, Any]:
    """Go on with a call whose MCP server asks its user first, or wants them to sign in."""
    if (elicitations := services.elicitations) is None:
        return document
    if "edited_arguments" in document:  # the call that is repeated is the one that the user has approved
        request = request.model_copy(update={"parameters": document["edited_arguments"]})
        services = replace(services, is_edited=True)
    context = _context(grant, replace(services, step_key=call.key))

    async def go_on(given: Mapping[str, Any]) -> dict[str, Any]:
        answer = await elicitations.tools.answer(request.tool_name, request.parameters, context, given)
        return _document(answer, services, request)

    arguments = None if request.tool_name in grant.approvals else request.parameters
    return await elicitations.settle(call, document, go_on, arguments)


def _context(grant: RunGrant, services: Services) -> ToolContext:
    run = StoredRun(grant.run_key, grant.thread_id)
    return ToolContext(grant.user_id, grant.thread_id, grant.run_key, services.time_zones, run, services.step_key)


def _document(answer: ToolResult, services: Services, request: ToolCallRequest) -> dict[str, Any]:
    card = {"card": answer.card} if request.with_card and answer.card is not None else {}
    edited = {"edited_arguments": request.parameters} if services.is_edited else {}
    asks = {} if answer.asks is None else {"asks": answer.asks}
    contents = {"contents": [*answer.contents]} if answer.contents else {}
    return {"result": answer.result, **contents, **card, **edited, **asks}


def _shown(document: Mapping[str, Any]) -> list[str]:
    """Return the ids of the artifacts that a call has answered with."""
    return [part["artifact_id"] for part in document.get("contents", ()) if part["type"] == "artifact"]


async def decide(grant: RunGrant, services: Services, request: ToolCallRequest, call: Call | None) -> Decision:
    """Decide whether a call is made; one that the user has to approve first waits for it (ASK-06)."""
    approval = grant.approvals.get(request.tool_name)
    if approval is None:
        return Decision(None, request)
    if services.tools.detail(request.tool_name) is None:
        raise not_found()
    if services.elicitations is not None and services.elicitations.tools.needs_sign_in(request.tool_name):
        return Decision(None, request, is_early=True)
    if call is None:
        raise invalid_argument("occurrence", "of the call is missing")
    return await services.approvals.decide(approval, request, call)


def _retry(services: Services, request: ToolCallRequest) -> Retry:
    if services.tools.detail(request.tool_name) is None:
        return "safe"
    return services.tools.retry(request.tool_name)


ACTIONS: Final[Mapping[str, Action[Any]]] = {
    "tools.get_detail": Action(_check_detail, _detail),
    CALL: Action(check_call, _call, _retry, decide=decide, settle=_settle, shows=_shown),
}
