"""Sandboxes are reused, throttled, ended and reported as Lambda's are."""

import asyncio
import json
import os
import signal
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from local.functions import LambdaHost, UnknownFunctionError
from local.sandboxes import pool
from local.sandboxes.invocations import Result
from local.sandboxes.pool import FunctionError, Sandboxes, ThrottledError
from local.stack import Function
from tests.support.stack.processes import is_alive

# The runner of the tests may have threads, which the children never use.
pytestmark = pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")

SOURCE = """
import os, signal, subprocess, sys, time
calls = 0
def handler(event, context):
    global calls
    calls += 1
    match event:
        case {"wait": path}:
            open(path, "w").close()
            time.sleep(3600)
        case {"start": path, **end}:
            child = subprocess.Popen(["sleep", "3600"]).pid
            with open(path + "_", "w") as file: file.write(str(child))
            os.rename(path + "_", path)
            if end: os._exit(0)
            time.sleep(3600)
        case {"exit": code}: sys.exit(code)
        case {"end": code}: os._exit(code)
        case {"abandon": _}: os.closerange(3, 1 << 16); time.sleep(3600)
        case {"fail": message}: raise LookupError(message)
        case {"size": size}: return "x" * size
    return {"pid": os.getpid(), "calls": calls, "function": context.function_name}
"""

Work = Callable[[LambdaHost, Sandboxes], Awaitable[None]]


def within(
    folder: Path, work: Work, *, timeout: int = 60, concurrency: int | None = None, source: str = SOURCE
) -> None:
    """Do this with one function, `work`, in sandboxes."""
    (folder / "app.py").write_text(source)
    function = Function("work", "arn:work", folder, "app.handler", {}, timeout, memory=256, concurrency=concurrency)
    host = LambdaHost({"work": function})

    async def run(sandboxes: Sandboxes) -> None:
        await sandboxes.start()
        await work(host, sandboxes)

    with host.isolate(["work"]) as sandboxes:
        asyncio.run(run(sandboxes))


async def invoke(host: LambdaHost, event: Any, *, throttles: bool = False) -> Result:
    return await host.invoke("work", json.dumps(event).encode(), throttles=throttles)


async def answer(host: LambdaHost, event: Any = None) -> Any:
    result = await invoke(host, event)
    return json.loads(result.payload)


async def until(holds: Callable[[], bool]) -> None:
    """Other processes make it hold."""
    async with asyncio.timeout(30):
        while not holds():  # noqa: ASYNC110
            await asyncio.sleep(0.005)


async def exists(path: Path) -> None:
    await until(path.exists)


async def gone(pid: int) -> None:
    await until(lambda: not is_alive(pid))


def test_an_idle_sandbox_is_reused_and_is_not_this_process(tmp_path: Path) -> None:
    async def work(host: LambdaHost, _: Sandboxes) -> None:
        first, second = await answer(host), await answer(host)
        assert first["pid"] == second["pid"] != os.getpid()
        assert (first["calls"], second["calls"]) == (1, 2)
        assert first["function"] == "work"

    within(tmp_path, work)


def test_every_sandbox_serves_one_invocation_at_a_time(tmp_path: Path) -> None:
    async def work(host: LambdaHost, _: Sandboxes) -> None:
        waiting = asyncio.create_task(invoke(host, {"wait": str(tmp_path / "waits")}))
        await exists(tmp_path / "waits")
        assert (await answer(host))["calls"] == 1
        assert host.kill("work") == 1
        await waiting

    within(tmp_path, work)


def test_a_killed_sandbox_is_reported_as_lambda_does_and_replaced(tmp_path: Path) -> None:
    async def work(host: LambdaHost, _: Sandboxes) -> None:
        before = await answer(host)
        waiting = asyncio.create_task(answer(host, {"wait": str(tmp_path / "waits")}))
        await exists(tmp_path / "waits")
        assert host.kill(tmp_path.name) == 1  # by its folder
        report = await waiting
        assert report["errorType"] == "Runtime.ExitError"
        assert report["errorMessage"].endswith("Error: Runtime exited with error: signal: killed")
        assert (await answer(host))["pid"] != before["pid"]
        assert host.kill("work") == 0

    within(tmp_path, work)


@pytest.mark.parametrize("end", [{}, {"at once": True}])
def test_what_a_function_started_ends_with_its_sandbox(tmp_path: Path, end: Any) -> None:
    async def work(host: LambdaHost, _: Sandboxes) -> None:
        invocation = asyncio.create_task(answer(host, {"start": str(tmp_path / "pid"), **end}))
        await exists(tmp_path / "pid")
        if not end:
            assert host.kill("work") == 1
        assert (await invocation)["errorType"] == "Runtime.ExitError"
        await gone(int((tmp_path / "pid").read_text()))

    within(tmp_path, work)


@pytest.mark.parametrize("event", [{"exit": 3}, {"end": 3}])
def test_a_function_that_exits_ends_its_sandbox(tmp_path: Path, event: Any) -> None:
    async def work(host: LambdaHost, _: Sandboxes) -> None:
        report = await answer(host, event)
        assert report["errorType"] == "Runtime.ExitError"
        assert report["errorMessage"].endswith("exit status 3")
        assert (await answer(host))["calls"] == 1

    within(tmp_path, work)


def test_a_sandbox_that_closes_its_socket_and_goes_on_is_killed(tmp_path: Path) -> None:
    async def work(host: LambdaHost, _: Sandboxes) -> None:
        pid = (await answer(host))["pid"]
        assert (await answer(host, {"abandon": 1}))["errorMessage"].endswith("signal: killed")
        await gone(pid)

    within(tmp_path, work)


def test_a_sandbox_that_takes_too_long_is_killed(tmp_path: Path) -> None:
    async def work(host: LambdaHost, _: Sandboxes) -> None:
        pid = (await answer(host))["pid"]
        report = await answer(host, {"wait": str(tmp_path / "waits")})
        assert report["errorType"] == "Sandbox.Timedout"
        assert (await answer(host))["pid"] != pid
        await gone(pid)

    within(tmp_path, work, timeout=2)


def test_errors_and_large_answers_are_as_in_this_process(tmp_path: Path) -> None:
    async def work(host: LambdaHost, _: Sandboxes) -> None:
        report = await answer(host, {"fail": "none"})
        assert (report["errorType"], report["errorMessage"]) == ("LookupError", "none")
        assert len((await invoke(host, {"size": 3_000_000})).payload) == 3_000_002
        assert (await answer(host, {"size": 7_000_000}))["errorType"] == "Function.ResponseSizeTooLarge"
        assert (await answer(host))["calls"] == 4

    within(tmp_path, work)


def test_beyond_its_concurrency_a_function_throttles_or_waits(tmp_path: Path) -> None:
    async def work(host: LambdaHost, _: Sandboxes) -> None:
        busy = asyncio.create_task(invoke(host, {"wait": str(tmp_path / "waits")}, throttles=True))
        await exists(tmp_path / "waits")
        with pytest.raises(ThrottledError):
            await invoke(host, None, throttles=True)
        later = asyncio.create_task(answer(host))
        assert host.kill("work") == 1
        await busy
        assert (await later)["calls"] == 1

    within(tmp_path, work, concurrency=1)


def test_an_invocation_goes_on_when_its_invoker_leaves(tmp_path: Path) -> None:
    async def work(host: LambdaHost, _: Sandboxes) -> None:
        waiting = asyncio.create_task(invoke(host, {"wait": str(tmp_path / "waits")}))
        await exists(tmp_path / "waits")
        waiting.cancel()
        await asyncio.wait({waiting})
        assert host.kill("work") == 1

    within(tmp_path, work)


def test_idle_sandboxes_end_but_for_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pool, "IDLE_SECONDS", 0.01)

    async def work(host: LambdaHost, sandboxes: Sandboxes) -> None:
        answers = await asyncio.gather(*(answer(host) for _ in range(3)))
        pids = {answer["pid"] for answer in answers}
        assert len(pids) == 3
        await until(lambda: sum(map(is_alive, pids)) == 1)
        assert is_alive((await answer(host))["pid"])
        assert {(await answer(host))["pid"]} == set(filter(is_alive, pids))

    within(tmp_path, work)


def test_the_end_of_the_stack_ends_what_is_at_work(tmp_path: Path) -> None:
    pids = []

    async def work(host: LambdaHost, _: Sandboxes) -> None:
        pids.append((await answer(host))["pid"])
        asyncio.create_task(invoke(host, {"wait": str(tmp_path / "waits")}))  # noqa: RUF006 (it never ends)
        await exists(tmp_path / "waits")

    within(tmp_path, work)
    assert not is_alive(pids[0])


def test_without_its_server_the_stack_stops(tmp_path: Path) -> None:
    async def work(host: LambdaHost, sandboxes: Sandboxes) -> None:
        stopped, pid = asyncio.Event(), (await answer(host))["pid"]
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, stopped.set)
        waiting = asyncio.create_task(answer(host, {"wait": str(tmp_path / "waits")}))
        await exists(tmp_path / "waits")
        os.kill(sandboxes.server_pid, signal.SIGKILL)
        async with asyncio.timeout(30):
            await stopped.wait()
        assert sandboxes.lost
        assert (await waiting)["errorType"] == "Runtime.ExitError"
        await gone(pid)

    within(tmp_path, work)


STREAMING = """
import os
from yarrow.web.lambda_bytes import StreamingBytes
async def answer(event):
    yield str(os.getpid()).encode()
    match event:
        case "fail": raise LookupError("none")
        case "end": os._exit(3)
        case "wait":
            while True: yield b"."
    yield b"after"
handler = StreamingBytes(answer, "text/plain")
"""


def test_a_streaming_function_has_a_sandbox_too(tmp_path: Path) -> None:
    """What it raises and how it ends comes out of its stream; a caller that leaves ends it."""

    async def chunks(host: LambdaHost, event: str) -> list[bytes]:
        async with host.open("work", json.dumps(event).encode()) as response:
            return [chunk async for chunk in response.body]

    async def work(host: LambdaHost, _: Sandboxes) -> None:
        first, last = await chunks(host, "all")
        assert (int(first) != os.getpid(), last) == (True, b"after")
        assert (await chunks(host, "all"))[0] == first
        for event, kind in (("fail", "LookupError"), ("end", "Runtime.ExitError")):
            with pytest.raises(FunctionError) as raised:
                await chunks(host, event)
            assert raised.value.kind == kind
        async with host.open("work", b'"wait"') as response:
            pid = int(await anext(response.body))
            assert host.kill("work") == 1
            with pytest.raises(FunctionError, match="signal: killed"):
                [chunk async for chunk in response.body]
        await gone(pid)
        async with host.open("work", b'"wait"') as response:
            pid = int(await anext(response.body))
        await gone(pid)

    within(tmp_path, work, source=STREAMING)


def test_what_is_not_isolated_is_killed_unheard(tmp_path: Path) -> None:
    """Buffered functions of the API: their callers get the error of a crash."""
    (tmp_path / "app.py").write_text(SOURCE.replace("time.sleep(3600)", "time.sleep(1)"))
    host = LambdaHost({"work": Function("work", "arn:work", tmp_path, "app.handler", {}, timeout=60, memory=256)})

    async def work() -> None:
        waiting = asyncio.create_task(answer(host, {"wait": str(tmp_path / "waits")}))
        await exists(tmp_path / "waits")
        assert host.kill("work") == 1
        assert (await waiting)["errorType"] == "Runtime.ExitError"
        with pytest.raises(UnknownFunctionError):
            host.kill("play")

    asyncio.run(work())
