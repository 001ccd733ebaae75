"""The chat of `examples/web_chat` in Chromium, as the tutorial has it used: from another origin than the stack's."""

import subprocess
import sys
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from tests.browser.console import PHONE, browsing
from tests.clients.dropping_proxy import Cut, Ending, dropping
from tests.clients.front_ends import Browser
from tests.clients.scenes_stack import scenes_stack
from tests.support.paths import ROOT


@contextmanager
def served(stack: str) -> Iterator[str]:
    """Where the sample's own server is, before a stack."""
    command = [sys.executable, str(ROOT / "examples/web_chat/serve.py"), "0", stack]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
        try:
            assert process.stdout is not None
            yield process.stdout.readline().strip()
        finally:
            process.terminate()


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with browsing() as browser:
        yield browser


@pytest.fixture(scope="module")
def stack(browser: Browser) -> Iterator[str]:
    with scenes_stack() as url:
        yield url


@pytest.fixture(scope="module")
def site(stack: str) -> Iterator[str]:
    with served(stack) as url:
        yield url


class Chat:
    """The page, on a phone."""

    def __init__(self, browser: Browser, site: str) -> None:
        self._browser = browser
        self.do("open", url=f"{site}/?agent=scenes", options=PHONE)

    def do(self, name: str, /, **options: Any) -> Any:
        return self._browser.do(name, **options)

    def say(self, words: str) -> None:
        self.do("fill", selector="#words", text=words)
        self.do("press", selector="#words", key="Enter")

    def reads(self, text: str) -> None:
        """Wait until it stands on the page."""
        self.do("reads", text=text)

    @property
    def messages(self) -> list[str]:
        found: list[str] = self.do("texts", selector="#messages p")
        return found


@pytest.fixture
def chat(browser: Browser, site: str) -> Chat:
    return Chat(browser, site)


def test_a_chat_answers_and_is_there_after_a_reload(chat: Chat) -> None:
    chat.say("你好")
    chat.do("sees", selector="#send")
    chat.do("sees", selector=".assistant")
    said = chat.messages
    assert said[0] == "你好"
    assert len(said) == 2
    assert said[1]
    chat.do("reload")
    chat.reads(said[1])
    assert chat.messages == said


def test_an_answer_that_a_reload_interrupts_goes_on_and_is_one_message(chat: Chat) -> None:
    chat.say("wait")
    chat.reads("Waiting")
    chat.do("reload")
    chat.reads("Waiting")
    chat.do("sees", selector="#stop")
    assert chat.messages == ["wait", "Waiting"]
    chat.do("click", selector="#stop")
    chat.do("sees", selector="#send")
    assert chat.do("sees", selector="#status")
    assert chat.messages == ["wait", "Waiting"]


def test_a_network_that_breaks_costs_no_word(browser: Browser, stack: str, chat: Chat) -> None:
    chat.say("slowly")
    chat.reads("done")
    whole = chat.messages
    with dropping(stack) as proxy, served(proxy.url) as site:
        proxy.cuts = deque([Cut(80, Ending.RESET), Cut(120, Ending.CLEAN), Cut(60, Ending.RESET)])
        interrupted = Chat(browser, site)
        interrupted.say("slowly")
        interrupted.reads("done")
        assert not proxy.cuts
        assert interrupted.messages == whole


def test_a_refusal_is_said_in_the_words_of_the_service(chat: Chat) -> None:
    """And another attempt can be made."""
    chat.do("refuse", path="/api/v1/agent/runs", status=422, code="AGENT_INPUT_INVALID")
    chat.say("你好")
    chat.do("sees", selector="#send")
    chat.say("你好")
    chat.do("sees", selector=".assistant")


def test_a_models_words_are_no_markup(chat: Chat) -> None:
    chat.say("<img src=x onerror=alert(1)>")
    chat.do("sees", selector="#messages p")
    assert chat.do("value", expression="document.querySelectorAll('#messages img').length") == 0
    assert not chat.do("log")["complaints"]


def test_the_page_is_accessible_in_both_themes(chat: Chat) -> None:
    chat.say("你好")
    chat.do("sees", selector=".assistant")
    for theme in ("light", "dark"):
        chat.do("look", theme=theme, width=360)
        assert chat.do("faults") == []


def test_nobody_asks_before_the_history_is_there(chat: Chat) -> None:
    """Otherwise the question stands above the earlier messages, and two streams follow its run."""
    chat.say("你好")
    chat.do("sees", selector=".assistant")
    chat.do("sees", selector="#send")
    said = chat.messages
    chat.do("refuse", path="/api/v1/agent/history", status=503, code="SERVICE_UNAVAILABLE")  # it comes later
    chat.do("reload")
    chat.say("slowly")
    chat.reads("done")
    chat.do("sees", selector="#send")
    assert chat.messages[:3] == [*said, "slowly"]
    assert len(chat.messages) == 4
    assert not chat.do("value", expression="document.querySelector('#status').textContent")
