"""Who answers a remote runner's calls is one, however they come."""

import asyncio
from collections import OrderedDict
from threading import Barrier
from typing import Any

import pytest

from yarrow.services import remote_calls, run_services, run_tokens
from yarrow.store import clock, runs

LIMIT = 5
"""Seconds, far more than it takes."""

RUN = runs.Run(
    "run", "alice", "thread", "run-1", "chat", "chat", "f" * 64, made_session=True, created_at=clock.now_iso()
)


def test_first_calls_that_come_at_once_are_answered_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """RNR-52: the other one would never be closed, and what its models cost never be counted."""
    both_are_new = Barrier(2)
    made: list[object] = []

    def read(_: str) -> tuple[runs.Run, None]:
        both_are_new.wait(LIMIT)
        return RUN, None

    def make(*_: Any, **__: Any) -> tuple[object, object]:
        made.append(object())
        return made[-1], object()

    monkeypatch.setattr(remote_calls, "_cache", OrderedDict())
    monkeypatch.setattr(remote_calls, "_read", read)
    monkeypatch.setattr(run_tokens, "authorize", lambda *_: (None, "runner", 1))
    monkeypatch.setattr(run_services, "api_of", make)

    async def call() -> list[object]:
        return await asyncio.gather(*(remote_calls.api_of("run", "token") for _ in range(2)))

    assert asyncio.run(call()) == made * 2
