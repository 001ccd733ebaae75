"""Interrupts as AG-UI 1.0 has them: a run's questions in RUN_FINISHED, and the `resume` that answers them (ASK-02).

Source: AG-UI's `interrupts.mdx` and the released SDKs. The binding in an interrupt's metadata is what TanStack's client
needs to offer an answer (ASK-03).
"""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

from yarrow.formats import json_text
from yarrow.protocol.problems import Code, Problem
from yarrow.protocol.response_body import Body
from yarrow.protocol.runner.vocabulary import QuestionKind

MAX_OPEN: Final = 5
"""Open questions of a session: each takes items of the transactions that ask and answer it."""

MEMBER: Final = "resume"

MAX_BODY_BYTES: Final = 64 * 1024
"""The most bytes of a body that answers one question."""

ResumeStatus = Literal["resolved", "cancelled"]

_BINDING: Final = "tanstack:interruptBinding"
_MAX_ID_LENGTH: Final = 128


APPROVE: Final = "tools.approve"
"""The action of the step in which a user approves a tool call."""


@dataclass(frozen=True, slots=True)
class ApprovalDetails:
    """What clients get to know of a tool call that needs approval; one of the scope `session` holds for all of it."""

    tool_name: str
    arguments: Mapping[str, Any]
    scope: Literal["call", "session"]

    def as_metadata(self) -> dict[str, Any]:
        """Return it as members of an interrupt's `metadata`."""
        return {"toolName": self.tool_name, "arguments": dict(self.arguments), "scope": self.scope}


@dataclass(frozen=True, slots=True)
class ResumeEntry:
    """The answer to one question; `payload` is None if it is cancelled."""

    interrupt_id: str
    status: ResumeStatus
    payload: Any = None

    @property
    def digest(self) -> str:
        """A hash, equal for equal answers."""
        parts = json_text.canonical([self.interrupt_id, self.status, self.payload])
        return hashlib.sha256(parts.encode()).hexdigest()


def read_resume(value: Any) -> tuple[ResumeEntry, ...]:
    """Read `resume` of a run input; empty if it is missing. Raises Problem 422."""
    if value is None:
        return ()
    if not isinstance(value, list):
        raise _invalid("must be an array")
    if len(value) > MAX_OPEN:
        raise _invalid(f"has at most {MAX_OPEN} entries")
    entries = tuple(_entry(item, f"[{index}]") for index, item in enumerate(value))
    if len({entry.interrupt_id for entry in entries}) < len(entries):
        raise _invalid("answers an interrupt twice")
    return entries


def _entry(item: Any, where: str) -> ResumeEntry:
    if not isinstance(item, dict):
        raise _invalid(f"{where} must be an object")
    interrupt_id = item.get("interruptId", item.get("interrupt_id"))
    if not isinstance(interrupt_id, str) or not 0 < len(interrupt_id) <= _MAX_ID_LENGTH:
        raise _invalid(f"{where}.interruptId must be the id of an interrupt")
    return read_answer(interrupt_id, item, f"RunAgentInput.resume{where}.")


def read_answer(interrupt_id: str, item: Mapping[str, Any], where: str = "") -> ResumeEntry:
    """Read `status` and `payload` of an answer; a missing payload is null. Raises Problem 422."""
    status = item.get("status")
    if status == "cancelled":
        return ResumeEntry(interrupt_id, "cancelled")
    if status != "resolved":
        raise Problem(Code.AGENT_INTERRUPT_ANSWER_INVALID, f"{where}status must be resolved or cancelled")
    return ResumeEntry(interrupt_id, "resolved", item.get("payload"))  # the question's schema says if it may be missing


def read_answer_body(interrupt_id: str, raw: bytes) -> ResumeEntry:
    """Read the body of an answer to one question. Raises Problem 400, 413 or 422."""
    if len(raw) > MAX_BODY_BYTES:
        detail = f"the body may have at most {MAX_BODY_BYTES} bytes"
        raise Problem(Code.AGENT_INTERRUPT_ANSWER_INVALID, detail, status=413)
    try:
        body = json_text.loads(raw)
        json_text.canonical(body)
    except json_text.UnreadableError as error:
        raise Problem(Code.REQUEST_INVALID, f"the request body {error}") from error
    if not isinstance(body, dict):
        raise Problem(Code.AGENT_INTERRUPT_ANSWER_INVALID, "the body must be an object")
    return read_answer(interrupt_id, body)


def _invalid(what: str) -> Problem:
    return Problem(Code.AGENT_RUN_INPUT_INVALID, f"RunAgentInput.resume{what if what[0] == '[' else ' ' + what}")


def interrupt(
    interrupt_id: str,
    *,
    kind: QuestionKind,
    message: str,
    schema: Mapping[str, Any],
    expires_at: str,
    metadata: Mapping[str, Any],
    tool_call_id: str | None = None,
) -> dict[str, Any]:
    """Return a question as an entry of `interrupts`."""
    reason = "confirmation" if kind == "confirmation" else "input_required"
    call = {} if tool_call_id is None else {"toolCallId": tool_call_id}
    return {
        "id": interrupt_id,
        "reason": reason if tool_call_id is None else "tool_call",
        "message": message,
        **call,
        "responseSchema": dict(schema),
        "expiresAt": expires_at,
        "metadata": {"kind": kind, **metadata},
    }


def outcome(interrupts: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Return the `outcome` of a RUN_FINISHED that asks."""
    return {"type": "interrupt", "interrupts": [dict(one) for one in interrupts]}


def bound(outcome: Mapping[str, Any], run_id: str) -> dict[str, Any]:
    """Return an outcome whose interrupts have the binding of the run that the client knows by `run_id`."""
    return {**outcome, "interrupts": [_with_binding(one, run_id) for one in outcome["interrupts"]]}


def _with_binding(one: Mapping[str, Any], run_id: str) -> dict[str, Any]:
    schema = hashlib.sha256(json_text.canonical(_as_in_javascript(one["responseSchema"])).encode()).hexdigest()
    binding = {
        "v": 1,
        "kind": "generic",
        "interruptId": one["id"],
        "interruptedRunId": run_id,
        "generation": 0,
        "responseSchemaHash": f"sha256:{schema}",
        "expiresAt": one["expiresAt"],
    }
    return {**one, "metadata": {**one["metadata"], _BINDING: binding}}


def _as_in_javascript(value: Any) -> Any:
    """Return JSON whose numbers are written as JavaScript writes them: 1.0 as 1."""
    match value:
        case dict():
            return {name: _as_in_javascript(member) for name, member in value.items()}
        case list():
            return [_as_in_javascript(member) for member in value]
        case float() if value.is_integer():
            return int(value)
    return value


class InterruptItem(Body, frozen=True, kw_only=True):
    """An open question of a run to its user."""

    id: str
    thread_id: str
    run_id: str
    agent: str
    message: str
    kind: QuestionKind
    response_schema: dict[str, Any]
    metadata: dict[str, Any] | None = None
    tool_call_id: str | None = None
    expires_at: str
    created_at: str


class InterruptList(Body, frozen=True, kw_only=True):
    """A page of open questions, newest first. `next` continues after it if it `hasMore`."""

    interrupts: tuple[InterruptItem, ...]
    has_more: bool
    next: str | None = None
