"""Tells the author of an agent what its runner raised in a run of their own, what the run was granted and refused, and
what its models were asked and answered (STP-08, STP-10).

An exception quotes what the runner's code has, and a request what its prompts are: on the local stack every caller is
the author, in a deployment only who has the operators' scope. Nobody is told of another user's run.
"""

from typing import Any

from yarrow.access import limits, ownership
from yarrow.agents.grants import RunGrant
from yarrow.protocol.caller import Caller
from yarrow.protocol.diagnostics import (
    CallError,
    Granted,
    GrantedTool,
    ModelContents,
    OfferedTool,
    RaisedException,
    RaisedFrame,
    RefusedCall,
    RunDiagnostics,
    SaidCall,
    SaidMessage,
)
from yarrow.protocol.problems import Code, Problem
from yarrow.settings import settings
from yarrow.store.runner import contents, grants, raised


def diagnose_run(caller: Caller, thread_id: str, run_id: str | None, step: str | None = None) -> RunDiagnostics:
    """Return the diagnostics of a run, with the contents of a model's call, if `step` names one.

    Raises Problem as `ownership.run_of`, 403 to other callers, and 429.
    """
    run = ownership.run_of(caller.user_id, thread_id, run_id)
    if not (caller.operates or settings.shows_exceptions):
        raise Problem(Code.AGENT_FORBIDDEN, "only operators see what an agent's code did")
    limits.count_stream_read(caller.user_id)
    found, grant = raised.read(run.key), grants.read(run.key)
    granted = None if grant is None else RunGrant.model_validate_json(grant.grant_json)
    kept = granted is not None and granted.keeps_contents
    call = contents.read(run.log_key, step) if kept and step is not None else None
    if call is not None:
        limits.charge_stream_read(caller.user_id, len(str(call.contents)))
    return RunDiagnostics(
        exceptions=() if found is None else _exceptions(found),
        attempt=None if found is None else found.attempt,
        granted=None if granted is None else _granted(granted),
        keeps_contents=kept,
        refusals=tuple(map(_refused, contents.refusals(run.key))) if kept else (),
        call=None if call is None else _contents(call),
    )


def _exceptions(found: raised.Raised) -> tuple[RaisedException, ...]:
    return tuple(
        RaisedException(
            type=exception["type"],
            message=exception["message"],
            frames=tuple(RaisedFrame(**frame) for frame in exception["frames"]),
        )
        for exception in found.exceptions
    )


def _granted(grant: RunGrant) -> Granted:
    tools = tuple(
        GrantedTool(
            name=tool.tool_name,
            operations=tuple(tool.operations),
            runs_at="frontend" if tool.tool_type == "frontend" else "backend",
            approval=tool.tool_name in grant.approvals,
            server=grant.mcp_tools[tool.tool_name].server if tool.tool_name in grant.mcp_tools else None,
        )
        for tool in grant.resources.tools
    )
    return Granted(models=tuple(model.model_id for model in grant.resources.models), tools=tools)


def _refused(refusal: contents.Refusal) -> RefusedCall:
    return RefusedCall(
        action=refusal.action,
        name=refusal.name,
        code=refusal.code,
        message=refusal.message,
        at=refusal.refused_at,
        attempt=refusal.attempt,
    )


def _contents(kept: contents.CallContents) -> ModelContents:
    found = kept.contents
    answer, error = found.get("answer"), found.get("error")
    return ModelContents(
        step=kept.step,
        attempt=kept.attempt,
        messages=tuple(map(_message, found["messages"])),
        left_out=found.get("left_out"),
        tools=tuple(OfferedTool(**tool) for tool in found["tools"]),
        tools_left_out=found.get("tools_left_out"),
        options=found["options"],
        answer=None if answer is None else _message(answer),
        finish_reason=found.get("finish_reason"),
        error=None if error is None else CallError(**error),
    )


def _message(stored: dict[str, Any]) -> SaidMessage:
    calls = tuple(SaidCall(**call) for call in stored.get("calls", ()))
    return SaidMessage(**{**stored, "calls": calls})
