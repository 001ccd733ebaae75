"""What an MCP server may ask before its tool has a result (MCP-01)."""

import asyncio
from collections.abc import Mapping
from types import SimpleNamespace
from typing import Any

import pytest

from tests.support.mcp_servers import SEAT
from yarrow.protocol.runner.api import ToolCallRequest
from yarrow.protocol.runner.questions import OPEN
from yarrow.services.api import tools
from yarrow.services.mcp import elicitation
from yarrow.services.mcp.elicitation import Elicitations, asked_by
from yarrow.services.mcp.results import result_of
from yarrow.services.mcp.tools import RunTools
from yarrow.services.steps.asking import RunQuestions
from yarrow.services.steps.step_log import Call, Document, StepLog
from yarrow.services.tools.builtin import TOOLS
from yarrow.services.tools.registry import ToolResult

FORM = {"method": "elicitation/create", "params": {"message": "Which?", "requestedSchema": SEAT}}
CALL = Call("a.0001", "key", "tools.call", "book", 1, "safe")


def asks(requests: Any, **members: Any) -> dict[str, Any]:
    return {"resultType": "input_required", "inputRequests": requests, **members}


@pytest.mark.parametrize(
    "answer",
    [
        asks({}),
        asks([FORM]),
        asks({str(number): FORM for number in range(elicitation.MAX_QUESTIONS + 1)}),
        asks({"a": FORM}, requestState="x" * (elicitation.MAX_STATE_BYTES + 1)),
        asks({"a": FORM}, requestState=7),
        asks({"a": {"method": "sampling/createMessage", "params": {}}}),
        asks({"a": FORM, "b": {"method": "roots/list"}}),
        asks(
            {
                "a": {
                    "method": "elicitation/create",
                    "params": {"mode": "url", "message": "Go", "url": "https://x.example"},
                }
            }
        ),
        asks({"a": {"method": "elicitation/create", "params": {**FORM["params"], "mode": "url"}}}),  # type: ignore[dict-item]
        asks({"a": {"method": "elicitation/create", "params": {"message": "Which?", "requestedSchema": "text"}}}),
        {"resultType": "input_required", "requestState": "come again"},
    ],
)
def test_what_cannot_be_asked_is_a_failed_call(answer: dict[str, Any]) -> None:
    """MCP-01: other methods and modes were never offered to the server."""
    assert asked_by("calc", answer) is None
    assert "error" in result_of(answer)


def test_a_long_question_is_cut() -> None:
    long = {**FORM, "params": {"message": "a" * 9_000, "requestedSchema": SEAT}}
    asked = asked_by("calc", asks({"a": long}, requestState="s"))
    assert asked is not None
    assert len(asked["questions"]["a"]["message"]) == elicitation.MAX_MESSAGE
    assert asked["state"] == "s"


def settled(document: Document, repeated: Document) -> tuple[Document, list[Mapping[str, Any]], RunQuestions]:
    steps = StepLog("run", 1)
    asking = RunQuestions(steps)
    given: list[Mapping[str, Any]] = []

    async def go_on(members: Mapping[str, Any]) -> Document:
        given.append(members)
        return repeated

    made = Elicitations(RunTools(TOOLS, {}, {}), steps, asking, "zh-CN")
    return asyncio.run(made.settle(CALL, document, go_on)), given, asking


def test_a_call_that_the_user_has_edited_is_repeated_as_edited(monkeypatch: pytest.MonkeyPatch) -> None:
    """ASK-06: also by a run that goes on, whose runner makes the call that the model has asked for."""
    called: list[Any] = []

    class Answered:
        async def settle(self, call: Call, document: Document, go_on: Any, arguments: Any) -> Document:
            return dict(await go_on({}))

        async def answer(self, name: str, parameters: Any, *_: Any) -> ToolResult:
            called.append(parameters)
            return ToolResult("booked")

    made = Answered()
    services = SimpleNamespace(elicitations=made, is_edited=False, time_zones=None, step_key=None)
    made.tools = made  # type: ignore[attr-defined]
    monkeypatch.setattr(tools, "replace", lambda one, **members: SimpleNamespace(**{**vars(one), **members}))
    grant = SimpleNamespace(approvals={"book": None}, run_key="run", thread_id="t", user_id="u")
    request = ToolCallRequest(run_id="run", tool_name="book", parameters={"seat": "asked for"})
    document = {"result": None, "asks": {}, "edited_arguments": {"seat": "approved"}}
    settle = tools.ACTIONS[tools.CALL].settle
    assert settle is not None
    answer: Document = asyncio.run(settle(grant, services, request, CALL, document))  # type: ignore[arg-type]
    assert called == [{"seat": "approved"}]
    assert answer == {"result": "booked", "edited_arguments": {"seat": "approved"}}


def test_a_call_with_a_result_asks_nothing() -> None:
    document = {"result": {"sum": 3}}
    answer, given, asking = settled(document, {})
    assert (answer, given, asking.asked) == (document, [], [])


def test_several_questions_are_asked_at_once_in_the_users_language() -> None:
    """Nothing is repeated before all are answered."""
    asked = asked_by("calc", asks({"a": FORM, "b": FORM}))
    answer, given, asking = settled({"result": None, "asks": asked}, {})
    assert (answer, given) == ({OPEN: True}, [])
    assert [one.question.message for one in asking.asked] == ["calc 想知道：Which?"] * 2
    assert len({one.call.id for one in asking.asked}) == 2


def test_a_schema_that_an_answer_cannot_be_checked_by_is_not_asked() -> None:
    """One with a regular expression, which might never end."""
    schema = {"type": "object", "properties": {"a": {"type": "string", "pattern": "(a+)+$"}}}
    asked = {"server": "calc", "questions": {"a": {"message": "Which?", "schema": schema}}}
    answer, _, asking = settled({"result": None, "asks": asked}, {})
    assert "error" in answer["result"]
    assert asking.asked == []
