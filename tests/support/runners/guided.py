"""A guided cast as a page drives it: commands in, results out, with the state and the prompt kept between."""

import asyncio
from collections.abc import AsyncGenerator, Mapping
from typing import Any, Final

from tests.support.run_contexts import run_context
from yarrow.protocol.runner.models import AgentEventContext, AgentInput, AgentRunContext, AgentRunState
from yarrow.protocol.runner.proxy import AgentRunAPIProxy
from yarrow.protocol.workspace import surface
from yarrow_agents.guided_cast.runner import GuidedCastRunner

AT: Final = 1_775_219_400
"""2026-04-03T12:30:00Z."""

Result = tuple[str, dict[str, Any]]


class Session:
    """One session, and the host that its runs call."""

    def __init__(self, locale: str = "zh-CN", timezone: str = "Asia/Shanghai") -> None:
        self.locale = locale
        self.timezone = timezone
        self.state: dict[str, Any] = {}
        self.prompt: dict[str, Any] | None = None
        self.subtasks: dict[str, str] = {}
        self.texts: list[str] = []
        self.offered: list[dict[str, Any]] = []
        """What the messages of the last run say beside their text."""
        self.logs: list[dict[str, Any]] = []
        self.artifacts: list[dict[str, Any]] = []
        self.results: list[Result] = []
        self.runs = 0

    async def call(self, action: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
        assert action == "state.set", action
        self.state[arguments["key"]] = arguments["value"]
        return {}

    async def stream(self, action: str, _arguments: Mapping[str, Any]) -> AsyncGenerator[dict[str, Any]]:
        raise AssertionError(action)
        yield {}

    def send(self, kind: str, content: str | None = None, **data: Any) -> list[Result]:
        """A command; what the runner yields is applied as the host does."""
        self.runs += 1
        self.results = self.heard(self.context(kind, content, **data))
        self.offered = []
        for type_, value in self.results:
            self._apply(type_, value)
        return self.results

    def context(self, kind: str, content: str | None = None, **data: Any) -> AgentRunContext:
        plain = run_context(f"run-{self.runs}", content)
        event = AgentEventContext(
            event_id="event",
            event_type=f"workspace.{kind}",
            event_time=AT,
            source="webui",
            data={"runtime_mode": "chat", "prompt": self.prompt, **data},
        )
        runtime = plain.runtime.model_copy(update={"locale": self.locale, "timezone": self.timezone})
        return plain.model_copy(
            update={
                "event": event,
                "runtime": runtime,
                "input": AgentInput(text=content),
                "state": AgentRunState(conversation=dict(self.state)),
            }
        )

    def heard(self, context: AgentRunContext) -> list[Result]:
        """The results of one run, checked as the host checks them."""

        async def hear() -> list[Result]:
            api = AgentRunAPIProxy(context.run_id, self)
            return [(event.type, event.data) async for event in GuidedCastRunner().run(context, api)]

        results = asyncio.run(hear())
        for type_, data in results:
            if type_ in surface.RESULTS:
                surface.RESULTS[type_].model_validate(data)
        return results

    def option(self, question: str, option: str, label: str = "") -> list[Result]:
        return self.send("option", label, questionId=question, questionText="", optionId=option, optionLabel=label)

    def answer(self, question: str, answer: str) -> list[Result]:
        return self.send("answer", answer, questionId=question, questionText="", answer=answer)

    def input(self, text: str) -> list[Result]:
        return self.send("input", text, text=text)

    def begin(self, method: str, question: str = "我最近换工作是否合适?", matter: str = "career") -> None:
        """Open the session and answer everything but lines."""
        self.send("init", reason="session_created")
        self.option("method", method)
        self.option("matter", matter)
        self.answer("question", question)

    @property
    def outputs(self) -> list[dict[str, Any]]:
        return [data["output"] for type_, data in self.results if type_ == "message.completed"]

    def _apply(self, type_: str, data: dict[str, Any]) -> None:
        match type_:
            case "workspace.prompt":
                self.prompt = data
            case "workspace.subtasks":
                self.subtasks = {item["key"]: item["status"] for item in data["items"]}
            case "workspace.message":
                self.texts.append(data["content"])
                self.offered.append(data)
            case "message.completed":
                self.texts.append(data["message"]["content"])
            case "workspace.log":
                self.logs.append(data)
            case "artifact.created":
                self.artifacts.append(data)
            case "state.updated":
                self.state[data["key"]] = data["value"]
