"""A runner in the place of the divination agent's own: what that may do and is given, and another one's results."""

from collections.abc import AsyncGenerator, Callable
from typing import Any

import pytest

from yarrow.protocol.runner.models import AgentRunContext, AgentRunner, AgentRunResult, InstalledRunner
from yarrow.protocol.runner.proxy import AgentRunAPIProxy
from yarrow.worker.invocation.registry import registry
from yarrow_agents.divination import runner as divination


def stand_in(create: Callable[[], AgentRunner]) -> InstalledRunner:
    """Return the runner under the divination agent's manifest."""
    return InstalledRunner(divination.RUNNER.manifest, create)


def install(monkeypatch: pytest.MonkeyPatch, create: Callable[[], AgentRunner]) -> None:
    """Have every run call it."""
    monkeypatch.setattr(registry, "find", lambda _: stand_in(create))


Results = list[tuple[str, dict[str, Any]]]


Result = tuple[str, dict[str, Any]] | BaseException | Callable[[], object]


class Scripted:
    """A runner that yields what it was given; an exception among the results is raised in its place, and what can be
    called is called."""

    def __init__(self, *results: "Result") -> None:
        self.results = results
        self.contexts: list[AgentRunContext] = []

    async def run(self, context: AgentRunContext, _api: AgentRunAPIProxy) -> AsyncGenerator[AgentRunResult]:
        self.contexts.append(context)
        for result in self.results:
            if isinstance(result, BaseException):
                raise result
            if isinstance(result, tuple):
                yield AgentRunResult(run_id=context.run_id, type=result[0], data=result[1])
            else:
                result()


def delta(text: str) -> tuple[str, dict[str, Any]]:
    return "message.delta", {"chunk": {"role": "assistant", "content": text}}


def completed(text: str, **output: Any) -> tuple[str, dict[str, Any]]:
    return "message.completed", {"message": {"role": "assistant", "content": text}, "output": output}


DONE: tuple[str, dict[str, Any]] = ("run.completed", {})


Use = Callable[..., Scripted]


class Interrupted(Scripted):
    """A runner during whose n-th result somebody does something, and which does not care."""

    def __init__(self, at: int, act: Callable[[], object]) -> None:
        super().__init__(*[delta(word) for word in "一二三四五六七八"])
        self.at, self.act = at, act
        self.yielded, self.closed = 0, False

    async def run(self, context: AgentRunContext, api: AgentRunAPIProxy) -> AsyncGenerator[AgentRunResult]:
        try:
            async for result in super().run(context, api):
                self.yielded += 1
                if self.yielded == self.at:
                    self.act()
                yield result
        finally:
            self.closed = True
