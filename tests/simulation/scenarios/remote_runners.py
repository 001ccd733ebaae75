"""Sessions whose agent is a function elsewhere, which calls back with its run's token, and does not stop in time."""

import asyncio
import json
import uuid
from collections import deque
from collections.abc import AsyncGenerator, Callable
from dataclasses import dataclass, field
from typing import Any, Final

from tests.simulation.rules import stored_runs
from tests.simulation.scenarios import conversation
from tests.simulation.world import PAUSES, World
from tests.support.runners.scripted import completed, delta
from yarrow.agents.grants import RunGrant
from yarrow.protocol.runner.api import AgentAPIException
from yarrow.protocol.runner.models import AgentRunResult
from yarrow.services import run_tokens as tokens
from yarrow.services.api.state import space
from yarrow.services.remote_calls import api_of
from yarrow.store.runner import grants, persistent_state, run_tokens
from yarrow.store.table import from_wire
from yarrow.worker.invocation.remote_invocation import InvocationError
from yarrow.worker.invocation.remote_runner import RemoteRunner
from yarrow_agents.divination import runner as divination

FUNCTION: Final = "agents"
STEPS: Final = 6
POLL: Final = 0.25
KEY: Final = "latest"
Json = dict[str, Any]


@dataclass
class _Kept:
    """What calls may have left in a session's state; of those at one time, nobody knows which was the latest."""

    possible: set[str | None] = field(default_factory=lambda: {None})
    unknown: set[str] = field(default_factory=set)
    """Of calls that were not answered: they may still come."""
    begun: int = 0
    under_way: int = 0

    def answered(self, value: str, begun: int, others: int) -> None:
        """A call was made that began as number `begun`, beside so many others."""
        is_alone = not others and begun == self.begun and not self.under_way
        self.possible = {value} if is_alone else {*self.possible, value}


@dataclass
class _Agents:
    """The functions of all runs."""

    world: World
    states: dict[str, _Kept] = field(default_factory=dict)
    """By session."""
    issued: dict[str, list[str]] = field(default_factory=dict)
    """Tokens by run."""

    async def lines(self, _: str, event: bytes) -> AsyncGenerator[bytes]:
        """What a function sends; it goes on for a while when nobody listens any more."""
        if self.world.scheduler.chance.random() < 0.03:
            raise InvocationError("runner.unavailable", "the agent's function is busy", retryable=True)
        function = _Function(self, json.loads(event))
        self.world.scheduler.spawn("agent", function.work)
        while True:
            while function.sent:
                yield function.sent.popleft()
            if function.is_done:
                return
            await asyncio.sleep(POLL)


class _Function:
    """One invocation."""

    def __init__(self, agents: _Agents, event: Json) -> None:
        self._agents, self._world = agents, agents.world
        self._run, self._token = event["context"]["run_id"], event["callback"]["token"]
        self._attempt = self._item()["attempt"]
        self.sent: deque[bytes] = deque()
        self.is_done = False
        agents.issued.setdefault(self._run, []).append(self._token)

    def work(self) -> None:
        """Say something, keep something; at the end, or when it is cut off, call once more than it may."""
        chance, scheduler = self._world.scheduler.chance, self._world.scheduler
        for number in range(chance.randrange(STEPS)):
            scheduler.pause(chance.choice(PAUSES))
            self._keep(f"{self._run[:4]} {uuid.uuid4()}")
            self._send(delta(f"{number}第 "))
        if chance.random() < 0.1:
            self.sent.append(b"no result")
        self._send(completed("好"))
        self._send(("run.completed", {}))
        self.is_done = True
        scheduler.pause(chance.choice((0.0, 1.0, 60.0)))
        self._keep("too late")

    def _send(self, result: tuple[str, Json]) -> None:
        line = AgentRunResult(run_id=self._run, type=result[0], data=result[1])
        self.sent.append(line.model_dump_json().encode())

    def _keep(self, value: str) -> None:
        item = self._item()
        is_refused = item["phase"] != "running" or item["attempt"] != self._attempt
        kept = self._agents.states.setdefault(item["thread_id"], _Kept())
        arguments = {"run_id": self._run, "scope": "conversation", "key": KEY, "value": value}
        kept.begun += 1
        begun, others = kept.begun, kept.under_way
        kept.under_way += 1
        try:
            self._world.function("runner_api", lambda: asyncio.run(self._call(arguments)))
        except AgentAPIException as error:
            if error.error.code != "unauthorized":
                kept.unknown.add(value)
            elif not is_refused and self._may_call():
                self._world.violated(f"a call of {self._run[:4]} is refused")
            return
        except Exception:  # noqa: BLE001 (it is gone, or has failed)
            kept.unknown.add(value)
            return
        finally:
            kept.under_way -= 1
        if is_refused:
            self._world.violated(f"a call of {self._run[:4]} is taken that has no run any more")
        kept.answered(value, begun, others)

    async def _call(self, arguments: Json) -> None:
        api = await api_of(self._run, self._token)
        await api.call("state.set", arguments)

    def _may_call(self) -> bool:
        """Whether it is still the run's function, and was not revoked: its worker listens."""
        item = self._item()
        return (
            not self.is_done and item["phase"] == "running" and item["attempt"] == self._attempt and self._is_current()
        )

    def _is_current(self) -> bool:
        stored = run_tokens.read(
            self._run
        )  # of a worker that was replaced before it called its function, it opens nothing
        is_of_worker = stored is not None and stored.attempt == self._attempt
        return is_of_worker and self._agents.issued[self._run][-1] == self._token

    def _item(self) -> Json:
        """The run as it is stored."""
        found = (from_wire(item) for item in self._world.aws.table.items if item["sk"] == {"S": "RUN"})
        return next(item for item in found if item["pk"] == f"RUN#{self._run}")


def begin(world: World) -> Callable[[], None]:
    """Begin a conversation's run, with another runner."""
    agents = _Agents(world)
    world.invoked = agents.lines
    world.runner = lambda _: RemoteRunner(FUNCTION, divination.RUNNER.manifest)
    check_conversation = conversation.begin(world)

    def check() -> None:
        check_conversation()
        _check_tokens(world, agents)
        _check_states(world, agents)

    return check


def _check_tokens(world: World, agents: _Agents) -> None:
    """None opens a run that has ended."""
    for run, issued in agents.issued.items():
        for token in issued:
            try:
                tokens.authorize(run, token)
            except AgentAPIException:
                continue
            world.violated(f"a token of {run[:4]} is good after its end")


def _check_states(world: World, agents: _Agents) -> None:
    """A session has what the latest call kept, unless it is not known whether others did."""
    for run in stored_runs():
        stored, kept = grants.read(run.key), agents.states.get(run.thread_id)
        if stored is None or kept is None:
            continue
        grant = RunGrant.model_validate_json(stored.grant_json)
        value = persistent_state.get(space(grant, "conversation"), KEY)
        if value not in kept.possible | kept.unknown:
            world.violated(f"{run.thread_id[:4]} has kept {value!r}, not one of {kept.possible}")
