"""After any sequence of commands, drops, reconnects, repeated records and posts of unknown outcome, with several pages
and pushers: each page's state equals a fresh snapshot, and nothing was shown twice on the way.
"""

import logging
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.support.effort import examples
from tests.support.memory_aws.aws import MemoryAws
from tests.support.workspace.agent import TASK, Agent, installed
from tests.support.workspace.comparison import comparable, faults
from tests.support.workspace.door import ALICE, Died, Door, Outcome
from tests.support.workspace.page import Page
from yarrow.workspace.workspace_push import ChangedItem

SEQUENCES = 80
PAGES = 2

Step = tuple[str, int, int]
"""What happens, to which page, and a number to choose by."""

COMMANDS = (
    *("say", "say", "say", "choose", "inline", "answer", "create", "delete", "switch", "init", "bind"),
    *("control", "control", "attach"),
)
EVENTS = (
    *("handle", "handle", "push", "push", "work", "work", "repeat", "halves", "overlap", "overlap"),
    *("close", "vanish", "open", "open", "open", "beat", "fault", "fault", "fault", "later"),
)
UNKNOWN = [outcome for outcome in Outcome if outcome is not Outcome.DELIVERED]

STEPS = st.lists(
    st.tuples(st.sampled_from(COMMANDS + EVENTS), st.integers(0, PAGES - 1), st.integers(0, 11)),
    min_size=8,
    max_size=16,
)


class World:
    """Two pages of one user at the door, and what the steps do to them."""

    def __init__(self, door: Door, agent: Agent) -> None:
        self.door, self.agent = door, agent
        self.pages = [Page(TASK, f"renderer-{number}") for number in range(PAGES)]
        self.pushed: list[ChangedItem] = []
        door.connect(self.pages[0])
        self.pages[0].init()
        door.settle()
        door.connect(self.pages[1], task=TASK)  # a phone's: it says nothing, and knows all the same
        door.settle()

    def take(self, what: str, page: Page, number: int) -> None:
        """One step; of the commands, two thirds are handled at once."""
        with suppress(Died):
            getattr(self, f"_{what}")(page, number)
            if what in COMMANDS and number % 3:
                self._handle(page, number)

    # ---- what the user does

    def _say(self, page: Page, number: int) -> None:
        if not page.is_thinking() and not page.is_disabled():
            page.say(f"text {number}")

    def _choose(self, page: Page, number: int) -> None:
        questions = [question for question in page.prompt().get("questions", []) if question.get("options")]
        if questions:
            question = questions[number % len(questions)]
            page.choose(question["options"][number % len(question["options"])]["id"], question["id"])

    def _inline(self, page: Page, number: int) -> None:
        requests = [message for message in page.messages() if message.get("options")]
        if requests:
            message = requests[number % len(requests)]
            page.choose(message["options"][number % 2]["id"], message["questionId"])

    def _answer(self, page: Page, number: int) -> None:
        if any(question["id"] == "q_salary" for question in page.prompt().get("questions", [])):
            page.answer("q_salary", str(number))

    def _create(self, page: Page, number: int) -> None:
        page.create(f"name {number}" if number % 2 else "")

    def _delete(self, page: Page, number: int) -> None:
        if page.state.sessions:
            page.delete(self._session(page, number))

    def _switch(self, page: Page, number: int) -> None:
        if page.state.sessions:
            page.switch(self._session(page, number))

    def _init(self, page: Page, number: int) -> None:
        page.init(language=("en", "zh-CN", "en")[number % 3])

    def _bind(self, page: Page, number: int) -> None:
        page.bind({"mode": "env", "envIds": [f"env-{number}"], "walletIds": []})

    def _control(self, page: Page, number: int) -> None:
        page.control(("pause", "resume", "retry", "cancel", "resume")[number % 5])

    def _attach(self, page: Page, number: int) -> None:
        file = {"id": "a", "name": f"{number}.txt", "mimeType": "text/plain", "size": 1, "source": "upload"}
        page.attach({**file, "contentBase64": "YQ=="})

    def _beat(self, page: Page, _: int) -> None:
        page.beat()

    @staticmethod
    def _session(page: Page, number: int) -> str:
        session: str = page.state.sessions[number % len(page.state.sessions)]["id"]
        return session

    # ---- what happens behind

    def _handle(self, page: Page, number: int) -> None:
        waiting = [line for line in self.door.lines.values() if line.inbox and line.page is page]
        for line in waiting[-1:]:
            for _ in range(1 + number % 3):
                if line.inbox:
                    self.door.handle(line)

    def _push(self, _: Page, number: int) -> None:
        self.door.pending += self.door.records()
        self.pushed += self.door.pending
        self.door.push()

    def _repeat(self, _: Page, number: int) -> None:
        """A batch of the stream comes again, or an old part of it."""
        if self.pushed:
            self.door.push(self.pushed[number % len(self.pushed) :][:4])

    def _halves(self, _: Page, number: int) -> None:
        """The newer half comes first."""
        self.door.pending += self.door.records()
        cut = len(self.door.pending) // 2
        self.door.pending = self.door.pending[cut:] + self.door.pending[:cut]
        self.door.push()

    def _overlap(self, _: Page, number: int) -> None:
        """Within a post, another pusher gets everything, or the next run is worked on."""
        inside: list[bool] = []

        def during() -> None:
            if not inside:
                inside.append(True)
                if number % 2:
                    self.door.work()
                self.door.push(self.door.records() or self.pushed[-3:])
                inside.clear()

        self.door.during = during
        try:
            self._push(self.pages[0], number)
        finally:
            self.door.during = lambda: None

    def _work(self, _: Page, __: int) -> None:
        self.door.work()

    def _fault(self, _: Page, number: int) -> None:
        """The next post, or one soon, has an unknown outcome, or its poster dies."""
        self.door.plan.extend([Outcome.DELIVERED] * (number // 4) + [UNKNOWN[number % 4]])

    def _later(self, page: Page, _: int) -> None:
        """The lease of a dead poster runs out, and the page says that it is alive."""
        self.door.clock.pass_seconds(25)
        page.beat()
        self._handle(page, 2)

    def _close(self, page: Page, _: int) -> None:
        for line in self._lines(page):
            self.door.disconnect(line)

    def _vanish(self, page: Page, _: int) -> None:
        for line in self._lines(page):
            self.door.disconnect(line, notify=False)

    def _open(self, page: Page, _: int) -> None:
        if not self._lines(page):
            self.door.connect(page, task=None if page is self.pages[0] else TASK)

    def _lines(self, page: Page) -> list[Any]:
        return [line for line in self.door.lines.values() if line.page is page and line.open]

    # ---- the end

    def finish(self) -> None:
        """Everything comes to rest: no more faults, every page is there, and everybody's lease has run out."""
        self.door.plan.clear()
        for page in self.pages:
            self._open(page, 0)
        self._settle()
        self.door.clock.pass_seconds(120)
        for page in self.pages:
            page.beat()
        self._settle()

    def _settle(self) -> None:
        with suppress(Died):
            self.door.settle()


@pytest.fixture
def agent(deployment: None) -> Iterator[Agent]:
    logging.disable(logging.WARNING)  # hundreds of lines a sequence
    with installed() as agent:
        yield agent
    logging.disable(logging.NOTSET)


@pytest.mark.timeout(600)
@given(STEPS)
@settings(max_examples=examples(SEQUENCES), deadline=None, suppress_health_check=list(HealthCheck))
def test_every_page_equals_a_fresh_snapshot(agent: Agent, steps: list[Step]) -> None:
    """WSP-19, WSP-21, WSP-22, WSP-27, WSP-30, WSP-38, WSP-39."""
    agent.contexts.clear()
    with Door(MemoryAws(), TASK).installed() as door:
        world = World(door, agent)
        for what, which, number in steps:
            world.take(what, world.pages[which], number)
        world.finish()
        expected = comparable(door.fresh(ALICE))
        for page in world.pages:
            assert comparable(page) == expected
            assert list(faults(page)) == []
