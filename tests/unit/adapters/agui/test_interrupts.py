"""Interrupts of AG-UI agents are questions to the user, and the answers are `resume`."""

import asyncio
from collections.abc import AsyncGenerator, Mapping
from datetime import UTC, datetime
from typing import Any

import pytest

from yarrow.adapters.agui.interrupts import interrupts_of, resume
from yarrow.protocol.runner.proxy import AgentRunAPIProxy
from yarrow.protocol.runner.questions import DEFAULT_EXPIRY, MAX_EXPIRY

NOW = datetime(2026, 11, 1, 12, tzinfo=UTC)
APPROVAL = {"type": "object", "properties": {"approved": {"type": "boolean"}}, "required": ["approved"]}


class Host:
    """Answers every question with this answer."""

    def __init__(self, **answer: Any) -> None:
        self.questions: list[dict[str, Any]] = []
        self._answer = answer

    async def call(self, action: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
        assert action == "steps.ask"
        self.questions.append(arguments["question"])
        return self._answer

    async def stream(self, action: str, arguments: Mapping[str, Any]) -> AsyncGenerator[dict[str, Any]]:
        raise NotImplementedError
        yield {}


def asked(interrupt: dict[str, Any], **answer: Any) -> tuple[dict[str, Any], dict[str, Any]]:
    host = Host(**answer)
    entries = asyncio.run(resume(AgentRunAPIProxy("run", host), [{"id": "i", **interrupt}], NOW))
    return host.questions[0], entries[0]


@pytest.mark.parametrize(
    ("interrupt", "kind"),
    [
        ({"reason": "confirmation"}, "confirmation"),
        ({"reason": "tool_call", "toolCallId": "c"}, "confirmation"),
        ({"reason": "input_required"}, "text"),
        ({"reason": "langgraph:interrupt", "responseSchema": {"type": "string"}}, "text"),
        ({"reason": "input_required", "responseSchema": {"type": "string", "enum": ["a", "b"]}}, "choice"),
        ({"reason": "tool_call", "responseSchema": APPROVAL}, "form"),
    ],
)
def test_the_kind_of_question_follows_from_the_schema(interrupt: dict[str, Any], kind: str) -> None:
    question, _ = asked({**interrupt, "message": "Shall I?"}, status="cancelled")
    assert (question["kind"], question["message"]) == (kind, "Shall I?")
    assert question.get("response_schema") == (APPROVAL if kind == "form" else None)


@pytest.mark.parametrize(
    ("interrupt", "answer", "entry"),
    [
        ({"reason": "confirmation"}, {"status": "answered", "value": True}, {"approved": True}),
        (
            {"reason": "confirmation"},
            {"status": "refused", "value": False, "reason": "no"},
            {"approved": False, "reason": "no"},
        ),
        ({"reason": "input_required"}, {"status": "answered", "value": "blue"}, "blue"),
        (
            {"reason": "tool_call", "responseSchema": APPROVAL},
            {"status": "answered", "value": {"approved": False}},
            {"approved": False},
        ),
    ],
)
def test_an_answer_is_the_payload(interrupt: dict[str, Any], answer: dict[str, Any], entry: Any) -> None:
    assert asked(interrupt, **answer)[1] == {"interruptId": "i", "status": "resolved", "payload": entry}


@pytest.mark.parametrize("status", ["expired", "cancelled"])
def test_a_question_without_an_answer_is_cancelled(status: str) -> None:
    assert asked({"reason": "confirmation"}, status=status)[1] == {"interruptId": "i", "status": "cancelled"}


@pytest.mark.parametrize(
    ("expires_at", "seconds"),
    [
        (None, DEFAULT_EXPIRY),
        ("2026-11-01T13:00:00Z", 3_600),
        ("2026-11-01T13:00:00", 3_600),
        ("2026-11-01T14:00:00+01:00", 3_600),
        ("2026-11-01T11:00:00Z", 10),
        ("2027-11-01T12:00:00Z", MAX_EXPIRY),
        ("whenever", MAX_EXPIRY),
        (1_793_534_400, DEFAULT_EXPIRY),
    ],
)
def test_questions_expire_with_their_interrupts(expires_at: Any, seconds: int) -> None:
    question, _ = asked({"reason": "confirmation", "expiresAt": expires_at}, status="expired")
    assert question["expires_in"] == seconds


def test_several_interrupts_are_asked_at_once_and_answered_in_their_order() -> None:
    host = Host(status="answered", value="yes")
    interrupts = [{"id": name, "reason": "input_required"} for name in ("a", "b")]
    entries = asyncio.run(resume(AgentRunAPIProxy("run", host), interrupts, NOW))
    assert [entry["interruptId"] for entry in entries] == ["a", "b"]
    assert len(host.questions) == 2


@pytest.mark.parametrize(
    "outcome",
    [None, {}, {"type": "success"}, {"type": "interrupt"}, {"type": "interrupt", "interrupts": [{"reason": "x"}, 1]}],
)
def test_other_outcomes_have_no_interrupts(outcome: Any) -> None:
    assert interrupts_of(outcome) == []
