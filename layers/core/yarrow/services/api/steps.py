"""`steps.*`: work that a runner does itself and must not repeat, and values that stay the same in a rerun."""

import secrets
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, Final

from yarrow.agents.grants import RunGrant
from yarrow.protocol.runner.api import Arguments, StepBeginRequest, StepEndRequest, StepValueRequest
from yarrow.services.api import access
from yarrow.services.api.errors import invalid_argument
from yarrow.services.api.services import Action, Services, safe

_BEGIN: Final = "steps.begin"
"""The action of a step of the runner's own: its identity at both ends."""


def _permit(_grant: RunGrant, _request: Arguments) -> None:
    """Allow every run to make steps."""


async def _begin(_grant: RunGrant, services: Services, request: StepBeginRequest) -> dict[str, Any]:
    call = services.steps.call(_BEGIN, request, request.name, request.retry, occurrence=services.occurrence)
    if call is None:
        raise invalid_argument("occurrence", "of the call is missing")
    earlier = await services.steps.recorded(call)
    if earlier is not None:
        return services.steps.result_of(earlier)
    await access.check_active(services)
    step = await services.steps.begin(call)
    return {"step": step.id, "key": call.key, "number": step.number, "started_at": step.started_at}


async def _end(_grant: RunGrant, services: Services, request: StepEndRequest) -> dict[str, Any]:
    begun = StepBeginRequest(run_id=request.run_id, name=request.name, retry=request.retry)
    step = services.steps.begun(_BEGIN, begun, request.step, request.number, request.started_at)
    if step is None:
        raise invalid_argument("step", "is not a step with this name")
    if request.error is None:
        ended = await services.steps.end(step, {"value": request.value})
    else:
        ended = await services.steps.end(step, {"error": request.error}, outcome="failed")
    return services.steps.result_of(ended)


async def _value(_grant: RunGrant, _services: Services, request: StepValueRequest) -> dict[str, Any]:
    if request.kind == "now":
        return {"value": datetime.now(UTC).isoformat(timespec="microseconds")}
    return {"value": secrets.token_hex(32)}


ACTIONS: Final[Mapping[str, Action[Any]]] = {
    _BEGIN: Action(_permit, _begin),
    "steps.end": Action(_permit, _end),
    "steps.value": Action(_permit, _value, safe),
}
