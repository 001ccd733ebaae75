"""Runs whose workers are killed, beside one that nobody disturbs: nothing is done twice, and the same is told."""

import json
import threading
import time
import uuid
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import httpx

from tests.proof import outside, provider
from tests.proof.outside import Outside
from tests.proof.points import UNDISTURBED, Plan, Points
from tests.support.stack.app import App
from tests.support.stack.entry_points import python_path
from tests.support.stack.process import running
from tests.support.stack.runs import submit
from yarrow.agents import descriptors

HERE: Final = Path(__file__).parent / "agents"
QUESTION: Final = "Please see to it."
_JOINED: Final = frozenset({"TEXT_MESSAGE_CONTENT", "TOOL_CALL_ARGS"})

Event = tuple[int, str, dict[str, Any]]


@dataclass(frozen=True, slots=True)
class Case:
    """An agent. Of a `remote` one, a call that was admitted goes on when the worker is dead, also to what it calls."""

    name: str
    remote: bool = False


CASES: Final = (Case("counting"), Case("divination"), Case("keeper"), Case("abreast"), Case("afar", remote=True))


@dataclass(frozen=True)
class Told:
    """What a run left behind. `points` are all that it met, `seconds` how long it took."""

    transcript: list[str]
    history: list[tuple[str, str]]
    steps: list[tuple[Any, ...]]
    models: Counter[str]
    effects: Counter[str]
    points: list[str]
    seconds: float
    killed: int


PATIENCE_SECONDS: Final = 120.0
"""Within which a stream has its next event, also on a busy machine and from a function that starts cold."""


class Proof:
    """The local stack with these agents, and what is outside of it."""

    def __init__(self, url: str, around: Outside) -> None:
        self._url = url
        self.outside = around
        around.kill = self._kill

    def _kill(self) -> int:
        answer = httpx.post(f"{self._url}/local/kill", json={"function": "execute_run"}, timeout=10)
        killed: int = answer.raise_for_status().json()["killed"]
        return killed

    def undisturbed(self, case: Case) -> Told:
        """What the run tells that nobody kills."""
        output = self.run(case)
        self.check(case, output, output)
        return output

    def run(self, case: Case, plan: Plan = UNDISTURBED) -> Told:
        """What a run tells. Raises AssertionError."""
        app, thread, points = App(self._url, f"alice-{uuid.uuid4()}", locale="zh-CN"), str(uuid.uuid4()), Points(plan)
        app.http.timeout = httpx.Timeout(PATIENCE_SECONDS)
        self.outside.begin(points, varies=plan.varies)
        timer = None if plan.after is None else threading.Timer(plan.after, self.outside.kill_now)
        began = time.monotonic()
        try:
            if case.name == "divination":
                assert app.submit(thread, "run-1").status_code == 202
            else:
                submit(app, case.name, thread, "run-1", QUESTION)
            if timer is not None:
                timer.start()
            seen = list(app.watch(thread, "run-1"))
            seconds = time.monotonic() - began
            assert list(app.watch(thread, "run-1")) == seen, "who reads it later reads something else"
            return self._told(app, thread, seen, seconds)
        finally:
            if timer is not None:
                timer.cancel()
                timer.join()
            app.http.close()

    def _told(self, app: App, thread: str, seen: list[Event], seconds: float) -> Told:
        assert [number for number, _, _ in seen] == list(range(1, len(seen) + 1))
        listed = app.http.get(f"/api/v1/agent/runs/{thread}/steps", params={"runId": "run-1"}).json()["steps"]
        history = app.history(threadId=thread)["messages"]
        _check_history(seen, history)
        around = self.outside
        return Told(
            transcript(seen),
            [(message["role"], provider.plain(message["content"])) for message in history],
            sorted((entry["action"], entry["name"] or "", entry["outcome"]) for entry in listed),
            _by_content(around.models),
            Counter(name for name, _ in around.effects),
            list(around.points.met),
            seconds,
            around.killed,
        )

    def check(self, case: Case, output: Told, undisturbed: Told, plan: Plan = UNDISTURBED) -> None:
        """The run told and did what the undisturbed one did, each finished call once. Raises AssertionError."""
        assert output.effects == undisturbed.effects, "an effect has a second key"
        assert max(self.outside.effects.values(), default=0) <= 1 + output.killed
        self._check_calls(case, output)
        if plan.varies:  # whatever it says, what was finished is not asked again
            assert output.transcript[-1] == undisturbed.transcript[-1]
            return
        assert output.transcript == undisturbed.transcript, _difference(output.transcript, undisturbed.transcript)
        assert output.history == undisturbed.history
        assert output.steps == undisturbed.steps
        assert output.models.keys() == undisturbed.models.keys(), "a model was asked something else"
        for request, number in output.models.items():
            assert number <= undisturbed.models[request] + output.killed, "a model was asked the same too often"

    def _check_calls(self, case: Case, output: Told) -> None:
        """A call was made again only if its result had not been stored when its worker died."""
        around = self.outside
        made = {"model": around.models.total(), "effect": around.effects.total()}
        for kind, number in made.items():
            most = around.stored[kind] + around.unstored[kind] + (output.killed if case.remote else 0)
            assert number <= most if case.remote else number == most, f"{number} calls ({kind}), {most} explained"
        kinds = Counter(outside.kind_of(action, name) for action, name, _ in output.steps)
        assert all(around.stored[kind] == kinds[kind] for kind in made)


@contextmanager
def proving(site: Path) -> Iterator[Proof]:
    """The stack; what it needs of files is written to an empty folder."""
    listed = descriptors.FILE.read_text(encoding="utf-8") + (HERE / "agents.yaml").read_text(encoding="utf-8")
    agents = site / "system_agents.yaml"
    agents.write_text(listed, encoding="utf-8")
    with outside.serving() as around:
        environment = {
            "PYTHONPATH": python_path(site, HERE),
            "SYSTEM_AGENTS": str(agents),
            "EXTRA_TEMPLATES": str(HERE / "remote/template.yaml"),
            "AWS_ENDPOINT_URL_DYNAMODB": around.address,
            "OPENAI_BASE_URL": around.address,
            "OPENAI_API_KEY": "none",
            "MODELS": json.dumps({name: f"openai-chat:{name}" for name in ("chat", "reading", "judge")}),
            "EFFECTS_URL": around.address,
        }
        with running(environment=environment) as url:
            proof = Proof(url, around)
            proof.run(CASES[0])  # the first waits for imports
            yield proof


def _by_content(models: Counter[str]) -> Counter[str]:
    """Requests without ids and without prompts, which tell the time."""
    found: Counter[str] = Counter()
    for request, number in models.items():
        question = json.loads(request)
        question["messages"] = [message for message in question["messages"] if message["role"] != "system"]
        found[provider.plain(json.dumps(question, ensure_ascii=False))] += number
    return found


def transcript(seen: list[Event]) -> list[str]:
    """Events without what differs from run to run: ids by their order, pieces of a text joined."""
    ids: dict[str, str] = {}
    lines: list[tuple[str, dict[str, Any]]] = []
    for _, kind, data in seen:
        members = {name: value for name, value in data.items() if name != "timestamp"}
        if kind in _JOINED and lines and lines[-1][0] == kind and _owner(lines[-1][1]) == _owner(members):
            lines[-1][1]["delta"] += members["delta"]
        else:
            lines.append((kind, members))
    return [
        provider.plain(provider.IDS.sub(lambda found: ids.setdefault(found[0], f"id {len(ids)}"), json.dumps(data)))
        for _, data in lines
    ]


def _owner(data: dict[str, Any]) -> tuple[Any, Any]:
    return data.get("messageId"), data.get("toolCallId")


def _check_history(seen: list[Event], history: list[dict[str, Any]]) -> None:
    reply: dict[str, str] = {}
    for _, kind, data in seen:
        if kind == "TEXT_MESSAGE_CONTENT":
            reply[data["messageId"]] = reply.get(data["messageId"], "") + data["delta"]
    kept = [message["content"] for message in history if message["role"] == "assistant"]
    assert kept == list(reply.values()), "history has other words than the events"


def _difference(lines: list[str], wanted: list[str]) -> str:
    for number, (line, other) in enumerate(zip(lines, wanted, strict=False)):
        if line != other:
            return f"event {number}: {line}, not {other}"
    return f"{len(lines)} events, not {len(wanted)}"
