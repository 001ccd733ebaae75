"""Released front ends in Chromium (`frontends/driver.mjs`), and the model that the stack reaches."""

import json
import shutil
import subprocess
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest

from tests.clients.agui_clients import INSTALLED
from tests.support.models.provider_formats import OpenAI
from tests.support.models.server import Answer, ModelServer, serving
from tests.support.stack.browser import chromium
from tests.support.stack.process import running

FRONT_ENDS = ("assistant-ui", "copilotkit", "tanstack")
DRIVER = Path(__file__).with_name("frontends") / "driver.mjs"
YES, NO = "yes, do it", "no, leave it"

_WIRE = OpenAI()

Call = tuple[str, str, dict[str, Any]]
"""Its id, the tool and the arguments."""


# ---- The model -------------------------------------------------------------------------------------------------------
def answers(*texts: str, calls: tuple[Call, ...] = ()) -> Answer:
    made = [(id_, name, json.dumps(arguments)) for id_, name, arguments in calls]
    end = _WIRE.ended("calls" if calls else "stop")
    return _WIRE.streamed(*_WIRE.begun(*texts), *_WIRE.calling(*made), *end)


def begins(*texts: str) -> Answer:
    """An answer that is never ended."""
    return _WIRE.streamed(*_WIRE.begun(*texts), then="silent")


@contextmanager
def stack_with_model() -> Iterator[tuple[str, ModelServer]]:
    """A local stack whose assistant asks a model of this process."""
    with serving() as model:
        environment = {
            "MODELS": json.dumps({"chat": _WIRE.model}),
            "OPENAI_BASE_URL": model.address,
            "OPENAI_API_KEY": "of-the-test",
        }
        with running(environment=environment) as url:
            yield url, model


# ---- The browser -----------------------------------------------------------------------------------------------------
class Browser:
    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process
        self._read()

    def do(self, name: str, /, **options: Any) -> Any:
        """Run one of the driver's commands."""
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps({"do": name, **options}) + "\n")
        self._process.stdin.flush()
        answer = self._read()
        if "error" in answer:
            raise AssertionError(f"{name} {options}: {answer['error']}\n{answer['page']}\n{answer['complaints']}")
        return answer["value"]

    def _read(self) -> dict[str, Any]:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        assert line, "the front ends' driver ended"
        read: dict[str, Any] = json.loads(line)
        return read


@contextmanager
def browsing(stack: str) -> Iterator[Browser]:
    """Chromium with the front ends; skips where something of it is missing."""
    if shutil.which("node") is None:
        pytest.skip("needs Node 20 or newer")
    if not _installed():
        pytest.skip("needs the front ends: make agui-clients")
    command = ["node", str(DRIVER), str(INSTALLED), str(INSTALLED), chromium(), stack]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as process:
        try:
            yield Browser(process)
        finally:
            assert process.stdin is not None
            process.stdin.close()  # it closes the browser, and ends
            process.wait(timeout=20)


def _installed() -> bool:
    """The versions that `package.json` names are there."""
    wanted, there = Path(__file__).with_name("package.json"), INSTALLED / "package.json"
    return Path(INSTALLED, ".ready").exists() and there.read_text() == wanted.read_text()


class Page:
    """A page of a front end, with a user and a conversation of its own."""

    def __init__(self, browser: Browser, stack: str, front: str, **settings: Any) -> None:
        self._browser = browser
        self.front = front
        self.thread = str(uuid.uuid4())
        self.http = httpx.Client(base_url=stack, timeout=20)
        claims = {"sub": f"alice-{uuid.uuid4()}", "locale": "en-US", "zoneinfo": "Europe/Paris"}
        token = self.http.post("/local/token", json=claims).json()["token"]
        self.http.headers["Authorization"] = f"Bearer {token}"
        self.do("open", front=front, settings={"thread": self.thread, "token": token, **settings})

    def do(self, name: str, /, **options: Any) -> Any:
        return self._browser.do(name, **options)

    def say(self, text: str) -> None:
        """The user types it and sends it."""
        self.do("say", text=text)

    def edit(self, text: str) -> None:
        """The user edits the latest message."""
        self.do("edit", text=text)

    def click(self, button: str) -> None:
        self.do("click", name=button)

    def sees(self, text: str, *, settled: bool = True) -> None:
        """Wait until the page shows it, and nothing runs any more."""
        self.do("sees", text=text)
        if settled:
            self.do("settled")

    @property
    def words(self) -> list[tuple[str, str]]:
        """What the page shows of user and assistant; an answer in several messages counts as one."""
        shown: list[tuple[str, str]] = []
        for role, text in self.do("transcript"):
            if shown and role == shown[-1][0] == "assistant":
                shown[-1] = (role, shown[-1][1] + text)
            elif text or role == "assistant":
                shown.append((role, text))
        return shown

    @property
    def state(self) -> Any:
        """What the page shows of the state that it shares with the agent."""
        return json.loads(self.do("text", selector="[data-state]"))

    @property
    def history(self) -> list[tuple[str, str]]:
        kept = self.http.get("/api/v1/agent/history", params={"threadId": self.thread})
        return [(message["role"], message["content"]) for message in kept.json()["messages"]]

    def check(self) -> None:
        """Nothing was refused, nothing was asked of anyone else, and the page complains of nothing."""
        log = self.do("log")
        requests = [
            (request["by"], request["method"], request["url"], request["status"]) for request in log["requests"]
        ]
        assert [
            request for request in requests if urlsplit(request[2]).hostname not in ("localhost", "127.0.0.1")
        ] == []
        assert [request for request in requests if request[3] is not None and request[3] >= 400] == []
        assert log["complaints"] == [], log["complaints"]


Open = Callable[..., Page]
"""Opens a page: the front end, and settings for it."""


def heard(request: tuple[str, dict[str, Any]]) -> list[tuple[str, str]]:
    """What a model was told that user and assistant said."""
    messages = [message for message in request[1]["messages"] if message["role"] in ("user", "assistant")]
    return [(message["role"], message["content"]) for message in messages if message.get("content")]


def answered(request: tuple[str, dict[str, Any]]) -> dict[str, str]:
    """What a model was told that tools answered, by tool and arguments; every call has one answer, right behind it."""
    calls: dict[str, str] = {}
    output: dict[str, str] = {}
    for message in request[1]["messages"]:
        if message["role"] == "tool":
            name = calls.pop(message["tool_call_id"])
            assert name not in output, f"{name} was called or answered twice"
            output[name] = message["content"]
            continue
        assert not calls, f"{calls} were not answered"
        for call in message.get("tool_calls") or ():
            values = json.loads(call["function"]["arguments"]).values()
            calls[call["id"]] = " ".join((call["function"]["name"], *map(str, values)))
    assert not calls, f"{calls} were not answered"
    return output
