import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from time import time

import anyio
import pytest
from hypothesis import given
from hypothesis import strategies as st
from mangum.types import ASGI, Message, Receive, Scope, Send
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response, StreamingResponse
from starlette.routing import Route

from tests.support.paths import ROOT
from yarrow.web import lambda_http
from yarrow.web.lambda_http import Streaming, buffered
from yarrow.web.lambda_runtime import InvocationContext

EVENTS = ROOT / "events"
SUBMIT = json.loads((EVENTS / "api_gateway_submit_run.json").read_text())
WATCH = json.loads((EVENTS / "api_gateway_stream_events.json").read_text())
CONTEXT = InvocationContext(
    "request-1", "arn:aws:lambda:eu-west-1:1:function:f", int(time() * 1000), "f", "1", 512, "", ""
)

RUNS = "/api/v1/agent/runs"
RUN_EVENTS = RUNS + "/{thread_id}/events"
START: Message = {"type": "http.response.start", "status": 200, "headers": [(b"content-type", b"text/event-stream")]}


def chunk(body: bytes, *, more: bool = True) -> Message:
    return {"type": "http.response.body", "body": body, "more_body": more}


def sending(*messages: Message) -> ASGI:
    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        for message in messages:
            await send(message)

    return app


def endpoint(path: str, answer: Callable[[Request], Awaitable[Response]], *methods: str) -> Starlette:
    return Starlette(routes=[Route(path, answer, methods=list(methods))])


@pytest.fixture
def quick_stop(monkeypatch: pytest.MonkeyPatch) -> None:
    """For apps that do not stop by themselves."""
    monkeypatch.setattr(lambda_http, "STOP_SECONDS", 0.01)


class TestBuffered:
    @pytest.mark.parametrize(
        ("media_type", "body", "is_base64"),
        [
            ("application/json", '{"question":"换工作"}'.encode(), False),
            ("application/problem+json", b'{"title":"Not Found"}', False),
            ("text/plain; charset=utf-8", "山火贲".encode(), False),
            ("audio/wav", b"RIFF\x00\xff", True),
        ],
    )
    def test_text_is_answered_as_text_and_the_rest_as_base64(
        self, media_type: str, body: bytes, is_base64: bool
    ) -> None:
        """ERR-01: a problem is readable JSON, not base64."""

        async def answer(request: Request) -> Response:
            return Response(body, status_code=202, media_type=media_type)

        response = buffered(endpoint(RUNS, answer, "POST"))(SUBMIT, CONTEXT)

        assert response["statusCode"] == 202
        assert response["headers"]["content-type"] == media_type
        assert response["isBase64Encoded"] is is_base64
        assert is_base64 or response["body"] == body.decode()

    def test_the_app_reads_the_request_and_the_verified_identity_of_the_event(self) -> None:
        """SEC-06: the identity is the authorizer's."""

        async def answer(request: Request) -> Response:
            authorizer = request.scope["aws.event"]["requestContext"]["authorizer"]
            return JSONResponse({"runId": (await request.json())["runId"], "sub": authorizer["sub"]})

        response = buffered(endpoint(RUNS, answer, "POST"))(SUBMIT, CONTEXT)

        sub = SUBMIT["requestContext"]["authorizer"]["sub"]
        assert json.loads(response["body"]) == {"runId": "run_20260403_xxx", "sub": sub}

    def test_one_handler_serves_several_threads(self) -> None:
        async def answer(request: Request) -> Response:
            await asyncio.sleep(0)
            return PlainTextResponse("ok")

        handler = buffered(endpoint(RUNS, answer, "POST"))
        with ThreadPoolExecutor(4) as threads:
            responses = list(threads.map(lambda _: handler(SUBMIT, CONTEXT), range(8)))

        assert [response["body"] for response in responses] == ["ok"] * 8

    def test_a_streaming_handler_that_is_called_answers_in_one_piece(self) -> None:
        response = Streaming(sending(START, chunk(b"id: 1\n\n"), chunk(b"id: 2\n\n", more=False)))(WATCH, CONTEXT)

        assert response["body"] == "id: 1\n\nid: 2\n\n"


class TestOpening:
    def test_the_response_is_open_before_the_app_has_a_body(self) -> None:
        async def scenario() -> None:
            go = asyncio.Event()

            async def app(scope: Scope, receive: Receive, send: Send) -> None:
                await send(START)
                await go.wait()
                await send(chunk(b"late", more=False))

            async with Streaming(app).open(WATCH, CONTEXT) as response:
                assert response.status == 200
                go.set()
                assert [part async for part in response.body] == [b"late"]

        asyncio.run(scenario())

    def test_the_app_sees_the_event_as_its_request(self) -> None:
        """EVT-02: It sees the route and query of a run's events."""

        async def answer(request: Request) -> Response:
            assert request.scope["aws.event"] is WATCH
            assert request.scope["aws.context"] is CONTEXT
            return Response(f"{request.path_params['thread_id']} {request.query_params['runId']}")

        async def scenario() -> bytes:
            async with Streaming(endpoint(RUN_EVENTS, answer, "GET")).open(WATCH, CONTEXT) as response:
                return b"".join([part async for part in response.body])

        assert asyncio.run(scenario()) == b"550e8400-e29b-41d4-a716-446655440000 run_20260403_xxx"

    def test_the_prelude_is_json_metadata_and_eight_nuls(self) -> None:
        headers = [(b"Content-Type", b"text/event-stream"), (b"Set-Cookie", b"a=1"), (b"Set-Cookie", b"b=2")]
        headers += [(b"Link", b"</a>"), (b"Link", b"</b>")]

        async def scenario() -> bytes:
            app = sending({"type": "http.response.start", "status": 201, "headers": headers})
            async with Streaming(app).open(WATCH, CONTEXT) as response:
                return response.prelude()

        prelude = asyncio.run(scenario())

        assert prelude.endswith(b"}" + b"\0" * 8)
        assert json.loads(prelude[:-8]) == {
            "statusCode": 201,
            "headers": {"content-type": "text/event-stream"},
            "multiValueHeaders": {"link": ["</a>", "</b>"]},
            "cookies": ["a=1", "b=2"],
        }


class TestBody:
    @given(st.lists(st.binary(max_size=50)))
    def test_the_chunks_are_the_apps_chunks_without_the_empty_ones(self, chunks: list[bytes]) -> None:
        async def scenario() -> list[bytes]:
            app = sending(START, *map(chunk, chunks), chunk(b"", more=False))
            async with Streaming(app).open(WATCH, CONTEXT) as response:
                return [part async for part in response.body]

        assert asyncio.run(scenario()) == [part for part in chunks if part]

    def test_send_returns_only_once_its_chunk_was_taken(self) -> None:
        async def scenario() -> None:
            sent: list[bytes] = []

            async def app(scope: Scope, receive: Receive, send: Send) -> None:
                await send(START)
                for body in (b"1", b"2", b"3"):
                    await send(chunk(body))
                    sent.append(body)
                await send(chunk(b"", more=False))

            async with Streaming(app).open(WATCH, CONTEXT) as response:
                seen = []
                async for part in response.body:
                    seen.append(part)
                    for _ in range(20):  # every chance to run ahead
                        await asyncio.sleep(0)
                    assert sent == seen
                assert sent == [b"1", b"2", b"3"]

        asyncio.run(scenario())

    def test_hundreds_of_streams_share_an_event_loop(self) -> None:
        async def answer(request: Request) -> Response:
            async def numbers() -> AsyncIterator[str]:
                for number in range(5):
                    await asyncio.sleep(0)
                    yield f"{number},"

            return StreamingResponse(numbers())

        handler = Streaming(endpoint(RUN_EVENTS, answer, "GET"))

        async def read() -> bytes:
            async with handler.open(WATCH, CONTEXT) as response:
                return b"".join([part async for part in response.body])

        async def scenario() -> list[bytes]:
            return await asyncio.gather(*(read() for _ in range(300)))

        assert asyncio.run(scenario()) == [b"0,1,2,3,4,"] * 300


class TestFailure:
    def test_an_app_that_fails_before_it_answers_fails_the_opening(self) -> None:
        async def app(scope: Scope, receive: Receive, send: Send) -> None:
            raise LookupError("no such run")

        async def scenario() -> None:
            async with Streaming(app).open(WATCH, CONTEXT):
                pytest.fail("nothing was answered")

        with pytest.raises(LookupError, match="no such run"):
            asyncio.run(scenario())

    def test_an_app_that_fails_in_mid_stream_fails_the_body(self) -> None:
        async def app(scope: Scope, receive: Receive, send: Send) -> None:
            await send(START)
            await send(chunk(b"1"))
            raise LookupError("the journal is gone")

        seen = []

        async def scenario() -> None:
            async with Streaming(app).open(WATCH, CONTEXT) as response:
                seen.append(await anext(response.body))
                await anext(response.body)

        with pytest.raises(LookupError, match="the journal is gone"):
            asyncio.run(scenario())
        assert seen == [b"1"]

    @pytest.mark.parametrize(
        ("messages", "complaint"),
        [
            ([], "ended before http.response.start"),
            ([chunk(b"1")], "sent http.response.body before http.response.start"),
            ([START, chunk(b"1")], "ended before http.response.body"),
        ],
    )
    def test_an_incomplete_response_is_an_error(self, messages: list[Message], complaint: str) -> None:
        async def scenario() -> None:
            async with Streaming(sending(*messages)).open(WATCH, CONTEXT) as response:
                async for _ in response.body:
                    pass

        with pytest.raises(RuntimeError, match=complaint):
            asyncio.run(scenario())

    def test_an_app_that_fails_after_its_response_leaves_it_whole_and_is_logged(
        self, caplog: pytest.LogCaptureFixture
    ) -> None:
        async def answer(request: Request) -> Response:
            raise LookupError("unforeseen")  # Starlette answers 500 and raises again

        async def scenario() -> tuple[int, bytes]:
            async with Streaming(endpoint(RUN_EVENTS, answer, "GET")).open(WATCH, CONTEXT) as response:
                return response.status, b"".join([part async for part in response.body])

        assert asyncio.run(scenario()) == (500, b"Internal Server Error")
        assert "unforeseen" in caplog.text


class TestLeaving:
    def test_the_app_is_told_of_the_disconnect_and_may_end_by_itself(self) -> None:
        received = []

        async def app(scope: Scope, receive: Receive, send: Send) -> None:
            received.append((await receive())["type"])
            await send(START)
            received.append((await receive())["type"])

        async def scenario() -> None:
            async with Streaming(app).open(WATCH, CONTEXT):
                pass

        asyncio.run(scenario())
        assert received == ["http.request", "http.disconnect"]

    @pytest.mark.usefixtures("quick_stop")
    @pytest.mark.parametrize("busy", [True, False], ids=["waiting in send", "waiting for something else"])
    def test_an_app_that_does_not_listen_is_cancelled_and_waited_for(self, busy: bool) -> None:
        log = []

        async def app(scope: Scope, receive: Receive, send: Send) -> None:
            try:
                await send(START)
                while busy:
                    await send(chunk(b"tick"))
                await asyncio.Event().wait()
            finally:
                await asyncio.sleep(0)
                log.append("cleaned up")

        async def scenario() -> None:
            async with Streaming(app).open(WATCH, CONTEXT):
                pass
            log.append("left")

        asyncio.run(scenario())
        assert log == ["cleaned up", "left"]

    def test_the_generator_of_a_streaming_response_is_closed_at_once(self) -> None:
        log = []

        async def ticks() -> AsyncIterator[str]:
            try:
                yield "tick"
                await asyncio.Event().wait()
            finally:
                log.append("cleaned up")

        async def answer(request: Request) -> Response:
            return StreamingResponse(ticks())

        async def scenario() -> None:
            async with Streaming(endpoint(RUN_EVENTS, answer, "GET")).open(WATCH, CONTEXT) as response:
                assert await anext(response.body) == b"tick"
            log.append("left")

        asyncio.run(scenario())
        assert log == ["cleaned up", "left"]

    @pytest.mark.usefixtures("quick_stop")
    def test_a_reader_whose_own_scope_is_cancelled_still_ends_the_app(self) -> None:
        log = []

        async def app(scope: Scope, receive: Receive, send: Send) -> None:
            try:
                await send(START)
                await asyncio.Event().wait()
            finally:
                await asyncio.sleep(0)
                log.append("cleaned up")

        async def scenario() -> None:
            with anyio.CancelScope() as reader:
                async with Streaming(app).open(WATCH, CONTEXT) as response:
                    reader.cancel()
                    await anext(response.body)
            log.append("left")

        asyncio.run(scenario())
        assert log == ["cleaned up", "left"]

    @pytest.mark.usefixtures("quick_stop")
    @pytest.mark.parametrize("times", [1, 2, 5])
    def test_a_reader_that_asyncio_cancels_however_often_still_waits_for_the_end_of_the_app(self, times: int) -> None:
        """EVT-06: a cancellation of its task goes through the shields of anyio, also while it waits for that end."""
        log = []

        async def app(scope: Scope, receive: Receive, send: Send) -> None:
            try:
                await send(START)
                await asyncio.Event().wait()
            finally:
                for _ in range(10):
                    await asyncio.sleep(0)
                log.append("cleaned up")

        async def scenario() -> None:
            opened = asyncio.Event()

            async def read() -> None:
                async with Streaming(app).open(WATCH, CONTEXT) as response:
                    opened.set()
                    await anext(response.body)

            reader = asyncio.create_task(read())
            await opened.wait()
            for _ in range(times):
                reader.cancel()
                await asyncio.sleep(0)
            with pytest.raises(asyncio.CancelledError):
                await reader
            log.append("left")
            assert asyncio.all_tasks() == {asyncio.current_task()}

        asyncio.run(scenario())
        assert log == ["cleaned up", "left"]

    @pytest.mark.usefixtures("quick_stop")
    def test_opening_can_be_given_up(self) -> None:
        log = []

        async def app(scope: Scope, receive: Receive, send: Send) -> None:
            try:
                await asyncio.Event().wait()
            finally:
                log.append("cleaned up")

        async def scenario() -> None:
            async with asyncio.timeout(0.01), Streaming(app).open(WATCH, CONTEXT):
                pytest.fail("nothing was answered")

        with pytest.raises(TimeoutError):
            asyncio.run(scenario())
        assert log == ["cleaned up"]
