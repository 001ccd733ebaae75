"""`steps.*`: work that a runner does itself and must not repeat, values that stay the same in a rerun, sleep, and
questions to the user.
"""

import secrets
from collections.abc import Mapping
from datetime import timedelta
from typing import Any, Final

from yarrow.agents.grants import RunGrant
from yarrow.protocol.runner.api import (
    AgentAPIException,
    Arguments,
    AskRequest,
    StepBeginRequest,
    StepEndRequest,
    StepLeaveRequest,
    StepSleepRequest,
    StepValueRequest,
    StepWaitRequest,
)
from yarrow.protocol.runner.questions import OPEN
from yarrow.services.api import access
from yarrow.services.api.errors import invalid_argument
from yarrow.services.api.services import Action, Services, safe
from yarrow.store import clock

_BEGIN: Final = "steps.begin"
"""The action of a step of the runner's own: its identity at both ends."""

ASK: Final = "steps.ask"


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
    if services.turn is not None:
        services.turn.begin_step(step.id)
    return {
        "step": step.id,
        "key": call.key,
        "number": step.number,
        "started_at": step.started_at,
        "attempt": services.steps.attempt,
    }


async def _end(_grant: RunGrant, services: Services, request: StepEndRequest) -> dict[str, Any]:
    begun = StepBeginRequest(run_id=request.run_id, name=request.name, retry=request.retry, arguments=request.arguments)
    step = services.steps.begun(_BEGIN, begun, request.step, request.number, request.started_at)
    if step is None:
        raise invalid_argument("step", "is not a step with this name")
    try:
        if request.error is None:
            ended = await services.steps.end(step, {"value": request.value})
        else:
            ended = await services.steps.end(step, {"error": request.error}, outcome="failed")
    finally:
        if services.turn is not None:
            services.turn.end_step(step.id)
    return services.steps.result_of(ended)


async def _leave(_grant: RunGrant, services: Services, request: StepLeaveRequest) -> dict[str, Any]:
    if services.turn is not None:
        services.turn.end_step(request.step)
    return {}


async def _ask(_grant: RunGrant, services: Services, request: AskRequest) -> dict[str, Any]:
    call = services.steps.call(ASK, request, None, occurrence=services.occurrence)
    if call is None:
        raise invalid_argument("occurrence", "of the call is missing")
    document = await services.asking.ask(call, request.question)
    if OPEN in document and services.turn is not None:
        await services.turn.until_answered()
    return document


async def _value(_grant: RunGrant, _services: Services, request: StepValueRequest) -> dict[str, Any]:
    if request.kind == "now":
        return {"value": clock.now().isoformat(timespec="microseconds")}
    return {"value": secrets.token_hex(32)}


async def _sleep(grant: RunGrant, _services: Services, request: StepSleepRequest) -> dict[str, Any]:
    """Return until when the run sleeps: the first worker's answer holds for all."""
    until = request.until or clock.now() + timedelta(seconds=request.seconds or 0)
    if until.timestamp() >= grant.deadline_at:
        raise AgentAPIException("deadline_exceeded", "the run's deadline is before the end of the sleep")
    return {"until": until.isoformat(timespec="milliseconds")}


async def _wait(_grant: RunGrant, services: Services, request: StepWaitRequest) -> dict[str, Any]:
    if services.turn is None:
        raise invalid_argument("action", "is for the runner's own process to do")
    await services.turn.sleep(request.until.timestamp())
    return {"until": request.until.isoformat(timespec="milliseconds")}


ACTIONS: Final[Mapping[str, Action[Any]]] = {
    _BEGIN: Action(_permit, _begin),
    "steps.end": Action(_permit, _end),
    "steps.leave": Action(_permit, _leave),
    "steps.value": Action(_permit, _value, safe),
    "steps.sleep": Action(_permit, _sleep, safe),
    "steps.wait": Action(_permit, _wait),
    ASK: Action(_permit, _ask),
}
