"""The local stack under more load than a user makes: no event is lost or repeated, nothing fails but what is documented
to, and a second round as heavy as the first leaves the process as the first did.

The stack is one of its own, so that its memory and threads are those of this load. A user may have as many streams here
as the load needs, and not one more: a slot that was not given back would be missing in the second round.
"""

import asyncio
import json
import re
import uuid
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any

import httpx
import pytest

from local.__main__ import TEMPLATE
from tests.support.effort import examples
from tests.support.example_cast import EXAMPLE
from tests.support.stack.process import STOP_SECONDS, ready, start

STREAMS = examples(60)
RUNS = examples(15)
USERS = 10
TRIES = 10
"""How often a client that is told to come back in a second does."""

GROWTH_MIB = 24
"""How much more memory the second round may leave: of what 225 streams would each leave, 110 KiB is too much."""
MORE_THREADS = 150
"""Pools of threads grow to what a round happens to need at once, and keep it; one for every stream would be more."""


@dataclass(frozen=True)
class Server:
    """The process that serves the stack, as Linux sees it."""

    url: str
    pid: int

    def mebibytes(self) -> float:
        status = Path(f"/proc/{self.pid}/status").read_text(encoding="ascii", errors="replace")
        return int(re.findall(r"VmRSS:\s+(\d+) kB", status)[0]) / 1024

    def threads(self) -> int:
        return len(list(Path(f"/proc/{self.pid}/task").iterdir()))

    def clients(self) -> int:
        """Connections of clients that are still there, by the port they came to."""
        port = f":{int(self.url.rpartition(':')[2]):04X}"
        rows = [line.split() for line in Path("/proc/net/tcp").read_text(encoding="ascii").splitlines()[1:]]
        established = "01"
        return sum(row[1].endswith(port) and row[3] == established for row in rows)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A stack whose users may have STREAMS streams open."""
    folder = tmp_path_factory.mktemp("stack")
    for item in ("functions", "layers"):
        (folder / item).symlink_to(TEMPLATE.parent / item)
    text = TEMPLATE.read_text(encoding="utf-8")
    for name, value in {
        "StreamsPerUser": STREAMS,
        "StreamsPerMinute": 0,
        "StreamBytesPerMinute": 0,
        "RunsPerMinute": 0,
    }.items():
        text, changed = re.subn(rf"(  {name}: {{ Type: Number, Default: )\d+", rf"\g<1>{value}", text)
        assert changed == 1
    (folder / "template.yaml").write_text(text, encoding="utf-8")
    with ExitStack() as here:
        log = here.enter_context(TemporaryFile("w+"))
        process = start("--template", str(folder / "template.yaml"), log=log)
        here.callback(process.communicate, timeout=STOP_SECONDS)
        here.callback(process.terminate)
        yield Server(ready(process), process.pid)


@dataclass
class Load:
    """Many clients of one stack; `refused` counts the streams that were one too many for their user."""

    http: httpx.AsyncClient
    refused: int = 0
    tokens: dict[str, dict[str, str]] = field(default_factory=dict)

    async def signed_in(self, user: str) -> dict[str, str]:
        if user not in self.tokens:
            token = (await self.http.post("/local/token", json={"sub": user})).json()["token"]
            self.tokens[user] = {"Authorization": f"Bearer {token}"}
        return self.tokens[user]

    async def ask(self, user: str, method: str, path: str, **more: Any) -> httpx.Response:
        """One request, and again when it is told to come back later; no other failure of the server's may be seen."""
        headers = await self.signed_in(user)
        for _ in range(TRIES):
            answer = await self.http.request(method, path, headers=headers, **more)
            if answer.status_code not in (429, 503, 504):
                assert answer.status_code < 500, (method, path, answer.text)
                return answer
            self.refused += answer.status_code == 429
            # Without the header it is API Gateway's own timeout, of a machine that has other tests to run.
            await asyncio.sleep(float(answer.headers.get("Retry-After", "1")))
        raise AssertionError(f"{method} {path} was never taken: {answer.text}")

    async def submit(self, user: str, thread: str) -> httpx.Response:
        run = {
            "threadId": thread,
            "runId": "run-1",
            "state": {},
            "messages": [{"id": "msg-1", "role": "user", "content": EXAMPLE["question"]}],
            "tools": [],
            "context": [],
            "forwardedProps": {"runtime_mode": "chat", "divinationPayload": EXAMPLE},
        }
        return await self.ask(user, "POST", "/api/v1/agent/runs", json=run)

    async def watch(self, user: str, thread: str) -> list[tuple[int, str]]:
        """A run's events to their end, with their numbers; none when the session is gone before."""
        path = f"/api/v1/agent/runs/{thread}/events"
        answer = await self.ask(user, "GET", path, params={"runId": "run-1"})
        if answer.status_code == 404:
            return []
        assert answer.status_code == 200, answer.text
        frames = re.findall(r"id: (\d+)\nevent: \w+\ndata: (.*)\n\n", answer.text)
        return [(int(number), data) for number, data in frames]


def check_whole(outputs: list[tuple[int, str]]) -> str:
    """Numbered without a gap from 1 to one terminal event, which comes last; its type."""
    assert [number for number, _ in outputs] == list(range(1, len(outputs) + 1))
    kinds = [json.loads(data)["type"] for _, data in outputs]
    assert [kind for kind in kinds if kind in ("RUN_FINISHED", "RUN_ERROR")] == kinds[-1:]
    return str(kinds[-1])


async def whole_run(load: Load, user: str) -> list[tuple[int, str]]:
    """Return a run's events, seen by one."""
    thread = str(uuid.uuid4())
    assert (await load.submit(user, thread)).status_code == 202
    return await load.watch(user, thread)


async def one_run(load: Load, user: str) -> None:
    """One run seen by as many streams as its user may have, from its beginning. Slots of streams that have ended come
    back a moment later, so it is tried again, but not for as long as a lost slot lasts."""
    for _ in range(3):
        assert check_whole(await whole_run(load, user)) == "RUN_FINISHED"
        thread = str(uuid.uuid4())
        assert (await load.submit(user, thread)).status_code == 202
        before = load.refused
        seen = await asyncio.gather(*(load.watch(user, thread) for _ in range(STREAMS)))
        if load.refused == before:
            break
    else:
        raise AssertionError("slots of streams were lost")
    journal = await load.watch(user, thread)
    assert check_whole(journal) == "RUN_FINISHED"
    assert seen == [journal] * STREAMS


async def many_runs(load: Load, users: list[str]) -> None:
    """Many runs at once with several streams each; of every five, one is cancelled and one deleted with its session."""
    ends = await asyncio.gather(*(one_of_many(load, users[number % USERS], number) for number in range(RUNS)))
    assert ends.count("RUN_FINISHED") >= RUNS * 3 // 5


async def one_of_many(load: Load, user: str, number: int) -> str:
    """How the run ended: the same for everyone who saw it."""
    thread = str(uuid.uuid4())
    assert (await load.submit(user, thread)).status_code == 202
    streams = [asyncio.create_task(load.watch(user, thread)) for _ in range(STREAMS // RUNS)]
    if number % 5 == 0:
        answer = await load.ask(user, "POST", f"/api/v1/agent/runs/{thread}/cancel", params={"runId": "run-1"})
        assert answer.status_code == 200
    if number % 5 == 1:
        assert (await load.ask(user, "DELETE", f"/api/v1/agent/sessions/{thread}")).status_code == 204
    seen = [stream for stream in await asyncio.gather(*streams) if stream]
    journal = await load.watch(user, thread)
    if number % 5 == 1:
        assert journal == []
    else:
        assert len(seen) == STREAMS // RUNS
    whole = journal or (seen[0] if seen else [])
    assert seen == [whole] * len(seen)
    return check_whole(whole) if whole else "deleted"


def test_nothing_is_lost_repeated_or_left_behind_under_load(server: Server) -> None:
    """EVT-05, EVT-06, EVT-08, CAN-04, CMP-11, CMP-12, SES-04: Many streams of one run and of many are read twice."""

    async def load(users: list[str]) -> None:
        limits = httpx.Limits(max_connections=None, max_keepalive_connections=0)
        async with httpx.AsyncClient(base_url=server.url, timeout=60, limits=limits, trust_env=False) as http:
            clients = Load(http)
            await one_run(clients, users[0])
            await many_runs(clients, users)

    users = [f"user-{number}-{uuid.uuid4()}" for number in range(USERS)]
    left = []
    for _ in range(2):
        asyncio.run(load(users))
        assert server.clients() == 0
        left.append((server.mebibytes(), server.threads()))
    (memory, threads), (memory_after, threads_after) = left
    assert memory_after - memory <= GROWTH_MIB
    assert threads_after - threads <= MORE_THREADS
