"""A user's workspace: pages on lines that are cut, their commands, the table's stream, and runs from other doors."""

import importlib
import uuid
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final

from tests.simulation import clients
from tests.simulation.rules import messages_of, stored_runs
from tests.simulation.table_stream import TableStream
from tests.simulation.world import World
from tests.support.functions.calls import Context
from tests.support.memory_aws.table import error
from tests.support.workspace.comparison import comparable, faults
from tests.support.workspace.page import Page
from tests.support.workspace.rendering import WhitePageError
from yarrow.protocol.caller import Caller
from yarrow.store import clock
from yarrow.web.lambda_websocket import AuthorizedCaller

TASK: Final = "assistant"
ELSEWHERE: Final = "run-elsewhere"
STEPS: Final = 8
SKEW: Final = 5.0
"""Leases last 20 s: a function whose clock is further ahead takes what somebody else still holds."""
LEASE_SECONDS: Final = 60.0
BEATS: Final = 3
POST_SECONDS: Final = (0.0, 0.0, 0.2, 1.0)
"""How long a post takes: news may come during it."""
LASTING: Final = {"late", "killed before", "killed after"}
"""What leaves a page without news until it shows that it is alive: a holder of its lease that is gone, and a frame of
its earlier connection that is handled after its next one's.
"""
CALLER: Final = Caller(clients.USER, "en", "Asia/Shanghai")
Json = dict[str, Any]


@dataclass
class Line:
    """One WebSocket connection; `is_open` as API Gateway knows it."""

    page: Page
    is_open: bool = True

    @property
    def task(self) -> str | None:
        """The odd ones' addresses name the task, as those of other clients than the page do."""
        return None if self.page.tag.endswith("0") else TASK


@dataclass
class Gateway:
    """API Gateway's side of a workspace: its connections, and what functions post to them."""

    world: World
    lines: dict[str, Line] = field(default_factory=dict)
    frames: int = 0
    """Frames of pages."""
    failed: int = 0
    """Functions that came to no answer, or to a server error: nobody handles their frames."""

    def PostToConnection(self, ConnectionId: str, Data: bytes) -> Json:  # noqa: N802, N803
        if self.world.scheduler.current is not None:
            self.world.scheduler.pause(self.world.scheduler.chance.choice(POST_SECONDS))
        line = self.lines.get(ConnectionId)
        if line is None or not line.is_open:
            raise error("PostToConnection", "GoneException")
        try:
            line.page.receive(Data)
        except WhitePageError as white:
            self.world.violated(f"the page of {line.page.tag} is white: {white}")
        for fault in faults(line.page):
            self.world.violated(f"the page of {line.page.tag}: {fault}")
        return {}

    def connect(self, page: Page) -> None:
        """Open a connection; the page tries until it has one."""
        for _ in range(clients.TRIES):
            name = f"connection-{len(self.lines) + 1}"
            line = self.lines[name] = Line(page)
            if self._call("connect_workspace", name, line) == 200:
                page.opened(partial(self._take, name))
                return
            line.is_open = False
            self.world.scheduler.pause(self.world.scheduler.chance.uniform(0.5, 3))

    def cut(self, page: Page, *, notify: bool) -> None:
        """A page's connection ends; the service is not always told."""
        for name, line in self.lines.items():
            if line.page is page and line.is_open:
                line.is_open = False
                page.closed()
                if notify:
                    self.world.scheduler.spawn("close", partial(self._call, "disconnect_workspace", name, line))

    def _take(self, name: str, text: str) -> None:
        """Frames are handled beside one another, the later ones later as a rule."""
        self.frames += 1
        delay = self.frames * 1e-6 + self.world.scheduler.chance.choice((0.0, 0.0, 0.05))
        message = {"messageId": f"message-{self.frames}"}, text
        line = self.lines[name]
        self.world.scheduler.spawn("frame", lambda: self._call("workspace_command", name, line, *message), after=delay)

    def _call(self, function: str, name: str, line: Line, more: Json | None = None, body: str = "") -> int:
        by = AuthorizedCaller(CALLER, line.task, line.page.query["clientTag"])
        request = {
            "connectionId": name,
            "authorizer": by.context(),
            "requestTimeEpoch": clock.now_ms(),
            "requestId": str(uuid.uuid4()),
            **(more or {}),
        }
        handler = importlib.import_module(f"functions.{function}.app").handler
        event = {"requestContext": request, "body": body}
        try:
            answer = self.world.function(function, lambda: handler(event, Context(function)))
        except Exception:  # noqa: BLE001 (the function is gone)
            self.failed += 1
            return 502
        status = int(answer["statusCode"])
        self.failed += status >= 500
        return status


def begin(world: World) -> Callable[[], None]:
    """Two pages of a user, each by itself; sometimes somebody writes to a session from another door."""
    world.skew = SKEW
    stream, gateway = TableStream(world), Gateway(world)
    world.aws.services["apigatewaymanagementapi"] = gateway
    chance = world.scheduler.chance
    if chance.random() < 0.5:
        world.aws.kinds -= LASTING
    pages = [Page(TASK, f"renderer-{number}") for number in range(chance.randint(1, 2))]
    texts: Counter[str] = Counter()
    for page in pages:
        world.scheduler.spawn(page.tag, lambda page=page: _use(world, gateway, page, texts), after=chance.uniform(0, 3))  # type: ignore[misc]
    if chance.random() < 0.5:
        world.scheduler.spawn("elsewhere", lambda: _elsewhere(world, pages), after=chance.uniform(0, 20))
    return lambda: _check(world, gateway, stream, pages, texts)


def _use(world: World, gateway: Gateway, page: Page, texts: Counter[str]) -> None:
    chance = world.scheduler.chance
    gateway.connect(page)
    page.start()
    for number in range(chance.randrange(STEPS)):
        world.scheduler.pause(chance.choice((0.0, 0.1, 1.0, 5.0, 30.0)))
        _step(world, gateway, page, f"{page.tag} says {number}", texts)
    if not page.is_open:
        gateway.connect(page)


def _step(world: World, gateway: Gateway, page: Page, text: str, texts: Counter[str]) -> None:
    chance, listed = world.scheduler.chance, [session["id"] for session in page.state.sessions]
    match chance.choice(("say", "say", "say", "create", "delete", "switch", "init", "control", "bind", "cut", "beat")):
        case "say" if listed and not page.is_thinking() and not page.is_disabled():
            texts[text] += 1
            page.say(text)
        case "create":
            page.create(chance.choice(("", "a name")))
        case "delete" if len(listed) > 1:
            page.delete(chance.choice(listed))
        case "switch" if listed:
            page.switch(chance.choice(listed))
        case "init":
            page.init(language=chance.choice(("en", "zh-CN")))
        case "control" if listed:
            page.control(chance.choice(("pause", "resume", "resume", "retry", "cancel")))
        case "bind" if listed:
            page.bind({"mode": "env", "envIds": ["a"], "walletIds": []})
        case "cut":
            gateway.cut(page, notify=chance.random() < 0.5)
            world.scheduler.pause(chance.choice((0.5, 5.0)))
            gateway.connect(page)
        case "beat":
            page.beat()


def _elsewhere(world: World, pages: list[Page]) -> None:
    """Submit a run in a session that the first page shows, or delete the session, by the HTTP API."""
    listed = [session["id"] for session in pages[0].state.sessions]
    if not listed:
        return
    thread = world.scheduler.chance.choice(listed)
    if world.scheduler.chance.random() < 0.3:
        clients.delete(world, thread)
    else:
        clients.submit_chat(world, thread, ELSEWHERE, TASK)
        if world.scheduler.chance.random() < 0.3:
            clients.cancel(world, thread, ELSEWHERE)


def _check(world: World, gateway: Gateway, stream: TableStream, pages: list[Page], texts: Counter[str]) -> None:
    """All pages show the same, which is what a new one is shown, and what was run."""
    if not gateway.failed and not stream.given_up and not world.aws.kinds & LASTING and not _is_stuck(world):
        _compare(world, gateway, pages)
    _rest(world, gateway, stream, pages)
    _check_runs(world, _compare(world, gateway, pages), texts)


def _is_stuck(world: World) -> bool:
    """Whether somebody could not even let go of a lease, or could not post a snapshot, which the next frame brings."""
    is_posted = not any(world.aws.made["PostToConnection", fault] for fault in ("throttled", "lost"))
    return any(
        "lease_until" in item or ("asked" in item and not is_posted and item["asked"] != item["answered"])
        for item in world.aws.table.items
    )


def _compare(world: World, gateway: Gateway, pages: list[Page]) -> Page:
    """A new page; the others showed the same before it connected, which brings everything up to date."""
    shown = [comparable(page) for page in pages]
    fresh = Page(TASK, "fresh")
    world.scheduler.spawn("fresh", lambda: gateway.connect(fresh))
    world.scheduler.run()
    # What a user bound to a session, the page shows before it is told.
    unknown = {"runtimeContexts"} if gateway.failed else set()
    expected = {name: value for name, value in comparable(fresh).items() if name not in unknown}
    for page, state in zip(pages, shown, strict=True):
        has = {name: value for name, value in state.items() if name not in unknown}
        if has != expected:
            world.violated(f"{page.tag} shows {_difference(has, expected)}")
    return fresh


def _rest(world: World, gateway: Gateway, stream: TableStream, pages: list[Page]) -> None:
    """Nothing fails any more, leases of the dead run out, and pages say that they are alive."""

    def beat() -> None:
        for number in range(BEATS):
            world.scheduler.pause(LEASE_SECONDS)
            for page in pages:
                if number == 0 and (stream.given_up or not page.state.sessions):
                    # What nobody was told of is shown with the next change; a page that was never answered asks again.
                    page.init()
                page.beat()

    world.scheduler.spawn("pages", beat)
    world.scheduler.run()


def _check_runs(world: World, fresh: Page, texts: Counter[str]) -> None:
    """What was said is there once, and so is what runs answered."""
    listed = {session["id"] for session in fresh.state.sessions}
    contents = {item: Counter(message["content"] for message in fresh.messages(item)) for item in listed}
    messages: Counter[str] = sum(contents.values(), Counter())
    for text, times in texts.items():
        if messages[text] > times:
            world.violated(f"{text!r} is there {messages[text]} times")
    answered: dict[str, Counter[str]] = {}
    for run in stored_runs():
        if run.thread_id in listed and fresh.is_thinking(run.thread_id):
            world.violated(f"{run.thread_id[:4]} is thinking and its runs have ended")
        if run.thread_id in listed and run.phase == "finished":
            answered.setdefault(run.thread_id, Counter()).update(messages_of(run.key).values())
    for thread, answers in answered.items():
        if missing := answers - contents[thread]:
            world.violated(f"{thread[:4]} does not show {list(missing)}")


def _difference(has: Json, expected: Json) -> str:
    return "; ".join(f"{name}: {has[name]} for {expected[name]}" for name in has if has[name] != expected[name])
