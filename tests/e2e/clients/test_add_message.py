"""A message to a run that goes on, by every client but Kotlin's: the agent takes it, and answers with it."""

import asyncio
import json
import os
import re
import shutil
import subprocess
import sys
import uuid
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.support.paths import ROOT
from tests.support.stack.app import App
from tests.support.stack.entry_points import python_path
from tests.support.stack.process import running
from tests.support.stack.runs import first_words, submit
from yarrow.agents import descriptors
from yarrow_client import AsyncYarrow, Refused, Yarrow
from yarrow_client.cli.command import REFUSED

SECONDS = 30
RUN = "run-1"
RUNNERS = ROOT / "tests/e2e/runners"
"""The project with the runner that takes messages."""
AGENT = """
  listening_{name}:
    runner: plugin:acme/listening/default
    modes: {{ chat: {{}} }}
    config: {{ next_step: {next_step} }}
"""

Answer = dict[str, Any]
"""What the service answered, or what the client's own error says of the refusal."""


@dataclass(frozen=True)
class Sent:
    """A message and the run that it is for, of the user with this token."""

    url: str
    token: str
    thread: str
    id: str
    content: str


def javascript(sent: Sent) -> Answer:
    """By `addMessage`, in a process of Node."""
    task = {
        "url": sent.url,
        "token": sent.token,
        "threadId": sent.thread,
        "runId": RUN,
        "message": {"id": sent.id, "content": sent.content},
    }
    command = ["node", str(ROOT / "tests/clients/add_message.mjs")]
    ended = subprocess.run(
        command, input=json.dumps(task), capture_output=True, text=True, timeout=SECONDS, check=False
    )
    assert ended.returncode == 0, ended.stderr
    answer: Answer = json.loads(ended.stdout)
    return answer


def python(sent: Sent) -> Answer:
    with Yarrow(sent.url, sent.token) as yarrow:
        try:
            return {**yarrow.add_message(sent.thread, RUN, sent.content, message_id=sent.id)}
        except Refused as refused:
            return said(refused)


def python_async(sent: Sent) -> Answer:
    async def add() -> Answer:
        async with AsyncYarrow(sent.url, sent.token) as yarrow:
            try:
                return {**await yarrow.add_message(sent.thread, RUN, sent.content, message_id=sent.id)}
            except Refused as refused:
                return said(refused)

    return asyncio.run(add())


def said(refused: Refused) -> Answer:
    return {"status": refused.status, "code": refused.code, "params": refused.params}


def terminal(sent: Sent) -> Answer:
    """By `yarrow add`, in a process of its own."""
    arguments = (sent.thread, RUN, sent.content)
    path = os.pathsep.join(filter(None, (str(ROOT / "clients/python/src"), os.environ.get("PYTHONPATH"))))
    ended = subprocess.run(
        [sys.executable, "-m", "yarrow_client", "add", *arguments, "--id", sent.id, "--json", "--lang", "en"],
        env={**os.environ, "PYTHONPATH": path, "YARROW_URL": sent.url, "YARROW_TOKEN": sent.token},
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
        timeout=SECONDS,
        check=False,
    )
    if ended.returncode == 0:
        answer: Answer = json.loads(ended.stdout)
        return answer
    code = re.fullmatch(r"Refused: .+ \((\w+)\)\n", ended.stderr)
    assert code, ended.stderr
    return {"exit code": ended.returncode, "code": code[1]}


ENDED: Answer = {"status": 409, "code": "AGENT_RUN_NOT_STEERABLE", "params": {"reason": "ended"}}
CLIENTS: dict[str, tuple[Callable[[Sent], Answer], Answer]] = {
    "javascript": (javascript, ENDED),
    "python": (python, ENDED),
    "python_async": (python_async, ENDED),
    "terminal": (terminal, {"exit code": REFUSED, "code": "AGENT_RUN_NOT_STEERABLE"}),
}
"""How each sends a message, and what it makes of one to a run that has ended."""


@pytest.fixture(scope="module")
def pipes(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a pipe a client, so that a run that a failed test left waits for no other test."""
    folder = tmp_path_factory.mktemp("pipes")
    for name in CLIENTS:
        os.mkfifo(folder / name)
    return folder


@pytest.fixture(scope="module")
def stack(tmp_path_factory: pytest.TempPathFactory, pipes: Path) -> Iterator[str]:
    """The local stack with an agent a client, which goes on when the client's pipe is written to."""
    site = tmp_path_factory.mktemp("site")
    agents = site / "system_agents.yaml"
    listening = (AGENT.format(name=name, next_step=pipes / name) for name in CLIENTS)
    agents.write_text("".join((descriptors.FILE.read_text(encoding="utf-8"), *listening)), encoding="utf-8")
    with running(environment={"PYTHONPATH": python_path(site, RUNNERS), "SYSTEM_AGENTS": str(agents)}) as url:
        yield url


@pytest.mark.parametrize("name", CLIENTS)
def test_the_agent_takes_a_message_of_each_client_and_answers_with_it(
    stack: str, alice: App, pipes: Path, name: str
) -> None:
    """RNR-87, CMP-11: once, though it was sent twice; after the end, the client's own error has the code."""
    if name == "javascript" and shutil.which("node") is None:
        pytest.skip("needs Node 20 or newer")
    add, refusal = CLIENTS[name]
    thread, token = str(uuid.uuid4()), str(alice.http.headers["Authorization"]).removeprefix("Bearer ")
    message = Sent(stack, token, thread, "msg-2", "And in Celsius, please; 摄氏度?")
    submit(alice, f"listening_{name}", thread, RUN, "How warm is it?")
    assert first_words(alice, thread, RUN) == "listening"

    added = [add(message) for _ in range(2)]
    assert [(answer.get("id"), answer.get("place")) for answer in added] == [("msg-2", 1)] * 2, added
    (pipes / name).write_bytes(b"")
    heard = f"heard {message.content}"
    assert heard in (event.get("delta") for _, _, event in alice.watch(thread, RUN))
    (pipes / name).write_bytes(b"")

    events = [event for _, _, event in alice.watch(thread, RUN)]
    taken = [event["value"] for event in events if event.get("name") == "yarrow.message-taken"]
    assert [(value["id"], value["content"]) for value in taken] == [(message.id, message.content)]
    assert events[-1]["type"] == "RUN_FINISHED"
    assert add(Sent(stack, token, thread, "msg-3", "after the end")) == refusal
    kept = [(told["role"], told["content"]) for told in alice.history(threadId=thread)["messages"]]
    asked = [("user", "How warm is it?"), ("assistant", "listening")]
    assert kept == [*asked, ("user", message.content), ("assistant", heard)]
