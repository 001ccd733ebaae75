"""The API of one run with everything behind it: this deployment's models, tools, knowledge bases and stores."""

import base64
from collections.abc import Callable
from typing import Final

from yarrow.host.api.errors import not_found
from yarrow.host.api.run_api import RunApi
from yarrow.host.api.services import Services
from yarrow.host.grants import RunGrant
from yarrow.host.knowledge import search as knowledge
from yarrow.host.models.budget import TokenBudget
from yarrow.host.models.call import PICTURE_BYTES
from yarrow.host.models.gateway import ModelGateway
from yarrow.host.tools.builtin import TOOLS
from yarrow.host.tools.context import TimeZones
from yarrow.observability.logs import logger
from yarrow.protocol.runner_api import PlatformRequest
from yarrow.store import artifacts, event_log, persistent_state, storage, transcript

MODEL_TOKENS: Final = 500_000
"""How many tokens the models may cost a run."""


def api_of(grant: RunGrant, caller: str, time_zones: TimeZones) -> tuple[RunApi, ModelGateway]:
    """The API of a run for the runner that calls it, and the models behind it; both are to be closed after the run.

    `time_zones` are the user's, for the tools.
    """
    models = ModelGateway(
        deadline_at=grant.deadline_at, budget=TokenBudget(MODEL_TOKENS), read_artifact=_pictures(grant)
    )
    services = Services(
        models=models,
        tools=TOOLS,
        knowledge=knowledge,
        transcript=transcript,
        event_log=event_log,
        artifacts=artifacts,
        state=persistent_state,
        storage=storage,
        on_action=_note,
        approves=_is_approved,
        time_zones=time_zones,
    )
    return RunApi(grant, caller, services), models


def _pictures(grant: RunGrant) -> Callable[[str], tuple[bytes, str]]:
    def read(artifact_id: str) -> tuple[bytes, str]:
        described = artifacts.metadata(artifact_id, grant.thread_id)
        part = artifacts.read_range(artifact_id, grant.thread_id, 0, PICTURE_BYTES + 1)
        if described is None or part is None:
            raise not_found()
        return base64.b64decode(part.content_base64), described.mime_type

    return read


def _is_approved(grant: RunGrant, request: PlatformRequest) -> bool:
    """Whether the operator has approved an action for this agent: a grant has no others (RNR-61)."""
    return request.action in grant.permissions.platform_api


async def _note(request: PlatformRequest) -> None:
    logger.info("an action was requested", extra={"action": request.action})
