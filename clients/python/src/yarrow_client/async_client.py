"""The client for asyncio."""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Mapping
from contextlib import aclosing, suppress
from types import TracebackType
from typing import Any, Literal, Self, TypeVar

import httpx2

from yarrow_client import calls, watching
from yarrow_client.effects import Answer, Close, Effect, Event, Flow, Open, Read, Send, Token, Wait, advance
from yarrow_client.errors import Dropped
from yarrow_client.transport import BROKEN, LIMITS, TIMEOUT, answered, arguments
from yarrow_client.watching import Profile
from yarrow_client.wire import (
    Accepted,
    AddedMessage,
    Agents,
    Attachment,
    Capabilities,
    History,
    Interrupts,
    Job,
    JobRuns,
    Outcome,
    SessionOutcome,
    Upload,
    Usage,
)

T = TypeVar("T")


class AsyncYarrow:
    """A user of the service at `url`.

    `token` is the bearer token, or a function that returns it and gets a token that was refused, else None. `on_wait`
    is called before a retry with the seconds to wait and the failure. A client belongs to one event loop.
    """

    def __init__(
        self,
        url: str,
        token: str | Callable[[str | None], str | Awaitable[str]],
        *,
        http: httpx2.AsyncClient | None = None,
        on_wait: Callable[[float, Exception | None], None] | None = None,
    ) -> None:
        self.url = url
        self._token = token
        self._http = http or httpx2.AsyncClient(timeout=TIMEOUT, limits=LIMITS)
        self._on_wait = on_wait
        self._watches: dict[_Driver, tuple[str, str]] = {}

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """Close all connections."""
        await self._http.aclose()

    async def run(
        self,
        run_input: Mapping[str, Any],
        *,
        agent: str | None = None,
        after: int = 0,
        profile: Profile | None = None,
    ) -> AsyncGenerator[Event]:
        """Submit a run and yield its events; a repeat joins the run."""
        accepted = await self.submit(run_input, agent=agent)
        watching_run = self.watch(accepted["threadId"], accepted["runId"], after=after, profile=profile)
        async with aclosing(watching_run):
            async for event in watching_run:
                yield event

    async def submit(self, run_input: Mapping[str, Any], *, agent: str | None = None) -> Accepted:
        """Submit a run; `run_input` is the body of `POST /runs`. It is repeated if the response may be lost."""
        return await self._do(watching.submit(run_input, agent))

    async def send_message(self, run_input: Mapping[str, Any], *, agent: str | None = None) -> None:
        """Submit a run as AG-UI clients do, for `watch`; plain text is a follow-up to the session's agent."""
        await self._do(watching.send_message(run_input, agent))

    def watch(
        self, thread_id: str, run_id: str, *, after: int = 0, profile: Profile | None = None
    ) -> AsyncGenerator[Event]:
        """Yield the events of a run after the number `after`, up to its terminal event.

        To stop watching, close the generator (`contextlib.aclosing`) or cancel the task; the run goes on.
        Raises Refused, or Dropped after 20 failures in a row.
        """
        return self._drive(watching.watch(thread_id, run_id, after, profile), (thread_id, run_id))

    async def cancel(self, thread_id: str, run_id: str) -> bool:
        """Cancel a run. Returns False if it had finished or failed before."""
        accepted = await self._do(calls.cancel(thread_id, run_id))
        # A watch that the service sent away until the run goes on reads its end now.
        for driver, run in tuple(self._watches.items()):
            if run == (thread_id, run_id):
                driver.wake()
        return accepted

    async def add_message(
        self, thread_id: str, run_id: str, content: str, *, message_id: str | None = None
    ) -> AddedMessage:
        """Add a message to a run that goes on, whose agent takes it at its next step.

        The same id and content again are one message; without an id, each call adds one. Raises Refused unless the
        agent takes messages while it works: `humanInTheLoop.interventions` of its capabilities says so.
        """
        return await self._do(calls.add_message(thread_id, run_id, content, message_id))

    async def history(self, thread_id: str) -> History:
        """Return all messages of a session."""
        return await self._do(calls.history(thread_id))

    async def sessions(self, *, limit: int | None = None, after: str | None = None) -> History:
        """Return every session's latest answer, newest first; `after` is the last one of the page before."""
        return await self._do(calls.sessions(limit, after))

    async def delete_session(self, thread_id: str) -> None:
        """Delete a session for good."""
        await self._do(calls.delete_session(thread_id))

    async def agents(self, locale: str | None = None) -> Agents:
        """Return the agents that the user may use, with labels in the language of `locale`, or of the user."""
        return await self._do(calls.agents(locale))

    async def usage(
        self,
        since: str | None = None,
        until: str | None = None,
        *,
        by: Literal["user"] | None = None,
        after: str | None = None,
    ) -> Usage:
        """Return what the user's runs have used, by days such as `2026-11-27`; for operators, `by="user"`, of all."""
        return await self._do(calls.usage(since, until, by, after))

    async def capabilities(self, agent: str | None = None) -> Capabilities:
        """Return what an agent can do, as AG-UI describes it; by default the agent of `/send-message`."""
        return await self._do(calls.capabilities(agent))

    async def interrupts(self, *, limit: int | None = None, after: str | None = None) -> Interrupts:
        """Return the open questions of the user's runs, newest first; `after` is the `next` of the page before."""
        return await self._do(calls.interrupts(limit, after))

    async def answer(self, interrupt_id: str, payload: Any = None, *, cancel: bool = False) -> Accepted:
        """Answer a question, or `cancel` it; returns the run that goes on.

        The first answer counts: another one is refused, the same one again gets the same run.
        """
        return await self._do(calls.answer(interrupt_id, payload, cancel=cancel))

    async def record_outcome(
        self, thread_id: str, outcome: Outcome, *, note: str | None = None, run_id: str | None = None
    ) -> SessionOutcome:
        """Record how a reading turned out: the one of `run_id`, by default the latest of the session.

        It replaces an earlier outcome of the session, and is safe to repeat.
        """
        return await self._do(calls.record_outcome(thread_id, outcome, note, run_id))

    async def upload(
        self, thread_id: str, content: bytes, filename: str, *, mime_type: str | None = None
    ) -> Attachment:
        """Upload a file straight to the bucket."""
        return await self._do(calls.upload(thread_id, content, filename, mime_type))

    async def begin_upload(self, thread_id: str, mime_type: str, *, filename: str | None = None) -> Upload:
        """Return the form to upload a file with."""
        return await self._do(calls.begin_upload(thread_id, mime_type, filename))

    async def finish_upload(self, upload_id: str) -> Attachment:
        """Return the attachment after the form was sent; repeatable for a day."""
        return await self._do(calls.finish_upload(upload_id))

    async def list_jobs(self) -> list[Job]:
        """Return all jobs, oldest first."""
        return await self._do(calls.list_jobs())

    async def get_job(self, job_id: str) -> Job:
        return await self._do(calls.get_job(job_id))

    async def create_job(self, fields: Mapping[str, Any]) -> Job:
        """Create a job; `fields` are the request's body. With an `id` of your own it is safe to repeat."""
        return await self._do(calls.create_job(fields))

    async def change_job(self, job_id: str, fields: Mapping[str, Any], *, etag: str | None = None) -> Job:
        """Replace fields; `status` pauses or resumes the job. Refused with 412 if `etag` is not its version."""
        return await self._do(calls.change_job(job_id, fields, etag))

    async def delete_job(self, job_id: str, *, etag: str | None = None) -> None:
        """Delete a job, if `etag` is its version or None; its session stays."""
        await self._do(calls.delete_job(job_id, etag))

    async def run_job(self, job_id: str, *, run_id: str | None = None) -> Accepted:
        """Run a job now; a repeat with the same `run_id` (`job-<job_id>-now-…`) is the same run."""
        return await self._do(calls.run_job(job_id, run_id))

    async def job_runs(self, job_id: str, *, limit: int | None = None, cursor: str | None = None) -> JobRuns:
        """Return a page of a job's runs, latest first."""
        return await self._do(calls.job_runs(job_id, limit, cursor))

    async def _do(self, flow: Flow[T]) -> T:
        """Return the result of a flow without events."""
        outcome: Any = None
        async with aclosing(_Driver(self._http, self.url, self._token, self._on_wait)) as driver:
            try:
                while True:
                    outcome = await driver.perform(advance(flow, outcome))
            except StopIteration as ended:
                result: T = ended.value
                return result

    async def _drive(self, flow: Flow[None], run: tuple[str, str]) -> AsyncGenerator[Event]:
        """Yield the events of a flow that watches a run, whose waits `cancel` ends."""
        outcome: Any = None
        async with aclosing(_Driver(self._http, self.url, self._token, self._on_wait)) as driver:
            self._watches[driver] = run
            try:
                while True:
                    try:
                        effect = advance(flow, outcome)
                    except StopIteration:
                        return
                    if isinstance(effect, Event):
                        yield effect
                        outcome = None
                    else:
                        outcome = await driver.perform(effect)
            finally:
                del self._watches[driver]


class _Driver:
    """Performs the effects of a flow, with at most one open stream."""

    def __init__(
        self,
        http: httpx2.AsyncClient,
        url: str,
        token: str | Callable[[str | None], str | Awaitable[str]],
        on_wait: Callable[[float, Exception | None], None] | None,
    ) -> None:
        self._http, self._url, self._token, self._on_wait = http, url, token, on_wait
        self._stream: httpx2.Response | None = None
        self._chunks: AsyncIterator[bytes] = _nothing()
        self._woken = asyncio.Event()

    async def perform(self, effect: Effect) -> Any:
        """Perform an effect and return its outcome; Dropped is returned to the flow."""
        try:
            match effect:
                case Token(refused):
                    token = self._token if isinstance(self._token, str) else self._token(refused)
                    return token if isinstance(token, str) else await token
                case Send(request, token):
                    response = await self._http.request(**arguments(self._url, request, token))
                    return answered(response, response.content)
                case Open(request, token):
                    return await self._open(self._http.build_request(**arguments(self._url, request, token)))
                case Read():
                    return await anext(self._chunks, b"")
                case Close():
                    return await self.aclose()
                case Wait(seconds, failure):
                    if self._on_wait is not None:
                        self._on_wait(seconds, failure)
                    return await self._rest(seconds)
        except BROKEN as broken:
            dropped = Dropped("the connection was lost")
            dropped.__cause__ = broken
            return dropped

    def wake(self) -> None:
        """End the wait before the next connection, or the next such wait."""
        self._woken.set()

    async def _rest(self, seconds: float) -> None:
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._woken.wait()
        self._woken.clear()

    async def _open(self, request: httpx2.Request) -> Answer:
        response = self._stream = await self._http.send(request, stream=True)
        if not response.is_success:
            return answered(response, await response.aread())
        self._chunks = response.aiter_bytes()
        return answered(response)

    async def aclose(self) -> None:
        """Close the open stream, if any."""
        stream, self._stream, self._chunks = self._stream, None, _nothing()
        if stream is not None:
            await stream.aclose()


async def _nothing() -> AsyncIterator[bytes]:
    return
    yield b""
