"""Interrupts of AG-UI agents as questions to the run's user, and the answers as `resume` of the next request."""

import asyncio
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, Final

from yarrow.protocol.runner.proxy import AgentRunAPIProxy
from yarrow.protocol.runner.questions import DEFAULT_EXPIRY, MAX_EXPIRY, MESSAGE_CHARACTERS, Answer
from yarrow.protocol.runner.vocabulary import QuestionKind

MIN_EXPIRY: Final = 10
"""Seconds; a question that expires sooner could not be answered."""

MAX_ID_LENGTH: Final = 256

_ASKED: Final = "The agent needs an answer to go on."
_YES_OR_NO: Final = frozenset({"confirmation", "tool_call"})
"""Reasons whose interrupts can be answered by yes or no, if they have no schema."""

Interrupt = Mapping[str, Any]


def interrupts_of(outcome: Any) -> list[Interrupt]:
    """Return the interrupts of a RUN_FINISHED's outcome; none for another one."""
    if not isinstance(outcome, dict) or outcome.get("type") != "interrupt":
        return []
    listed = outcome.get("interrupts")
    return [
        interrupt
        for interrupt in (listed if isinstance(listed, list) else ())
        if isinstance(interrupt, dict) and isinstance(interrupt.get("id"), str)
    ]


async def resume(api: AgentRunAPIProxy, interrupts: Sequence[Interrupt], now: datetime) -> list[dict[str, Any]]:
    """Ask the user all of them at once, and return the entries of `resume`. `now` is the run's own time."""
    answers = await asyncio.gather(*(_ask(api, interrupt, now) for interrupt in interrupts))
    return [_entry(interrupt, answer) for interrupt, answer in zip(interrupts, answers, strict=True)]


async def _ask(api: AgentRunAPIProxy, interrupt: Interrupt, now: datetime) -> Answer:
    schema, message = interrupt.get("responseSchema"), interrupt.get("message")
    kind, options = _kind(interrupt)
    return await api.ask(
        message[:MESSAGE_CHARACTERS] if isinstance(message, str) and message else _ASKED,
        kind,
        options=options,
        response_schema=schema if kind == "form" else None,
        expires_in=_expiry(interrupt.get("expiresAt"), now),
        tool_call_id=_call_of(interrupt),
    )


def _call_of(interrupt: Interrupt) -> str | None:
    call_id = interrupt.get("toolCallId")
    return call_id if isinstance(call_id, str) and 0 < len(call_id) <= MAX_ID_LENGTH else None


def _kind(interrupt: Interrupt) -> tuple[QuestionKind, Sequence[str]]:
    """Return how an interrupt is asked, and the choices of a choice."""
    schema = interrupt.get("responseSchema")
    if not isinstance(schema, dict):
        return ("confirmation" if interrupt.get("reason") in _YES_OR_NO else "text"), ()
    choices = schema.get("enum")
    if isinstance(choices, list) and choices and all(isinstance(choice, str) for choice in choices):
        return "choice", choices
    return ("form" if schema.get("type") == "object" else "text"), ()


def _expiry(expires_at: Any, now: datetime) -> int:
    """Return the seconds until a time in ISO 8601; one that is no time never expires, here after the longest time."""
    if not isinstance(expires_at, str):
        return DEFAULT_EXPIRY
    try:
        at = datetime.fromisoformat(expires_at)
    except ValueError:
        return MAX_EXPIRY
    if at.tzinfo is None:
        at = at.replace(tzinfo=UTC)
    return max(MIN_EXPIRY, min(MAX_EXPIRY, int((at - now).total_seconds())))


def _entry(interrupt: Interrupt, answer: Answer) -> dict[str, Any]:
    if answer.status not in ("answered", "refused"):
        return {"interruptId": interrupt["id"], "status": "cancelled"}
    payload = answer.value
    if not isinstance(interrupt.get("responseSchema"), dict) and isinstance(payload, bool):
        payload = {"approved": payload, **({"reason": answer.reason} if answer.reason else {})}
    return {"interruptId": interrupt["id"], "status": "resolved", "payload": payload}
