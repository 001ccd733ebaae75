"""The assistant as a workspace: text and files, answered by its model."""

import base64
from collections.abc import Iterator

import pytest

from local.stack import Stack
from tests.support.functions.deployment import configured
from tests.support.memory_aws.aws import MemoryAws
from tests.support.workspace.comparison import comparable
from tests.support.workspace.door import ALICE, Door
from tests.support.workspace.page import Page
from yarrow.store import sessions


@pytest.fixture
def door(stack: Stack) -> Iterator[Door]:
    with configured(stack, RUNS_PER_MINUTE="0", RUNS_PER_USER="0"), Door(MemoryAws(), "assistant").installed() as door:
        yield door


def opened(door: Door) -> Page:
    page = Page("assistant")
    door.load(page)
    return page


def messages_of(page: Page) -> list[tuple[str, str]]:
    return [(message["role"], message["content"]) for message in page.messages()]


def test_a_text_is_answered_by_the_model(door: Door) -> None:
    """WSP-09, WSP-33, CMP-09: The session is new and not greeted, and the answer is one message."""
    page = opened(door)
    assert messages_of(page) == []
    page.say("What can you do?")
    door.settle()
    (_, question), (role, answer) = messages_of(page)
    assert (question, role) == ("What can you do?", "assistant")
    assert answer
    assert [message.content for message in sessions.messages(page.state.active)] == [question, answer]
    assert comparable(page) == comparable(door.fresh(ALICE))


def test_a_file_is_given_to_the_model(door: Door) -> None:
    """WSP-12, RNR-19."""
    page = opened(door)
    content = base64.b64encode(b"the answer is in line 42").decode()
    file = {"id": "f1", "name": "plan.txt", "mimeType": "text/plain", "size": 24, "source": "upload"}
    page.attach({**file, "contentBase64": content})
    door.settle()
    (_, sent), (role, answer) = messages_of(page)
    assert (sent, role) == ("[attachment] plan.txt", "assistant")
    assert "the answer is in line 42" in answer
    assert comparable(page) == comparable(door.fresh(ALICE))
