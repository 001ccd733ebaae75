"""Both clients send the same requests, and have the same answers."""

import asyncio
import inspect
import json
import threading
import time
from collections.abc import Callable
from typing import Any

import httpx2
import pytest

from yarrow_client import AsyncYarrow, Refused, Yarrow
from yarrow_client.errors import Dropped

BASE = "https://api.example"
TOKEN = "token"
JOB = "/api/v1/automation/jobs/a%2Fb"
CALLS: dict[str, tuple[tuple[Any, ...], dict[str, Any], str, Any]] = {
    "submit": (({"runId": "r"},), {"agent": "a"}, "POST /api/v1/agent/runs?agent=a", {"runId": "r"}),
    "send_message": (({"runId": "r"},), {"agent": "a"}, "POST /send-message?agent=a", {"runId": "r"}),
    "cancel": (("t", "r&1"), {}, "POST /api/v1/agent/runs/t/cancel?runId=r%261", None),
    "add_message": (
        ("t", "r&1", "in Celsius"),
        {"message_id": "m-2"},
        "POST /api/v1/agent/runs/t/messages?runId=r%261",
        {"id": "m-2", "content": "in Celsius"},
    ),
    "history": (("t",), {}, "GET /api/v1/agent/history?threadId=t", None),
    "sessions": ((), {"limit": 3, "after": "t"}, "GET /api/v1/agent/history?session_limit=3&after_thread=t", None),
    "delete_session": (("t",), {}, "DELETE /api/v1/agent/sessions/t", None),
    "agents": ((), {"locale": "zh-TW"}, "GET /api/v1/agents?locale=zh-TW", None),
    "usage": (("2026-11-01",), {"by": "user"}, "GET /api/v1/usage?from=2026-11-01&by=user", None),
    "capabilities": (("a&b",), {}, "GET /send-message/capabilities?agent=a%26b", None),
    "interrupts": ((), {"limit": 3, "after": "a"}, "GET /api/v1/agent/interrupts?limit=3&after=a", None),
    "answer": (
        ("a/b", {"approved": True}),
        {},
        "POST /api/v1/agent/interrupts/a%2Fb",
        {"status": "resolved", "payload": {"approved": True}},
    ),
    "record_outcome": (
        ("t/1", "partly"),
        {"note": "late", "run_id": "r"},
        "POST /api/v1/agent/sessions/t%2F1/outcome",
        {"outcome": "partly", "note": "late", "runId": "r"},
    ),
    "begin_upload": (
        ("t", "image/png"),
        {"filename": "a.png"},
        "POST /api/v1/agent/attachments/uploads",
        {"threadId": "t", "mimeType": "image/png", "filename": "a.png"},
    ),
    "finish_upload": (("u",), {}, "GET /api/v1/agent/attachments/uploads/u", None),
    "list_jobs": ((), {}, "GET /api/v1/automation/jobs", None),
    "get_job": (("a/b",), {}, f"GET {JOB}", None),
    "create_job": (({"title": "x"},), {}, "POST /api/v1/automation/jobs", {"title": "x"}),
    "change_job": (("a/b", {"status": "disabled"}), {}, f"PATCH {JOB}", {"status": "disabled"}),
    "delete_job": (("a/b",), {}, f"DELETE {JOB}", None),
    "run_job": (("a/b",), {"run_id": "job-a/b-now-1"}, f"POST {JOB}/run", {"runId": "job-a/b-now-1"}),
    "job_runs": (("a/b",), {"limit": 2, "cursor": "c"}, f"GET {JOB}/runs?limit=2&cursor=c", None),
}
"""By method: its arguments, and the request that it sends."""

Handler = Callable[[httpx2.Request], httpx2.Response]


def sync_call(handler: Handler, name: str, *args: Any, token: Any = TOKEN, **kwargs: Any) -> Any:
    with Yarrow(BASE, token, http=httpx2.Client(transport=httpx2.MockTransport(handler))) as yarrow:
        return getattr(yarrow, name)(*args, **kwargs)


def async_call(handler: Handler, name: str, *args: Any, token: Any = TOKEN, **kwargs: Any) -> Any:
    async def call() -> Any:
        http = httpx2.AsyncClient(transport=httpx2.MockTransport(handler))
        async with AsyncYarrow(BASE, token, http=http) as yarrow:
            return await getattr(yarrow, name)(*args, **kwargs)

    return asyncio.run(call())


BOTH = pytest.mark.parametrize("call", [sync_call, async_call])


@BOTH
def test_each_method_sends_its_request(call: Callable[..., Any]) -> None:
    seen: list[httpx2.Request] = []

    def answer(request: httpx2.Request) -> httpx2.Response:
        seen.append(request)
        return httpx2.Response(200, json={"jobs": [], "attachment": {}, "fields": {}})

    for name, (args, kwargs, expected, body) in CALLS.items():
        call(answer, name, *args, **kwargs)
        (request,) = seen
        seen.clear()
        assert f"{request.method} {request.url.raw_path.decode()}" == expected, name
        assert (json.loads(request.content) if request.content else None) == body, name
        assert request.headers["Authorization"] == "Bearer token", name


@BOTH
def test_a_file_goes_straight_to_the_bucket_without_the_token(call: Callable[..., Any]) -> None:
    """ATT-03."""
    seen: list[httpx2.Request] = []

    def answer(request: httpx2.Request) -> httpx2.Response:
        seen.append(request)
        if request.url.host == "bucket.example":
            return httpx2.Response(204)
        if request.method == "POST":
            upload = {"uploadId": "u", "url": "https://bucket.example/", "fields": {"key": "staged"}, "expiresAt": ""}
            return httpx2.Response(201, json=upload)
        return httpx2.Response(200, json={"attachment": {"path": "p"}})

    assert call(answer, "upload", "t", b"\x89PNG", "plate.png") == {"path": "p"}
    begin, form, finish = seen
    assert json.loads(begin.content)["mimeType"] == "image/png"
    assert "Authorization" not in form.headers
    assert form.content.index(b"staged") < form.content.index(b"\x89PNG")
    assert finish.url.path.endswith("/uploads/u")


@BOTH
def test_errors_are_typed(call: Callable[..., Any]) -> None:
    """ERR-01."""

    def refuse(request: httpx2.Request) -> httpx2.Response:
        return httpx2.Response(409, json={"code": "AGENT_RUN_IN_PROGRESS", "params": {"runId": "r"}})

    with pytest.raises(Refused) as refused:
        call(refuse, "history", "t")
    error = refused.value
    assert (error.status, error.code, error.params) == (409, "AGENT_RUN_IN_PROGRESS", {"runId": "r"})

    def break_off(request: httpx2.Request) -> httpx2.Response:
        raise httpx2.ReadError("reset")

    with pytest.raises(Dropped):
        call(break_off, "history", "t")
    with pytest.raises(Dropped, match="was cut off"):
        call(lambda _: httpx2.Response(200, content=b'{"mess'), "history", "t")


@BOTH
def test_the_token_is_asked_for_again_once_it_is_refused(call: Callable[..., Any]) -> None:
    """SEC-01."""

    def answer(request: httpx2.Request) -> httpx2.Response:
        return httpx2.Response(200 if request.headers["Authorization"] == "Bearer fresh" else 401, json={})

    assert call(answer, "history", "t", token=lambda refused: "fresh" if refused == "stale" else "stale") == {}


def test_a_coroutine_may_renew_the_token() -> None:
    async def renew(refused: str | None) -> str:
        return "fresh"

    def answer(request: httpx2.Request) -> httpx2.Response:
        return httpx2.Response(200, json={"token": request.headers["Authorization"]})

    assert async_call(answer, "history", "t", token=renew) == {"token": "Bearer fresh"}


class SleepingRun:
    """A run whose service sends the viewer away for half a minute after its first event, until it is canceled."""

    def __init__(self) -> None:
        self.cursors: list[str | None] = []
        self.waits: list[float] = []
        self.is_away = threading.Event()

    def answer(self, request: httpx2.Request) -> httpx2.Response:
        if request.url.path.endswith("/cancel"):
            return httpx2.Response(200, json={"accepted": True})
        self.cursors.append(request.headers.get("Last-Event-ID"))
        is_first = len(self.cursors) == 1
        first = b'id: 1\ndata: {"type":"RUN_STARTED"}\n\nretry: 30000\n\n'
        end = b'retry: 500\n\nid: 2\ndata: {"type":"RUN_ERROR","code":"RUN_CANCELED"}\n\n'
        return httpx2.Response(200, headers={"Content-Type": "text/event-stream"}, content=first if is_first else end)

    def on_wait(self, seconds: float, failure: Exception | None) -> None:
        self.waits.append(seconds)
        self.is_away.set()

    def assert_came_back_at_once(self, told: list[int], took: float) -> None:
        assert (told, self.cursors) == ([1, 2], [None, "1"])
        (wait,) = self.waits
        assert 15 <= wait <= 30
        assert took < wait / 2


def test_a_watch_that_was_sent_away_comes_back_after_its_clients_own_cancel() -> None:
    """EVT-05, STP-05."""
    run = SleepingRun()
    told: list[int] = []
    http = httpx2.Client(transport=httpx2.MockTransport(run.answer))
    with Yarrow(BASE, TOKEN, http=http, on_wait=run.on_wait) as yarrow:
        watching = threading.Thread(target=lambda: told.extend(event.id for event in yarrow.watch("t", "r")))
        watching.start()
        assert run.is_away.wait(10)
        began = time.monotonic()
        yarrow.cancel("t", "another")  # wakes nobody
        assert len(run.cursors) == 1
        yarrow.cancel("t", "r")
        watching.join(60)
        run.assert_came_back_at_once(told, time.monotonic() - began)
        assert not yarrow._watches


def test_an_awaited_watch_that_was_sent_away_comes_back_after_its_clients_own_cancel() -> None:
    """EVT-05, STP-05."""
    run = SleepingRun()

    async def watch() -> tuple[list[int], float]:
        http = httpx2.AsyncClient(transport=httpx2.MockTransport(run.answer))
        async with AsyncYarrow(BASE, TOKEN, http=http, on_wait=run.on_wait) as yarrow:

            async def collect() -> list[int]:
                return [event.id async for event in yarrow.watch("t", "r")]

            watching = asyncio.create_task(collect())
            assert await asyncio.to_thread(run.is_away.wait, 10)
            began = time.monotonic()
            await yarrow.cancel("t", "another")  # wakes nobody
            assert len(run.cursors) == 1
            await yarrow.cancel("t", "r")
            told = await watching
            assert not yarrow._watches
            return told, time.monotonic() - began

    run.assert_came_back_at_once(*asyncio.run(watch()))


def test_both_clients_have_the_same_methods() -> None:
    """Their parameters are the same, too."""

    def methods(client: type) -> dict[str, dict[str, object]]:
        public = {name: var for name, var in vars(client).items() if callable(var) and not name.startswith("_")}
        return {
            name: {
                parameter.name: (parameter.annotation, parameter.default)
                for parameter in inspect.signature(method).parameters.values()
            }
            for name, method in public.items()
        }

    assert methods(AsyncYarrow) == methods(Yarrow)
    assert set(methods(Yarrow)) == {*CALLS, "run", "watch", "upload", "close"}
