"""Validates every call of a run (RNR-51).

Source: `agent-runner.md` §7, §8 and §10. Identity, permissions and deadline come from the grant, never from the caller.
The first failed check decides the error: known action; run id, caller, run not ended (RNR-50, RNR-64), deadline
(RNR-70); rate and request size; arguments; operation, then resource (RNR-63); concurrent calls.

The handler is cancelled at the deadline or the run's end. Every failure is an AgentAPIException with a public message.
"""

import asyncio
import time
from collections.abc import AsyncGenerator, Awaitable, Callable, Coroutine, Iterator, Mapping
from contextlib import AsyncExitStack, aclosing, closing, contextmanager
from dataclasses import replace
from functools import partial
from typing import Any, Final, TypeVar

from pydantic import ValidationError
from pydantic_core import to_jsonable_python

from yarrow.agents.grants import RunGrant
from yarrow.formats import foreign_json, json_text
from yarrow.observability.logs import logger
from yarrow.protocol.runner import api
from yarrow.protocol.runner.api import AgentAPIException, Arguments
from yarrow.protocol.runner.questions import OPEN, Question
from yarrow.protocol.runner.turn import Turn
from yarrow.services.api import errors, steering, tools
from yarrow.services.api.actions import ACTIONS, STREAMS
from yarrow.services.api.audit import AuditRecord, recorded
from yarrow.services.api.services import Action, Services, StreamAction
from yarrow.services.api.steps import ASK
from yarrow.services.api.throttle import Throttle, rate_limited
from yarrow.services.approvals import NOT_APPROVED
from yarrow.services.steps import streamed
from yarrow.services.steps.step_log import Call, OutcomeUnknownError
from yarrow.store.runner.steps import Step

MAX_REQUEST_BYTES: Final = 1024 * 1024
MAX_RESPONSE_BYTES: Final = 1024 * 1024
"""JSON bytes of one document."""
MAX_STREAM_BYTES: Final = 8 * 1024 * 1024
"""JSON bytes of all documents."""
MAX_AT_ONCE: Final = 16
"""Concurrent calls of one run."""

_BUSY_SECONDS = 0.1
"""`retry_after` in seconds when MAX_AT_ONCE is reached."""

_Answer = TypeVar("_Answer")


class RunApi:
    """The API of one run, an ApiTransport. Close it when the run ends.

    `caller` is the authenticated runner id; `clock` is monotonic, in seconds.
    """

    def __init__(
        self, grant: RunGrant, caller: str, services: Services, *, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._grant = grant
        self._caller = caller
        self._services = services
        self._clock = clock
        self.turn = services.turn or Turn()
        self._throttle = Throttle(clock)
        self._timeouts: set[asyncio.Timeout] = set()
        self._at_once = 0
        self._closed = False

    @property
    def attempt(self) -> int:
        """The attempt of the worker."""
        return self._services.steps.attempt

    @property
    def is_asking(self) -> bool:
        """Whether a question or a call waits for the user."""
        return bool(self._services.asking.asked)

    async def ask(self, question: Question, occurrence: int) -> None:
        """Note a question that a runner of another process waits for. Raises AgentAPIException as `steps.ask`."""
        request = api.AskRequest(run_id=self._grant.run_key, question=question)
        call = self._services.steps.call(ASK, request, None, occurrence=occurrence)
        if call is not None:
            await self._services.asking.ask(call, question)

    async def show_taken(self) -> None:
        """Show the messages of the user that a runner of another process has taken (RNR-87)."""
        if self._services.show_taken is not None:
            await self._services.show_taken(await steering.taken(self._grant))

    async def ask_approval(self, arguments: Mapping[str, Any], occurrence: int) -> None:
        """Note a tool call that a runner of another process waits to have approved. Raises AgentAPIException."""
        request = _arguments(api.ToolCallRequest, {**arguments, "run_id": self._grant.run_key})
        tools.check_call(self._grant, request)
        call = self._services.steps.call(tools.CALL, request, request.tool_name, occurrence=occurrence)
        await tools.decide(self._grant, self._services, request, call)

    def close(self) -> None:
        """Reject further calls and cancel active ones (RNR-64), from their event loop."""
        self._closed = True
        self._services.steps.close()
        for timeout in self._timeouts:
            if not timeout.expired():
                timeout.reschedule(0)

    async def call(self, action: str, arguments: Mapping[str, Any], occurrence: int | None = None) -> dict[str, Any]:
        """Answer an action with one document. Raises AgentAPIException.

        `occurrence` is how many equal calls a runner of another process has made, with this one.
        """
        with self._recorded(action) as record:
            known, request = await self._admit(action, arguments, ACTIONS, record)
            with self._under_way():
                return await self._in_time(self._in_turn(self._answer(known, request, record, occurrence)))

    async def stream(
        self, action: str, arguments: Mapping[str, Any], occurrence: int | None = None
    ) -> AsyncGenerator[dict[str, Any]]:
        """Answer an action with a stream of documents. Raises AgentAPIException."""
        with self._recorded(action) as record:
            known, request = await self._admit(action, arguments, STREAMS, record)
            with self._under_way():
                async with AsyncExitStack() as stack:
                    await self._in_time(stack.enter_async_context(self.turn.call()))
                    documents = await self._in_time(self._documents(known, request, record, occurrence))
                    stack.push_async_callback(self._close, documents)
                    # One timeout per piece: around the `yield` it would interrupt the caller.
                    while (document := await self._in_time(anext(documents, None))) is not None:
                        yield document
                        self._check_active()

    async def _in_turn(self, answer: Coroutine[Any, Any, _Answer]) -> _Answer:
        with closing(answer):  # a call that comes too late in the turn never begins
            async with self.turn.call():
                try:
                    return await answer
                except OutcomeUnknownError:
                    if self._services.unknown is None:
                        raise
                    await self._services.unknown.wait(self.turn)

    async def _close(self, documents: AsyncGenerator[dict[str, Any]]) -> None:
        """Close a stream; at the end of the turn, it is not the runner that wants no more of it."""
        if self.turn.hand_over is not None:
            self._services.steps.close()
        await documents.aclose()

    async def _answer(
        self, known: Action[Any], request: Arguments, record: AuditRecord, occurrence: int | None
    ) -> dict[str, Any]:
        """Return the document of an action; a step that an earlier worker ended is not repeated."""
        steps, is_edited, is_early = self._services.steps, False, False

        async def answer(step_key: str | None = None) -> dict[str, Any]:
            services = replace(
                self._services, occurrence=occurrence, step_key=step_key, is_edited=is_edited, is_early=is_early
            )
            return _document(await known.answer(self._grant, services, request))[0]

        subject = None if known.subject is None else known.subject(request)
        if known.retry is None:
            if subject is None:
                document = await answer()
                if record.action == "steps.begin" and "step" not in document:
                    self._note_replay(record)
                return document
            if occurrence is None:
                return await steps.read(record.action, request, subject, answer)
        # What a runner of another process reads is a step: several processes of the host may answer its calls.
        retry = "safe" if known.retry is None else known.retry(self._services, request)
        changes = None if known.retry is None else subject
        call = steps.call(record.action, request, record.resource, retry, changes, occurrence)
        if call is not None and (earlier := await self._earlier(call, record)) is not None:
            return await self._settled(known, request, call, steps.result_of(earlier))
        if known.decide is not None:
            decision = await known.decide(self._grant, self._services, request, call)
            record.approval = decision.word
            if self._services.contents is not None and (why := NOT_APPROVED.get(decision.word or "")):
                await self._services.contents.refused(record.action, record.resource, decision.word or "", why)
            if decision.is_open and self._services.turn is not None:
                await self._services.turn.until_answered()
            if decision.document is not None:
                return decision.document
            request, is_edited, is_early = decision.request or request, decision.is_edited, decision.is_early
        if call is None:
            return self._showing(known, await answer())
        make: Callable[[], Awaitable[dict[str, Any]]] = partial(answer, call.key)
        if self._services.contents is not None and isinstance(request, api.ModelRequest):
            make = self._services.contents.noting(call, request, make)
        return await self._settled(known, request, call, await steps.make(call, make))

    async def _settled(
        self, known: Action[Any], request: Arguments, call: Call, document: dict[str, Any]
    ) -> dict[str, Any]:
        """Return the document of a step, or wait for the user where it is not the last word."""
        if known.settle is not None:
            document = await known.settle(self._grant, self._services, request, call, document)
            if OPEN in document and self._services.turn is not None:
                await self._services.turn.until_answered()
        return self._showing(known, document)

    def _showing(self, known: Action[Any], document: dict[str, Any]) -> dict[str, Any]:
        """Let the run read the artifacts in a document that it gets."""
        if known.shows is not None and (shown := tuple(known.shows(document))):
            self._grant = self._grant.showing(shown)
        return document

    async def _documents(
        self, known: StreamAction[Any], request: Arguments, record: AuditRecord, occurrence: int | None
    ) -> AsyncGenerator[dict[str, Any]]:
        """Yield the documents of an action, as `_answer` returns one."""
        steps = self._services.steps

        async def answer() -> AsyncGenerator[dict[str, Any]]:
            total = 0
            async with aclosing(known.answer(self._grant, self._services, request)) as answers:
                async for part in answers:
                    document, size = _document(part)
                    total += size
                    if total > MAX_STREAM_BYTES:
                        raise errors.too_large("a stream", MAX_STREAM_BYTES)
                    yield document

        call = steps.call(record.action, request, record.resource, occurrence=occurrence)
        if call is None:
            return answer()
        if (earlier := await self._earlier(call, record)) is not None:
            return streamed.documents(steps.result_of(earlier))
        if self._services.contents is not None and isinstance(request, api.ModelRequest):
            return steps.stream(call, self._services.contents.noting_stream(call, request, answer))
        return steps.stream(call, answer)

    async def _earlier(self, call: Call, record: AuditRecord) -> Step | None:
        """Return a call's step if an earlier worker ended it; it is not counted by the throttle."""
        earlier = await self._services.steps.recorded(call)
        if earlier is not None:
            self._note_replay(record)
        return earlier

    def _note_replay(self, record: AuditRecord) -> None:
        """Note that a call had ended in an earlier worker; it is not counted by the throttle."""
        record.result = "replayed"
        self._throttle.readmit(record.action.partition(".")[0])

    async def _admit(
        self, action: str, arguments: Mapping[str, Any], known: Mapping[str, "_Known"], record: AuditRecord
    ) -> tuple["_Known", Arguments]:
        await asyncio.sleep(0)  # a runner that calls in a loop must not block the deadline
        if action not in known:
            raise errors.invalid_argument("action", "is not an action of this kind")
        self._check_run(arguments.get("run_id"))
        self._throttle.admit(action.partition(".")[0])
        request = _arguments(api.ACTIONS[action], arguments)
        record.name(request)
        try:
            known[action].check(self._grant, request)
        except AgentAPIException as refusal:
            if self._services.contents is not None:
                await self._services.contents.refused(
                    record.action, record.resource, refusal.code, refusal.error.message
                )
            raise
        return known[action], request

    def _check_run(self, run_id: object) -> None:
        if run_id != self._grant.run_key or self._caller != self._grant.runner_id:
            raise errors.no_run()
        self._check_active()

    def _check_active(self) -> None:
        if self._closed:
            raise errors.no_run()
        if self._seconds_left() <= 0:
            raise _late()

    def _seconds_left(self) -> float:
        # Wall clock, like the deadline: a monotonic clock may stop while the sandbox is frozen.
        return self._grant.deadline_at - time.time()

    @contextmanager
    def _under_way(self) -> Iterator[None]:
        if self._at_once == MAX_AT_ONCE:
            raise rate_limited(f"the run has {MAX_AT_ONCE} calls in progress", _BUSY_SECONDS)
        self._at_once += 1
        try:
            yield
        finally:
            self._at_once -= 1

    async def _in_time(self, answer: Awaitable[_Answer]) -> _Answer:
        try:
            async with asyncio.timeout(self._seconds_left()) as timeout:
                self._timeouts.add(timeout)
                try:
                    return await answer
                finally:
                    self._timeouts.discard(timeout)
        except TimeoutError:
            if not timeout.expired():
                raise
            raise errors.no_run() if self._closed else _late() from None

    @contextmanager
    def _recorded(self, action: str) -> Iterator[AuditRecord]:
        """Audit the body and convert every failure to an AgentAPIException (RNR-62, RNR-82)."""
        with recorded(self._grant.run_key, self._caller, action, self._clock) as record:
            try:
                yield record
            except AgentAPIException:
                raise
            except Exception as error:
                logger.exception("an action failed", extra={"action": record.action})
                raise errors.failed(error) from None


_Known = TypeVar("_Known", Action[Any], StreamAction[Any])
_Request = TypeVar("_Request", bound=Arguments)


def _arguments(model: type[_Request], arguments: Mapping[str, Any]) -> _Request:
    """Validate arguments; as foreign objects, they are serialised to JSON first."""
    try:
        raw = foreign_json.dumps(dict(arguments)).encode()
        if len(raw) > MAX_REQUEST_BYTES:
            raise errors.too_large("a request", MAX_REQUEST_BYTES)
        return model.model_validate_json(raw)
    except ValidationError as error:
        raise errors.invalid(error, model) from None
    except ValueError:
        raise errors.invalid_argument("arguments", "are not JSON") from None


def _document(answer: object) -> tuple[dict[str, Any], int]:
    """Return the JSON document and its size in bytes."""
    document: dict[str, Any] = to_jsonable_python(answer)
    size = len(json_text.dumps(document).encode("utf-8", "surrogatepass"))
    if size > MAX_RESPONSE_BYTES:
        raise errors.too_large("an answer", MAX_RESPONSE_BYTES)
    return document, size


def _late() -> AgentAPIException:
    return AgentAPIException("deadline_exceeded", "the run's deadline has passed")
