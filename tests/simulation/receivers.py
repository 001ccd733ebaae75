"""Other people's servers: receivers of webhooks, push services and OTLP endpoints, which fail as they like.

A post may be lost, or its answer, or the function that makes it may die before or after.
"""

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Final

from tests.simulation.scheduler import Actor
from tests.simulation.world import World, _run
from yarrow.outbound.posting import SECONDS, PostResult

TAKES: Final = (0.01, 0.1, 0.1, 2.0)
"""Seconds until a receiver has a request, and until its answer is there."""


@dataclass(frozen=True)
class Post:
    """What came to a URL, by which invocation, and what was answered; `status` is None where no answer came."""

    at: float
    actor: Actor
    url: str
    headers: Mapping[str, str]
    body: bytes
    status: int | None

    @property
    def is_taken(self) -> bool:
        return self.status is not None and 200 <= self.status < 300


Answer = Callable[[str], PostResult]
"""What a server does with a request to a URL, now. A result without a status is that of a server that is dead."""


@dataclass
class Servers:
    """All of them; `posts` are what came, in order."""

    world: World
    answer: Answer
    posts: list[Post] = field(default_factory=list)

    async def post(
        self, url: str, body: bytes, headers: Mapping[str, str], *, allows_loopback: bool = False
    ) -> PostResult:
        """Stand in for `yarrow.outbound.posting.post`."""
        assert isinstance(allows_loopback, bool)
        scheduler, aws = self.world.scheduler, self.world.aws
        chance, actor = scheduler.chance, scheduler.current
        assert actor is not None
        await asyncio.sleep(chance.uniform(0.001, chance.choice(TAKES)))
        fault = aws.post_fault()
        if fault == "killed before":
            aws.die()
        began = scheduler.now
        result = self.answer(url)
        self.posts.append(Post(began, actor, url, dict(headers), body, result.status))
        is_late = fault == "late" or result.milliseconds >= SECONDS * 1_000
        await asyncio.sleep(SECONDS if is_late else result.milliseconds / 1_000)
        if fault == "killed after":
            aws.die()
        if is_late:
            return PostResult(int(SECONDS * 1_000), error=f"no answer within {SECONDS:.0f} seconds")
        return PostResult(1, error="no connection") if fault == "lost" else result


class Posts:
    """The loop on which a function makes its posts: `event_loop` of `yarrow.outbound.posting`, on virtual time."""

    def __init__(self, world: World) -> None:
        self._world = world

    def run_until_complete(self, main: object) -> object:
        return _run(self._world.scheduler, main)
