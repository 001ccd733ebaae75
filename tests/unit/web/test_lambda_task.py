"""A task that wants the process to end: it ends where Lambda runs it, and nothing can keep it."""

import os
import subprocess
import sys
from typing import Any

import pytest

from tests.support.paths import ROOT
from yarrow.web.lambda_task import task

LIMIT = 30
"""Seconds, far more than it takes; a process that waits for its threads would never end."""

BLOCKED = """
import asyncio, threading, time
from types import SimpleNamespace
from tests.support.runners.work import API, CONTEXT
from yarrow.worker.invocation import isolation, runner_loops
from yarrow.web.lambda_task import task

runner_loops.GRACE_SECONDS = 0.05
reached = threading.Semaphore(0)

class Blocking:
    async def run(self, context, api):
        def block():
            reached.release()
            threading.Event().wait()
        await asyncio.to_thread(block)
        yield

async def abandoned():
    heard = isolation.IsolatedRunner(Blocking()).run(CONTEXT, API)
    hearing = asyncio.ensure_future(anext(heard))
    await asyncio.to_thread(reached.acquire)
    hearing.cancel()
    await asyncio.wait([hearing])

@task
def handler(event):
    for _ in range(event["runs"]):
        asyncio.run(abandoned())
    print("in the buffer", end="")
    isolation.IsolatedRunner(Blocking())
    print("not reached")

handler({"runs": runner_loops.MAX_ABANDONED}, SimpleNamespace(function_name="f", aws_request_id="r"))
"""


def test_a_process_with_calls_that_never_return_ends_all_the_same() -> None:
    """RNR-72: at once, with all that it has told; Lambda calls it a Runtime.ExitError."""
    done = subprocess.run(
        [sys.executable, "-c", BLOCKED],
        cwd=ROOT,
        env={**os.environ, "AWS_LAMBDA_RUNTIME_API": "127.0.0.1:9001", "PYTHONUNBUFFERED": ""},
        capture_output=True,
        text=True,
        check=False,
        timeout=LIMIT,
    )
    assert (done.returncode, done.stdout) == (1, "in the buffer")
    assert "abandoned runner threads do not stop" in done.stderr


def test_a_process_that_is_not_lambda_s_decides_for_itself() -> None:
    """RNR-72: the local stack runs every function in one."""

    @task
    def handler(_event: dict[str, Any]) -> None:
        raise SystemExit(1)

    with pytest.raises(SystemExit):
        handler({}, None)
