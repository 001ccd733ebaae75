"""A host that keeps the results of a runner's own steps, as the next worker finds them."""

from collections import Counter
from collections.abc import AsyncGenerator, Mapping
from typing import Any

from yarrow.protocol.runner.proxy import AgentRunAPIProxy


class StepHost:
    """Answers `steps.*`; `begin` is called whenever another worker takes over."""

    def __init__(self) -> None:
        self.stored: dict[tuple[str, str | None, int], dict[str, Any]] = {}
        self.left: list[str] = []
        self._names: dict[str, tuple[str, str | None, int]] = {}
        self._equal: Counter[tuple[str, str | None]] = Counter()

    def api(self) -> AgentRunAPIProxy:
        """The API of another worker."""
        self._equal.clear()
        return AgentRunAPIProxy("run", self)

    async def call(self, action: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
        if action == "steps.begin":
            identity = (arguments["name"], arguments.get("arguments"))
            self._equal[identity] += 1
            key = (*identity, self._equal[identity])
            step = f"step {len(self._names)}"
            self._names[step] = key
            return self.stored.get(key) or {"step": step, "key": f"{key}", "number": 1, "started_at": "now"}
        key = self._names[arguments["step"]]
        if action == "steps.leave":
            self.left.append(key[0])
            return {}
        assert action == "steps.end"
        ended = {name: arguments[name] for name in ("value", "error") if name in arguments}
        return self.stored.setdefault(key, ended)

    async def stream(self, action: str, arguments: Mapping[str, Any]) -> AsyncGenerator[dict[str, Any]]:
        raise NotImplementedError
        yield {}
