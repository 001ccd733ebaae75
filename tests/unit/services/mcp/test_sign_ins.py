"""A run that asks its user to sign in to an MCP server, and goes on (MCP-01, ASK-01)."""

import asyncio
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import pytest

from tests.support.runners.steps_in_memory import StepsInMemory
from yarrow.agents.grants import GrantedMcpTool
from yarrow.protocol.runner.api import AgentAPIException
from yarrow.protocol.runner.questions import OPEN, Answer
from yarrow.protocol.runner.tools import TimeZones, ToolContext
from yarrow.protocol.runner.vocabulary import AnswerStatus
from yarrow.services.mcp.elicitation import Elicitations
from yarrow.services.mcp.sign_in import MAX_ROUNDS, SignIns
from yarrow.services.mcp.tools import RunTools
from yarrow.services.mcp.wire import McpError, Server, SignInNeededError
from yarrow.services.steps.asking import RunQuestions
from yarrow.services.steps.step_log import Call, Document, StepLog
from yarrow.services.tools.builtin import TOOLS

UNKNOWN = GrantedMcpTool(
    server="bank",
    name="pay",
    description="…",
    parameters={"type": "object"},
    unavailable="sign in",
    needs_sign_in=True,
)
SCHEMA = {"type": "object", "properties": {"sum": {"type": "integer"}}, "required": ["sum"]}
KNOWN = UNKNOWN.model_copy(
    update={
        "description": "Pay.",
        "parameters": SCHEMA,
        "output": {"type": "object"},
        "unavailable": None,
        "needs_sign_in": False,
    }
)
PAGE = "https://console.example/#/connections"
CONTEXT = ToolContext("alice", "thread", "run", TimeZones(None, None))


@dataclass
class Case:
    """A user who is connected or not, and the runs of one log, each of which begins with what is stored."""

    is_connected: bool = False
    found: GrantedMcpTool | None = KNOWN
    store: StepsInMemory = field(default_factory=StepsInMemory)
    made: list[dict[str, Any]] = field(default_factory=list)
    """Arguments of the calls that were repeated."""

    async def _token(self, refused: str | None) -> str:
        if not self.is_connected:
            raise SignInNeededError("sign in")
        return "token"

    async def _find(self, name: str) -> GrantedMcpTool | None:
        return self.found

    def begin(self, granted: GrantedMcpTool = UNKNOWN) -> None:
        """Begin a run, or the one that continues it."""
        self.steps = StepLog("run", 2, self.store.of("run"), self.store)
        self.asking = RunQuestions(self.steps)
        server = Server("https://bank.example/mcp", {}, private=False, seconds=1, token=self._token)
        self.tools = RunTools(TOOLS, {"bank_pay": granted}, {"bank": server}, find=self._find)
        sign_ins = SignIns(self.tools, self.steps, self.asking, "helper", PAGE, "zh-CN")
        self.elicitations = Elicitations(self.tools, self.steps, self.asking, "zh-CN", sign_ins)

    async def call(self, number: int, arguments: dict[str, Any], *, approved: bool = True) -> Document:
        """Make a call, as `tools.call` does."""
        call = Call(f"call.{number:04d}", "key", "tools.call", "bank_pay", number, "never")

        async def made() -> Document:
            answer = await self.tools.answer("bank_pay", arguments, CONTEXT)
            return {"result": answer.result, **({} if answer.asks is None else {"asks": answer.asks})}

        async def go_on(given: Mapping[str, Any]) -> Document:
            self.made.append(arguments)
            return {"result": "paid"}

        earlier = await self.steps.recorded(call)
        document = await self.steps.make(call, made) if earlier is None else self.steps.result_of(earlier)
        return await self.elicitations.settle(call, document, go_on, arguments if approved else None)

    def answer(self, status: AnswerStatus) -> None:
        """Answer the only question, and begin the run that goes on."""
        (one,) = self.asking.asked

        async def store() -> None:
            given = Answer(status=status, value=True if status == "answered" else None)
            await self.steps.end(await self.steps.begin(one.call), given.model_dump(mode="json"))

        asyncio.run(store())
        self.begin()


@pytest.fixture
def case() -> Case:
    made = Case()
    made.begin()
    return made


async def both(case: Case, *, approved: bool = True) -> list[Document]:
    calls = (case.call(1, {"sum": 7}, approved=approved), case.call(2, {}, approved=approved))
    return list(await asyncio.gather(*calls))


def test_calls_side_by_side_ask_once_and_name_the_page(case: Case) -> None:
    assert asyncio.run(both(case)) == [{OPEN: True}] * 2
    (one,) = case.asking.asked
    assert one.question.message == "登录 bank 后继续"
    assert PAGE in str(one.question.fallback_text)
    assert one.details == {"server": "bank", "signIn": {"agent": "helper", "url": PAGE}}


def test_the_run_goes_on_with_a_call_that_fits_and_tells_of_the_other(case: Case) -> None:
    """A worker that takes over repeats neither, and knows the tool without asking its server."""
    asyncio.run(both(case))
    case.is_connected = True
    case.answer("answered")
    fitting, unknowing = asyncio.run(both(case))
    assert (fitting["result"], case.made) == ("paid", [{"sum": 7}])
    assert unknowing["result"]["parameters"] == unknowing["detail"]["parameters"] == SCHEMA
    case.found = None
    case.begin()
    assert asyncio.run(both(case)) == [fitting, unknowing]
    assert len(case.made) == 1
    detail = case.tools.detail("bank_pay")
    assert detail is not None
    assert detail.description == "Pay."
    with pytest.raises(AgentAPIException, match="schema"):
        case.tools.arguments("bank_pay", {"sum": "much"})


def test_a_call_that_nobody_has_approved_is_not_made(case: Case) -> None:
    """ASK-06: also if its arguments fit, and another call has told what the tool is."""
    asyncio.run(both(case, approved=False))
    case.is_connected = True
    case.answer("answered")
    assert all("parameters" in document["result"] for document in asyncio.run(both(case, approved=False)))
    assert case.made == []


@pytest.mark.parametrize("status", ["refused", "cancelled", "expired"])
def test_a_no_holds_for_all_calls_of_the_run(case: Case, status: AnswerStatus) -> None:
    asyncio.run(case.call(1, {}))
    case.answer(status)
    case.is_connected = True  # too late: the model was told otherwise
    for number in (1, 2):
        document = asyncio.run(case.call(number, {"sum": 7}))
        assert document["result"]["code"] == "MCP_NOT_CONNECTED"
    assert (case.asking.asked, case.made) == ([], [])


def test_a_yes_without_a_sign_in_is_asked_again_a_few_times(case: Case) -> None:
    asked = set()
    for _ in range(MAX_ROUNDS):
        assert asyncio.run(case.call(1, {"sum": 7})) == {OPEN: True}
        asked.add(case.asking.asked[0].call.id)
        case.answer("answered")
    assert asyncio.run(case.call(1, {"sum": 7}))["result"]["code"] == "MCP_NOT_CONNECTED"
    assert len(asked) == MAX_ROUNDS


def test_a_connection_that_lapses_is_asked_for_and_the_call_repeated(case: Case) -> None:
    case.begin(KNOWN)
    assert asyncio.run(case.call(1, {"sum": 7})) == {OPEN: True}
    case.is_connected = True
    case.answer("answered")
    assert asyncio.run(case.call(1, {"sum": 7}))["result"] == "paid"
    assert case.made == [{"sum": 7}]


@pytest.mark.parametrize(
    ("found", "why"),
    [
        (None, "the tool cannot be used here"),
        (KNOWN.model_copy(update={"unavailable": "the server took too long"}), "the server took too long"),
        (UNKNOWN, "the user has not signed in to this server"),
    ],
)
def test_a_tool_that_cannot_be_listed_after_all_is_one_error(
    case: Case, found: GrantedMcpTool | None, why: str
) -> None:
    asyncio.run(case.call(1, {"sum": 7}))
    case.is_connected, case.found = True, found
    case.answer("answered")
    assert asyncio.run(case.call(1, {"sum": 7}))["result"]["error"] == f"bank: {why}"
    assert case.made == []


def test_where_nobody_is_asked_the_call_has_its_error(case: Case) -> None:
    case.elicitations = Elicitations(case.tools, case.steps, case.asking)
    document = asyncio.run(case.call(1, {}))
    assert json.loads(json.dumps(document))["result"]["code"] == "MCP_NOT_CONNECTED"
    assert case.asking.asked == []


def test_a_server_whose_token_cannot_be_renewed_now_is_asked_all_the_same(case: Case) -> None:
    """The call says what is wrong; the user has nothing to do about it."""

    async def fails(refused: str | None) -> str:
        raise McpError("the token cannot be renewed")

    server = Server("https://bank.example/mcp", {}, private=False, seconds=1, token=fails)
    tools = RunTools(TOOLS, {"bank_pay": KNOWN}, {"bank": server})
    assert asyncio.run(tools.is_signed_in("bank"))
