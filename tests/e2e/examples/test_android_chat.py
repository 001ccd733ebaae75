"""What `examples/android_chat` has beside Android, in a process that dies as an app does."""

import json
import subprocess
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import parse_qsl, urlsplit

import httpx
import pytest

from tests.clients.compiled_kotlin import CompiledKotlin
from tests.clients.dropping_proxy import Cut, Ending, dropping
from tests.clients.scenes_stack import scenes_stack

COMPILED = CompiledKotlin("android-chat", ("examples/android_chat/core", "clients/kotlin"))

pytestmark = pytest.mark.skipif(COMPILED.missing() is not None, reason=str(COMPILED.missing()))


class Phone:
    """The process of `Driver.kt`, which says what tasks are."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process

    def do(self, *task: str) -> str:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(" ".join(task) + "\n")
        self._process.stdin.flush()
        return self._process.stdout.readline().strip()

    def says(self, *task: str) -> list[list[str]]:
        shown: list[list[str]] = json.loads(self.do(*task))
        return shown


@contextmanager
def phone(api: str, issuer: str, folder: Path) -> Iterator[Phone]:
    pipe = subprocess.PIPE
    command = COMPILED.command("com.example.chat.DriverKt", api, f"{issuer}/local", "scenes", str(folder))
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True, encoding="utf-8") as process:
        try:
            yield Phone(process)
        finally:
            process.kill()


@pytest.fixture(scope="module")
def stack() -> Iterator[str]:
    with scenes_stack() as url:
        yield url


def signed_in(address: str) -> str:
    """Fill the issuer's form in, and return the address that it leads back to."""
    asked = dict(parse_qsl(urlsplit(address).query))
    form = {**asked, "as_name": "alice", "as_locale": "en-US", "as_zoneinfo": "Asia/Taipei"}
    response = httpx.post(address.partition("?")[0], data=form, timeout=10)
    assert response.status_code == 303, response.text
    return response.headers["location"]


def test_its_own_tests_pass() -> None:
    """SEC-01: PKCE, state, nonce and refresh tokens, and how events become a conversation."""
    ended = COMPILED.unit_tests()
    assert ended.returncode == 0, ended.stdout


def test_a_conversation_survives_the_network_and_the_death_of_the_app(stack: str, tmp_path: Path) -> None:
    """EVT-04: with the issuer's real sign-in, through a network that breaks; a run is stopped from the next process."""
    with dropping(stack) as proxy:
        with phone(proxy.url, stack, tmp_path) as first:
            first.do("finish", signed_in(first.do("begin")))
            proxy.cuts = deque([Cut(80, Ending.RESET), Cut(120, Ending.CLEAN), Cut(60, Ending.RESET)])
            assert first.do("send", "slowly") == "true"
            assert first.do("send", "again") == "false"
            answered = first.says("ends")
            assert [kind for kind, _ in answered] == ["USER", "ASSISTANT"]
            assert "done" in answered[1][1]
            assert not proxy.cuts
            first.do("send", "wait")
            waiting = first.says("shows", "Waiting")
            assert waiting == [*answered, ["USER", "wait"], ["ASSISTANT", "Waiting"]]
        with phone(stack, stack, tmp_path) as second:
            assert second.says("shows", "Waiting") == waiting
            assert second.do("send", "at the same time") == "false"
            second.do("stop")
            assert second.says("ends") == waiting
            assert second.do("send", "slowly") == "true"
            assert second.says("ends")[-1] == answered[-1]
