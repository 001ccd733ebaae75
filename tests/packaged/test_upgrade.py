"""An upgrade and its way back: the last release with data and active runs, then this package, then the last release."""

import uuid
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from urllib.parse import urlencode

import pytest

from tests.packaged.deployment import BUILD, Deployment, running
from tests.support.stack.app import App, Event
from tests.support.workspace.live import LivePage, bearer_of


@pytest.fixture(scope="session")
def old(request: pytest.FixtureRequest) -> Path:
    folder: Path | None = request.config.getoption("--last-release")
    if folder is None:
        pytest.skip("needs --last-release: make rehearse-upgrade")
    return folder


@pytest.fixture(scope="module")
def upgraded(old: Path) -> Iterator[Deployment]:
    with running("upgrade") as deployment:
        deployment.deploy(old, Release="old")
        yield deployment


class Traveller:
    """A user whose ended runs are read again at each stage."""

    def __init__(self, deployment: Deployment) -> None:
        self.deployment = deployment
        self.app = deployment.sign_in("traveller")
        self.ended: dict[tuple[str, str], list[Event]] = {}

    def run(self, thread: str, run: str) -> None:
        """Submit a run, and watch it to its end."""
        self.submit(thread, run)
        self.watch(thread, run)

    def submit(self, thread: str, run: str) -> None:
        assert self.app.submit(thread, run).status_code == 202

    def watch(self, thread: str, run: str) -> None:
        events = list(self.app.watch(thread, run))
        assert events[-1][1] == "RUN_FINISHED", events[-1]
        assert [number for number, _, _ in events] == list(range(1, len(events) + 1))
        self.ended[thread, run] = events

    def reads_everything(self) -> None:
        """Events from any cursor are those that were first seen, and the history has each message once."""
        for (thread, run), events in self.ended.items():
            for cursor in (0, 1, len(events) // 2, len(events) - 1):
                assert list(self.app.watch(thread, run, after=cursor)) == events[cursor:]
        threads = [thread for thread, _ in self.ended]
        for thread in set(threads):
            roles = [message["role"] for message in self.app.history(threadId=thread)["messages"]]
            assert roles == ["user", "assistant"] * threads.count(thread)
        assert len(self.app.history()["messages"]) >= len(set(threads))


def test_an_upgrade_and_its_way_back_lose_nothing(upgraded: Deployment, old: Path) -> None:
    """At each stage: what ended before, a run that was active over the update, and a new run in an old session."""
    user, first = Traveller(upgraded), str(uuid.uuid4())
    assert upgraded.release() == "old"
    user.run(first, "run-1")
    user.reads_everything()
    stages = [(BUILD, "new"), (old, "old-again"), (BUILD, "new-again")]
    with ExitStack() as open_:
        open_.callback(user.app.http.close)
        page = open_.enter_context(opened(upgraded, user.app))
        for number, (build, release) in enumerate(stages, 2):
            active = str(uuid.uuid4())
            with upgraded.model.held():
                user.submit(active, "run-1")
                upgraded.model.wait_for(1)
                upgraded.deploy(build, Release=release)
                assert upgraded.release() == release
            user.watch(active, "run-1")
            user.run(first, f"run-{number}")
            user.reads_everything()
            page.say(f"hello {release}")
            page.shows(f"hello {release}")
            assert page.faults == []


def opened(deployment: Deployment, app: App) -> LivePage:
    page = LivePage(app, "assistant")
    query = urlencode(page.query | {"taskName": "assistant"})
    page.open_at(f"{deployment.outputs['WorkspaceUrl']}?{query}", bearer_of(app))
    page.start()
    page.wait(lambda: page.state.active)
    return page
