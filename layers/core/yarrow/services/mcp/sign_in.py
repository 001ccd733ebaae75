"""A tool whose MCP server wants a sign-in of a user who has none: a question of the run (MCP-01, ASK-01).

The question names the server and the page where the user connects; it is one of the run, whichever calls come to it, so
calls side by side ask once, and a no holds for all of the run. Once the user is connected, a tool that could not be
listed says what it takes: the model has called it without knowing. What it says is part of the step, so a worker that
takes over knows the tool as the first one did.
"""

import asyncio
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, Protocol

from pydantic import ValidationError

from yarrow.formats import json_schema
from yarrow.protocol.problems import Code
from yarrow.protocol.runner.api import AgentAPIException
from yarrow.protocol.runner.questions import OPEN, Answer, Question
from yarrow.protocol.ui_schema.words import CardWords
from yarrow.services.steps.asking import RunQuestions
from yarrow.services.steps.step_log import Call, Document, StepLog

if TYPE_CHECKING:
    from yarrow.agents.grants import GrantedMcpTool

SIGN_IN: Final = "tools.sign_in"
"""The action of the step in which a user says that they have signed in to a server."""

MAX_ROUNDS: Final = 3
"""How often a user is asked who says yes and is not connected."""

NEEDED: Final = "the user has to sign in to this server first, among the connections of their account"

_DECLINED: Final = "the user does not want to sign in to this server"
_MISSED: Final = "the user has not signed in to this server"
_GO_ON: Final = "The user has signed in. Call the tool again, with the parameters that it takes."

_WORDS: Final = CardWords(
    {
        "en": {"message": "Sign in to {server} to go on"},
        "zh-Hans": {"message": "登录 {server} 后继续"},
        "zh-Hant": {"message": "登入 {server} 後繼續"},
    }
)


class SignedInTools(Protocol):
    """The tools of a run whose servers want a sign-in; see `RunTools`."""

    async def is_signed_in(self, server: str, /) -> bool: ...

    async def described(self, name: str, /) -> "GrantedMcpTool | None": ...


def needed(server: str, name: str, *, is_known: bool) -> Document:
    """Return what a call of the tool `name` asks; one that `is_known` has been listed, so its call can be repeated."""
    return {"server": server, "sign_in": name, "is_known": is_known}


def refusal(server: str, why: str = NEEDED) -> Document:
    """Return what a model reads, and clients know by its code, of a call without a sign-in."""
    return {"error": f"{server}: {why}", "code": Code.MCP_NOT_CONNECTED.name}


@dataclass(frozen=True, slots=True)
class SignIns:
    """The sign-ins that a run asks for. Users connect at `page`, to servers of `agent`; `locale` is the user's."""

    tools: SignedInTools
    steps: StepLog
    asking: RunQuestions
    agent: str
    page: str
    locale: str | None = None
    _open: set[str] = field(default_factory=set)
    """Servers about which the user is asked: once is enough."""
    _one_by_one: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def settled(self, call: Call, server: str) -> Document | None:
        """Return why a call cannot go on, as its document, or that a question is open; None once the user is connected.

        Where nobody can be asked, that is said of the call as well.
        """
        for number in range(1, MAX_ROUNDS + 1):
            try:
                answer = await self._answer(call, server, number)
            except (ValidationError, AgentAPIException):
                return {"result": refusal(server)}
            if OPEN in answer:
                return {OPEN: True}
            given = Answer.model_validate(answer)
            if not given.is_yes:
                return {"result": refusal(server, _DECLINED if given.status == "refused" else _MISSED)}
            if await self.tools.is_signed_in(server):
                return None
        return {"result": refusal(server, _MISSED)}

    async def _answer(self, call: Call, server: str, number: int) -> Document:
        step = self.steps.of_run(call, SIGN_IN, f"{server} {number}")
        async with self._one_by_one:
            if step.id in self._open:
                return {OPEN: True}
            details = {"server": server, "signIn": {"agent": self.agent, "url": self.page}}
            answer = await self.asking.ask(step, self._question(server), details=details, in_turn=True)
            if OPEN in answer:
                self._open.add(step.id)
            return answer

    def _question(self, server: str) -> Question:
        message = _WORDS.in_language_of(self.locale or "")["message"].format(server=server)
        return Question(message=message, fallback_text=f"{message}: {self.page}")

    async def introduced(self, name: str, server: str) -> Document:
        """Return the document of the first call of a tool that could not be listed before the user signed in."""
        tool = await self.tools.described(name)
        if tool is None:
            return {"result": {"error": f"{server}: the tool cannot be used here"}}
        if tool.needs_sign_in:
            return {"result": refusal(server, _MISSED)}
        if tool.unavailable is not None:
            return {"result": {"error": f"{server}: {tool.unavailable}"}}
        about = {"description": tool.description, "parameters": tool.parameters}
        output = {} if tool.output is None else {"output": tool.output}
        return {"result": {"message": _GO_ON, **about}, "detail": {"tool_name": name, **about}, **output}


def fits(arguments: dict[str, Any] | None, document: Document) -> bool:
    """Whether a call that was made before its tool was known has arguments as the tool takes them.

    One without any may have been made to have the user sign in.
    """
    if not arguments or "detail" not in document:
        return False
    schema = document["detail"]["parameters"]
    try:
        json_schema.check_schema(schema)
    except json_schema.SchemaError:
        return False
    return json_schema.mismatch(arguments, schema) is None
