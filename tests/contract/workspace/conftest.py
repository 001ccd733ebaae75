"""The workspace door in memory, with an agent of a workspace behind it."""

from collections.abc import Callable, Iterator

import pytest

from local import template
from local.__main__ import TEMPLATE
from local.stack import Stack
from tests.support.functions.deployment import configured
from tests.support.memory_aws.aws import MemoryAws
from tests.support.workspace import frame_shapes
from tests.support.workspace.agent import TASK, Agent, installed
from tests.support.workspace.door import ALICE, Door
from tests.support.workspace.page import Page
from yarrow.protocol.caller import Caller

UNLIMITED = {"RUNS_PER_MINUTE": "0", "RUN_BYTES_PER_MINUTE": "0", "RUNS_PER_USER": "0"}


@pytest.fixture(scope="session")
def stack() -> Stack:
    return template.load(TEMPLATE, {"OidcIssuer": "http://127.0.0.1:1/local", "OidcAudience": "yarrow"})


@pytest.fixture
def deployment(stack: Stack) -> Iterator[None]:
    """Yield the variables of the functions, without limits of rates."""
    with configured(stack, **UNLIMITED):
        yield


@pytest.fixture
def agent() -> Iterator[Agent]:
    with installed() as agent:
        yield agent


@pytest.fixture
def door(deployment: None, agent: Agent) -> Iterator[Door]:
    """Whatever a test does: every frame has the shape of the document, and no page has anything to warn of."""
    with Door(MemoryAws(), TASK).installed() as door:
        yield door
    for line in door.lines.values():
        assert [fault for frame in line.got for fault in frame_shapes.faults(frame)] == []
        assert line.page.faults == []


Load = Callable[..., Page]


@pytest.fixture
def load(door: Door) -> Load:
    """Load a page of a user, Alice by default."""

    def load(tag: str = "renderer-1", caller: Caller = ALICE, language: str = "en") -> Page:
        page = Page(TASK, tag, language)
        door.load(page, caller)
        return page

    return load
