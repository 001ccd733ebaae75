"""A host in memory: it keeps a runner's steps and state, and answers its calls of models, tools and the user."""

import uuid
from collections.abc import AsyncGenerator, Callable, Iterable, Mapping
from datetime import UTC, datetime
from typing import Any

from yarrow.protocol.runner.api import AgentAPIException
from yarrow.protocol.runner.questions import Answer

Tool = Callable[..., Any]
"""Takes a call's parameters by name and returns JSON."""


class MemoryHost:
    """The transport of one run. `models` are what the host's models say, in turn; `answers` are the user's."""

    def __init__(self, models: Iterable[str], tools: Mapping[str, Tool], answers: Iterable[Any]) -> None:
        self._models = [*models]
        self._tools = tools
        self._answers = [*answers]
        self._values: dict[tuple[str, str], Any] = {}
        self.added: list[dict[str, Any]] = []
        """Messages that the user adds to the run, as the runner gets them."""
        self.calls: list[tuple[str, dict[str, Any]]] = []
        """The actions that were called, with their arguments."""

    async def call(self, action: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """Answer an action. Raises AgentAPIException `not_found` for one that a test has no answer to."""
        given = {name: value for name, value in arguments.items() if name != "run_id"}
        self.calls.append((action, given))
        match action.split("."):
            case ["steps", kind]:
                return self._step(kind, given)
            case ["state", kind]:
                return self._state(kind, given)
            case ["tools", "call"]:
                return {"result": self._tool(given["tool_name"])(**given["parameters"])}
            case ["models", "invoke"]:
                return self._reply(self._said(given["model_id"]))
            case ["steering", "pull"]:
                pulled, self.added = self.added[: given["limit"]], self.added[given["limit"] :]
                return {"messages": [*pulled]}
        raise AgentAPIException("not_found", f"the host of a test has no {action}")

    async def stream(self, action: str, arguments: Mapping[str, Any]) -> AsyncGenerator[dict[str, Any]]:
        """Stream a model's answer word by word."""
        self.calls.append((action, dict(arguments)))
        if action != "models.stream":
            raise AgentAPIException("not_found", f"the host of a test has no {action}")
        text = self._said(arguments["model_id"])
        for index, word in enumerate(text.split(" ")):
            yield {"content": word if index == 0 else f" {word}"}
        yield {"reply": self._reply(text)}

    def _said(self, model_id: str) -> str:
        if not self._models:
            raise AgentAPIException("not_found", f"models= of the test has nothing more for {model_id} to say")
        return self._models.pop(0)

    @staticmethod
    def _reply(text: str) -> dict[str, Any]:
        return {"message": {"role": "assistant", "content": text}, "finish_reason": "stop"}

    def _tool(self, name: str) -> Tool:
        if name not in self._tools:
            raise AgentAPIException("not_found", f"tools= of the test has no {name}")
        return self._tools[name]

    def _step(self, kind: str, given: Mapping[str, Any]) -> dict[str, Any]:
        match kind:
            case "begin":
                step = str(uuid.uuid4())
                return {"step": step, "key": step, "number": 1, "started_at": datetime.now(UTC).isoformat()}
            case "end":
                return {name: given[name] for name in ("value", "error") if name in given}
            case "ask":
                return self._answer(given["question"]["message"])
            case "value":
                return {"value": datetime.now(UTC).isoformat() if given["kind"] == "now" else str(uuid.uuid4())}
            case "sleep":
                return {"until": datetime.now(UTC).isoformat()}
        return {}

    def _answer(self, message: str) -> dict[str, Any]:
        """Return the user's next answer: False is a no, None is none."""
        if not self._answers:
            raise AgentAPIException("not_found", f"answers= of the test has nothing to say to: {message}")
        value = self._answers.pop(0)
        if value is None:
            return Answer(status="cancelled").model_dump(mode="json")
        if value is False:
            return Answer(status="refused", value=False).model_dump(mode="json")
        return Answer(status="answered", value=value).model_dump(mode="json")

    def _state(self, kind: str, given: Mapping[str, Any]) -> dict[str, Any]:
        key = (given["scope"], given.get("key", ""))
        match kind:
            case "get":
                return {"value": self._values.get(key)}
            case "set":
                self._values[key] = given["value"]
                return {}
            case "delete":
                return {"success": self._values.pop(key, None) is not None}
        raise AgentAPIException("not_found", f"the host of a test has no state.{kind}")
