"""Assembles the API of one run from this deployment's services and stores."""

import base64
from collections.abc import Callable, Collection, Mapping
from typing import TYPE_CHECKING, Final

from yarrow.agents.grants import RunGrant
from yarrow.protocol.runner.api import AgentAPIException, PlatformRequest
from yarrow.protocol.runner.tools import TimeZones
from yarrow.protocol.runner.turn import Turn
from yarrow.services import approvals
from yarrow.services.api.errors import not_found
from yarrow.services.api.run_api import RunApi
from yarrow.services.api.services import Services
from yarrow.services.knowledge import search as knowledge
from yarrow.services.models.budget import Budget, TokenBudget
from yarrow.services.models.call import PICTURE_BYTES
from yarrow.services.models.gateway import ModelGateway
from yarrow.services.models.user_tokens import UserTokens
from yarrow.services.steps.asking import RunQuestions
from yarrow.services.steps.step_log import StepLog
from yarrow.services.tools.builtin import TOOLS
from yarrow.services.tools.registry import Tools
from yarrow.settings import settings
from yarrow.store import artifacts, event_log, transcript
from yarrow.store.runner import persistent_state, storage

if TYPE_CHECKING:
    from yarrow.services.api.services import ShowTaken
    from yarrow.services.contents import RunContents
    from yarrow.services.mcp.elicitation import Elicitations
    from yarrow.services.mcp.pictures import KeepPicture
    from yarrow.services.mcp.progress import TellProgress
    from yarrow.services.mcp.tools import FindTool
    from yarrow.services.mcp.wire import Server
    from yarrow.services.steps.unknown_outcomes import UnknownOutcomes

_NO_SERVERS: Final[Mapping[str, "Server"]] = {}


def api_of(
    grant: RunGrant,
    caller: str,
    time_zones: TimeZones,
    budget: Budget | None = None,
    steps: StepLog | None = None,
    is_active: Callable[[], bool] | None = None,
    turn: Turn | None = None,
    asking: RunQuestions | None = None,
    remembered: Callable[[], Collection[str]] = lambda: approvals.NOBODY,
    locale: str | None = None,
    unknown: "UnknownOutcomes | None" = None,
    mcp_servers: Mapping[str, "Server"] = _NO_SERVERS,
    keep_picture: "KeepPicture | None" = None,
    tell_progress: "TellProgress | None" = None,
    find_tool: "FindTool | None" = None,
    show_taken: "ShowTaken | None" = None,
) -> tuple[RunApi, ModelGateway]:
    """Return the run's API and its model gateway; close both after the run.

    `budget`, `steps` and `asking` are needed if calls are spread over processes or workers, `turn` if the runner is in
    this one, `unknown` if steps may be in doubt. `remembered` and `locale` are as for `Approvals`;
    `mcp_servers` are the agent's, with their secrets, `keep_picture` stores pictures of their results, `tell_progress`
    shows how far their calls are, and `find_tool` asks for a tool once its user has signed in.
    """
    most = settings.tokens_per_user_per_day
    models = ModelGateway(
        deadline_at=grant.deadline_at,
        budget=budget or TokenBudget(),
        read_artifact=_pictures(grant),
        user_tokens=UserTokens(grant.user_id, most) if most else None,
    )
    steps = steps or StepLog(grant.run_key, 1)
    asking = asking or RunQuestions(steps)
    tools = _tools(grant, mcp_servers, keep_picture, tell_progress, find_tool)
    services = Services(
        models=models,
        tools=tools,
        knowledge=knowledge,
        transcript=transcript,
        event_log=event_log,
        artifacts=artifacts,
        state=persistent_state,
        storage=storage,
        on_action=_refuse,
        approves=_is_approved,
        time_zones=time_zones,
        steps=steps,
        asking=asking,
        approvals=approvals.Approvals(steps, asking, tools, remembered, locale),
        elicitations=_elicitations(grant, tools, steps, asking, locale, can_sign_in=bool(mcp_servers)),
        is_active=is_active,
        turn=turn,
        unknown=unknown,
        contents=_contents(grant, steps),
        show_taken=show_taken,
    )
    return RunApi(grant, caller, services), models


def _contents(grant: RunGrant, steps: StepLog) -> "RunContents | None":
    """Return what keeps what models are asked and answer; few deployments want it."""
    if not grant.keeps_contents:
        return None
    from yarrow.services.contents import RunContents

    return RunContents(grant.run_key, grant.thread_id, steps.log_key, steps.attempt)


def _tools(
    grant: RunGrant,
    servers: Mapping[str, "Server"],
    keep_picture: "KeepPicture | None",
    tell_progress: "TellProgress | None",
    find_tool: "FindTool | None",
) -> Tools:
    """Return the run's tools; clients of MCP servers are imported for runs that have any."""
    if not grant.mcp_tools:
        return TOOLS
    from yarrow.services.mcp.tools import RunTools

    return RunTools(TOOLS, grant.mcp_tools, servers, keep_picture, tell_progress, find_tool)


def _elicitations(
    grant: RunGrant, tools: Tools, steps: StepLog, asking: RunQuestions, locale: str | None, *, can_sign_in: bool
) -> "Elicitations | None":
    """Return what asks for MCP servers. A runner of another process has none of them, so it asks for no sign-in."""
    if tools is TOOLS:
        return None
    from yarrow.services.mcp.elicitation import Elicitations
    from yarrow.services.mcp.sign_in import SignIns
    from yarrow.services.mcp.tools import RunTools

    if not isinstance(tools, RunTools):
        return None
    page = settings.mcp_connections_page
    sign_ins = SignIns(tools, steps, asking, grant.binding_id, page, locale) if page and can_sign_in else None
    return Elicitations(tools, steps, asking, locale, sign_ins)


def _pictures(grant: RunGrant) -> Callable[[str], tuple[bytes, str]]:
    def read(artifact_id: str) -> tuple[bytes, str]:
        described = artifacts.metadata(artifact_id, grant.thread_id)
        part = artifacts.read_range(artifact_id, grant.thread_id, 0, PICTURE_BYTES + 1)
        if described is None or part is None:
            raise not_found()
        return base64.b64decode(part.content_base64), described.mime_type

    return read


def _is_approved(grant: RunGrant, request: PlatformRequest) -> bool:
    """Whether the grant has the action; grants contain only actions the operator approved (RNR-61)."""
    return request.action in grant.permissions.platform_api


async def _refuse(_request: PlatformRequest) -> None:
    """Refuse to execute the action: the event `action.requested` leaves it to the client (RNR-37, RNR-61)."""
    raise AgentAPIException("runtime_error", "this host executes no actions; yield action.requested to ask the client")
