"""What an MCP server asks the user before its tool has a result: questions of the run (MCP-01, ASK-01).

Source: MCP 2026-07-28, `basic/patterns/mrtr` and `client/elicitation`. A server answers a call with what it has to know
first and a state of its own. No connection is held: the user may answer days later, and the call is repeated with the
answers and the state. Each round of it is a step, and each question one of its own, so a worker that takes over asks
nothing twice. Only forms are asked; servers of older revisions, which would have to be held, ask nothing.
"""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final, Protocol

from pydantic import ValidationError

from yarrow.formats import json_text
from yarrow.protocol.runner.api import AgentAPIException, ToolDetail
from yarrow.protocol.runner.questions import OPEN, Answer, Question
from yarrow.protocol.runner.tools import ToolContext
from yarrow.protocol.ui_schema.words import CardWords
from yarrow.services.mcp.sign_in import SignIns, fits
from yarrow.services.steps.asking import RunQuestions
from yarrow.services.steps.step_log import Call, Document, StepLog
from yarrow.services.tools.registry import ToolResult

ASKS: Final = "asks"
"""The member of a call's document with what its server asks: `{"server", "questions", "state"?}`, or for a sign-in
`{"server", "sign_in", "is_known"}`: see `yarrow.services.mcp.sign_in`.
"""

ELICIT: Final = "tools.elicit"
"""The action of the step in which a user answers a server, and of the call that goes on with the answers."""

MAX_ROUNDS: Final = 5
MAX_QUESTIONS: Final = 4
"""Of one round."""
MAX_STATE_BYTES: Final = 32 * 1024
MAX_MESSAGE: Final = 2_000
"""Characters of what a server asks."""

_CAPABILITY: Final[Document] = {"elicitation": {"form": {}}}

_WORDS: Final = CardWords(
    {
        "en": {"asks": "{server} asks: {message}"},
        "zh-Hans": {"asks": "{server} 想知道：{message}"},
        "zh-Hant": {"asks": "{server} 想知道：{message}"},
    }
)

_UNANSWERABLE: Final = {"result": {"error": "the tool asks for input that this agent cannot give"}}
_TOO_OFTEN: Final = {"result": {"error": "the tool asked its user too often"}}

GoOn = Callable[[Mapping[str, Any]], Awaitable[Document]]
"""Repeats a call with further parameters; returns its document."""


class ServerTools(Protocol):
    """Tools whose calls can be repeated with further parameters; see `RunTools`."""

    async def answer(
        self, name: str, parameters: dict[str, Any], context: ToolContext, given: Mapping[str, Any] | None, /
    ) -> ToolResult: ...

    def learn(self, detail: ToolDetail, output: dict[str, Any] | None, /) -> None: ...

    def needs_sign_in(self, name: str, /) -> bool: ...

    def sign_in_first(self, name: str, /) -> ToolResult: ...


def capabilities() -> Document:
    """Return what a client that can ask its user declares with a call."""
    return _CAPABILITY


def asked_by(server: str, answer: Mapping[str, Any]) -> Document | None:
    """Read what a server's answer to a call asks; None if it cannot be asked here."""
    requests, state = answer.get("inputRequests", {}), answer.get("requestState")
    if not isinstance(requests, dict) or not 0 < len(requests) <= MAX_QUESTIONS:
        return None
    if not (state is None or (isinstance(state, str) and len(state.encode()) <= MAX_STATE_BYTES)):
        return None
    questions = {}
    for key, request in requests.items():
        match request:
            case {"method": "elicitation/create", "params": {"message": str(message), "requestedSchema": dict(schema)}}:
                if request["params"].get("mode", "form") != "form":
                    return None
                questions[key] = {"message": message[:MAX_MESSAGE], "schema": schema}
            case _:
                return None
    return {"server": server, "questions": questions, **({} if state is None else {"state": state})}


@dataclass(frozen=True, slots=True)
class Elicitations:
    """The questions of MCP servers in one run, which has these tools. `locale` is the user's; without `sign_ins`,
    nobody is asked to sign in.
    """

    tools: ServerTools
    steps: StepLog
    asking: RunQuestions
    locale: str | None = None
    sign_ins: SignIns | None = None

    async def settle(
        self, call: Call, document: Document, go_on: GoOn, arguments: dict[str, Any] | None = None
    ) -> Document:
        """Return the document of a call that has its result, asking the user for what its server has to know first.

        Returns that a question is open if one is. `arguments` are those of a call that may go on once its tool is
        known, if they fit.
        """
        for number in range(1, MAX_ROUNDS + 1):
            asks = document.get(ASKS)
            if asks is None:
                return document
            if "sign_in" in asks:
                document = await self._after_sign_in(call, number, document, go_on, arguments)
                continue
            answered = await self._answers(call, number, asks)
            if answered is None:
                return _UNANSWERABLE
            answers, is_open = answered
            if is_open:
                return {OPEN: True}
            state = {"requestState": asks["state"]} if "state" in asks else {}
            given = {"inputResponses": answers, **state}
            step = self.steps.beside(call, ELICIT, f"{number}", retry=call.retry)
            earlier = await self.steps.recorded(step)
            if earlier is None:
                document = await self.steps.make(step, lambda given=given: go_on(given))  # type: ignore[misc]
            else:
                document = self.steps.result_of(earlier)
        return _TOO_OFTEN if ASKS in document else document

    async def _after_sign_in(
        self, call: Call, number: int, document: Document, go_on: GoOn, arguments: dict[str, Any] | None
    ) -> Document:
        """Return the document of a call for which the user has signed in, or has said no."""
        if (sign_ins := self.sign_ins) is None:
            return {"result": document["result"]}
        asks = document[ASKS]
        server, name = asks["server"], asks["sign_in"]
        step = self.steps.beside(call, ELICIT, f"{number}", retry=call.retry)

        async def introduced() -> Document:
            first = await sign_ins.introduced(name, server)
            self._learn(first)
            return {**first, **await go_on({})} if fits(arguments, first) else first

        earlier = await self.steps.recorded(step)
        if earlier is not None:
            document = self.steps.result_of(earlier)
        elif (unsettled := await sign_ins.settled(call, server)) is not None:
            if OPEN in unsettled:
                return unsettled
            document = await self.steps.make(step, lambda: _known(unsettled))
        else:
            document = await self.steps.make(step, (lambda: go_on({})) if asks["is_known"] else introduced)
        self._learn(document)
        return document

    def _learn(self, document: Document) -> None:
        if "detail" in document:
            self.tools.learn(ToolDetail.model_validate(document["detail"]), document.get("output"))

    async def _answers(self, call: Call, number: int, asks: Mapping[str, Any]) -> tuple[Document, bool] | None:
        """Return the answers of a round by the server's keys, and whether one is missing yet; None if a question cannot
        be asked.
        """
        answers: Document = {}
        is_open = False
        for key, one in asks["questions"].items():
            step = self.steps.beside(call, ELICIT, f"{number} {key}")
            try:
                answer = await self.asking.ask(
                    step, self._question(asks["server"], one), details={"server": asks["server"]}, in_turn=True
                )
            except (ValidationError, AgentAPIException):
                return None
            is_open = is_open or OPEN in answer
            answers[key] = {} if OPEN in answer else _response(Answer.model_validate(answer), one["schema"])
        return answers, is_open

    def _question(self, server: str, asked: Mapping[str, Any]) -> Question:
        words = _WORDS.in_language_of(self.locale or "")
        message = words["asks"].format(server=server, message=asked["message"])
        if not asked["schema"].get("properties"):
            return Question(message=message)
        names = json_text.dumps([*asked["schema"]["properties"]])
        return Question(
            message=message, kind="form", response_schema=asked["schema"], fallback_text=f"{message}\n\n{names}"
        )


async def _known(document: Document) -> Document:
    return document


def _response(answer: Answer, schema: Mapping[str, Any]) -> Document:
    """Return an answer as the result of `elicitation/create`."""
    if answer.status == "answered":
        return {"action": "accept", "content": answer.value if schema.get("properties") else {}}
    return {"action": "decline" if answer.status == "refused" else "cancel"}
