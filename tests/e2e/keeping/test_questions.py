"""A question outlives everything: its worker, its stack, and the code that asked (ASK-01, ASK-07, STP-01)."""

import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.support.stack.app import App
from tests.support.stack.kept_stack import KeptStack
from tests.support.stack.runs import first_words, submit

SECONDS = 60.0
INTERRUPTS = "/api/v1/agent/interrupts"
AGENT = '''
"""An agent that writes down what it does once, asks, and says what came of it."""

import asyncio
from pathlib import Path

from yarrow.protocol.runner.manifest import AgentRunnerManifest
from yarrow.protocol.runner.models import AgentRunResult, InstalledRunner

LEDGER, CODE = Path({ledger!r}), {code!r}


def write(line):
    with LEDGER.open("a") as file:
        file.write(f"{{CODE}} {{line}}\\n")


class Careful:
    async def run(self, context, api):
        def said(text):
            chunk = {{"role": "assistant", "content": text}}
            return AgentRunResult(run_id=context.run_id, type="message.delta", data={{"chunk": chunk}})

        price = await api.step("look up", lambda: write("looks up") or 42)
        brief = {{"expires_in": 10, "on_expiry": "continue"}} if (LEDGER.parent / "brief").exists() else {{}}
        answer = await api.ask(f"Shall I pay {{price}}?", **brief)
        yield said(f"{{CODE}} pays {{price}}: ")
        if (LEDGER.parent / "slow").exists():
            await asyncio.sleep(60)
        await api.step("pay", lambda: write(f"pays {{answer.status}}"))
        yield said(answer.status)


RUNNER = InstalledRunner(
    AgentRunnerManifest(
        id="plugin:tests/careful/default",
        name="default",
        label={{"en_US": "Careful"}},
        capabilities={{"streaming": True}},
    ),
    Careful,
)
'''


class Deployed:
    """A stack with a data folder and an agent of one file, whose code may change between its processes."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.stack = KeptStack(folder / "data", agent=folder / "careful.py")

    def start(self, code: str) -> App:
        """Start it with this version of the agent, and return its user."""
        text = AGENT.format(ledger=str(self.folder / "ledger"), code=code)
        (self.folder / "careful.py").write_text(text, encoding="utf-8")
        self.stack.start()
        return App(self.stack.url, "alice")

    @property
    def ledger(self) -> list[str]:
        """What the agent did, with the version that did it."""
        return (self.folder / "ledger").read_text(encoding="utf-8").splitlines()


@pytest.fixture
def deployed(tmp_path: Path) -> Iterator[Deployed]:
    made = Deployed(tmp_path)
    yield made
    made.stack.stop()


def asked(app: App, thread: str) -> dict[str, Any]:
    """Have the agent ask, and return its question."""
    submit(app, "careful", thread, "run-1", "Pay")
    assert list(app.watch(thread, "run-1"))[-1][1] == "RUN_FINISHED"
    (question,) = app.http.get(INTERRUPTS).json()["interrupts"]
    assert question["message"] == "Shall I pay 42?"
    return dict(question)


def answer(http: httpx.Client, question: dict[str, Any]) -> str:
    """Say yes; the id of the run that goes on."""
    given = http.post(f"{INTERRUPTS}/{question['id']}", json={"status": "resolved", "payload": {"approved": True}})
    assert given.status_code == 202, given.text
    return str(given.json()["runId"])


def text_of(app: App, thread: str, run: str) -> str:
    events = list(app.watch(thread, run))
    assert events[-1][1] == "RUN_FINISHED"
    return "".join(event["delta"] for _, kind, event in events if kind == "TEXT_MESSAGE_CONTENT")


def going_on(app: App, thread: str) -> str:
    """Wait for the end of the run that goes on, and return its id."""

    def found() -> list[str]:
        events = app.http.get("/local/events", params={"after": 0}).json()["events"]
        its = [event["detail"]["data"] for event in events if event["detail-type"] == "run.completed"]
        return [data["runId"] for data in its if (data["threadId"], data["outcome"]) == (thread, "success")]

    wait_for(lambda: found() != [])
    return found()[0]


def wait_for(holds: Callable[[], bool]) -> None:
    """Wait until something is so; for a minute at most."""
    until = time.monotonic() + SECONDS
    while not holds():
        assert time.monotonic() < until
        time.sleep(0.1)


@pytest.mark.parametrize("is_killed", [False, True], ids=["stopped", "killed"])
def test_an_answer_goes_on_in_new_code_after_a_restart(deployed: Deployed, *, is_killed: bool) -> None:
    """ASK-01: what the first code had done is not done again."""
    thread = str(uuid.uuid4())
    app = deployed.start("old")
    with closing(app.http):
        question = asked(app, thread)
    deployed.stack.stop(is_killed=is_killed)
    app = deployed.start("new")
    with closing(app.http):
        assert app.http.get(INTERRUPTS).json()["interrupts"] == [question]
        assert text_of(app, thread, answer(app.http, question)) == "new pays 42: answered"
        assert app.http.get(INTERRUPTS).json()["interrupts"] == []
    assert deployed.ledger == ["old looks up", "new pays answered"]


def test_an_answer_goes_on_though_the_worker_that_took_it_is_killed(deployed: Deployed) -> None:
    """ASK-01, STP-01: from the same steps, and with the answer, which is one of them."""
    thread = str(uuid.uuid4())
    slow = deployed.folder / "slow"
    app = deployed.start("one")
    with closing(app.http):
        question = asked(app, thread)
        slow.touch()
        run = answer(app.http, question)
        assert first_words(app, thread, run) == "one pays 42: "
        slow.unlink()
        assert app.http.post("/local/kill", json={"function": "execute_run"}).json()["killed"] == 1
        assert text_of(app, thread, run) == "one pays 42: answered"
        assert answer(app.http, question) == run
    assert deployed.ledger == ["one looks up", "one pays answered"]


def test_a_run_goes_on_without_an_answer_after_a_restart(deployed: Deployed) -> None:
    """ASK-07: its question expires while nothing of the stack is there."""
    thread = str(uuid.uuid4())
    (deployed.folder / "brief").touch()
    app = deployed.start("old")
    with closing(app.http):
        question = asked(app, thread)
        wait_for(lambda: question["id"] in app.http.get("/local/events", params={"after": 0}).text)
    deployed.stack.stop(is_killed=True)
    app = deployed.start("new")
    with closing(app.http):
        expired_at = datetime.fromisoformat(question["expiresAt"])
        wait_for(lambda: datetime.now(UTC) > expired_at)
        clock = deployed.stack.scheduler_clock
        clock.move(clock.now() + timedelta(minutes=1))
        wait_for(lambda: deployed.ledger == ["old looks up", "new pays expired"])
        assert text_of(app, thread, going_on(app, thread)) == "new pays 42: expired"
        assert app.http.get(INTERRUPTS).json()["interrupts"] == []
