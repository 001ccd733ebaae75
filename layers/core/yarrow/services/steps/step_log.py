"""The steps of a run as one worker makes them.

A step is a call of the runner that costs or acts. Its identity is the call itself, action and arguments, and how many
equal calls the runner made before it. It does not depend on the order of calls side by side, and a runner whose calls
differ when it is run again gets no result that is not its own: those calls are new steps (STP-06).
"""

import asyncio
import hashlib
import json
import uuid
from collections import Counter
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterable, Mapping
from contextlib import aclosing
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any, Final, Protocol

from yarrow.protocol.runner.api import (
    AgentAPIError,
    AgentAPIException,
    Arguments,
    ModelRequest,
    ModelUsage,
    StepBeginRequest,
)
from yarrow.protocol.runner.vocabulary import Retry
from yarrow.services.steps import streamed
from yarrow.store import clock
from yarrow.store.runner import steps
from yarrow.store.runner.steps import MAX_STEPS, Step

_NAMESPACE: Final = uuid.UUID("0a6f5b0e-7c0f-5a3d-9c55-73746570732e")

SETTLE: Final = "steps.settle"
"""The action of the step in which a user says what becomes of one whose outcome is unknown."""

READS_BYTES: Final = 128 * 1024
"""JSON bytes of earlier reads that are stored with a step."""

_ANSWERED: Final = frozenset({"models.invoke", "models.stream"})

_OF_THE_RUN: Final = frozenset({"unauthorized", "deadline_exceeded"})
"""Errors about the run or its worker, not about the call: they are not stored as a step's result."""

Document = dict[str, Any]


class OutcomeUnknownError(Exception):
    """A step that must not be repeated began in an earlier worker, which did not store how it ended (STP-03)."""

    def __init__(self, step: Step) -> None:
        super().__init__(f"{step.name or step.action} may or may not have been executed")


@dataclass(frozen=True, slots=True)
class Call:
    """A call that is a step. `key` is its idempotency key: the same from each worker (STP-02)."""

    id: str
    key: str
    action: str
    name: str | None
    number: int
    retry: Retry
    changes: str | None = None
    part: str | None = None


def key_of(log_key: str, step_id: str) -> str:
    """Return the idempotency key of a step."""
    return str(uuid.uuid5(_NAMESPACE, f"{log_key}/{step_id}"))


class StepStore(Protocol):
    """Where steps are stored; the functions block. See `yarrow.store.runner.steps`."""

    def read(self, log_key: str, step_id: str, /) -> Step | None: ...

    def loaded(self, log_key: str, step: Step, /) -> Step: ...

    def begin(self, log_key: str, step: Step, run_key: str, /) -> None: ...

    def end(self, log_key: str, step: Step, /) -> Step: ...

    def forget(self, log_key: str, step: Step, /) -> None: ...


class StepLog:
    """The steps of one run, in the log of the run `log_key`, which it may continue.

    `attempt` is the worker's, `recorded` are the steps of earlier ones, None to look each up in the store; `run_key`
    is the run's own, by default that of the log. `given` are steps of another run, which answer as recorded ones do
    and count for nothing: they are among `recorded`.
    """

    def __init__(
        self,
        log_key: str,
        attempt: int,
        recorded: Iterable[Step] | None = (),
        store: StepStore = steps,
        *,
        run_key: str | None = None,
        given: Iterable[Step] = (),
    ) -> None:
        self._store = store
        self._log_key = log_key
        self._run_key = run_key or log_key
        self.attempt = attempt
        self._recorded = None if recorded is None else {step.id: step for step in recorded}
        self._given = {step.id for step in given}
        self._unused = set(self._recorded or ())
        self._equal: Counter[str] = Counter()
        self._number = 0
        self._is_closed = False
        self._answered = {
            name: step
            for name, step in (self._recorded or {}).items()
            if step.input_tokens is not None and name not in self._given
        }
        self._reads: dict[str, dict[str, Document]] = {}
        """Documents that were read since their subject was changed, by subject and id of the read."""
        self._earlier_reads: dict[str, Document] = {}
        self.in_doubt = [step for step in (self._recorded or {}).values() if step.is_in_doubt]
        """Steps of earlier workers that must not be repeated and whose outcome is unknown."""
        for step in (self._recorded or {}).values():
            self._earlier_reads |= step.reads or {}

    @property
    def log_key(self) -> str:
        """The key of the run in whose log the steps are."""
        return self._log_key

    @property
    def usage(self) -> list[ModelUsage]:
        """The usage of each model call of earlier workers; of a failed one it is zero."""
        return [
            ModelUsage(input_tokens=step.input_tokens or 0, output_tokens=step.output_tokens or 0)
            for step in (self._recorded or {}).values()
            if step.action in _ANSWERED and step.id not in self._given
        ]

    @property
    def answered(self) -> list[Step]:
        """The answers of models so far, of all workers, without their results."""
        return list(self._answered.values())

    @property
    def unused(self) -> list[Step]:
        """Steps of earlier workers that the runner did not repeat; not those of parts, whose results it may keep."""
        recorded = (self._recorded or {}).values()
        return [step for step in recorded if step.id in self._unused and step.part is None]

    def close(self) -> None:
        """Store no interrupted stream as a result from now on: the run has ended or is another worker's."""
        self._is_closed = True

    def call(
        self,
        action: str,
        request: Arguments,
        name: str | None,
        retry: Retry = "safe",
        changes: str | None = None,
        occurrence: int | None = None,
    ) -> Call | None:
        """Return the step of a call; None if equal calls cannot be told apart. `changes`: whose reads it changes.

        A runner of another process counts its own equal calls, since several processes of the host may answer them.
        Raises AgentAPIException `rate_limited` beyond MAX_STEPS.
        """
        digest = _digest(action, request)
        if self._recorded is not None and occurrence is None:
            occurrence = self._count(digest)
        if occurrence is None:
            return None
        step_id = _identity(digest, occurrence)
        self._number += 1
        if self._number > MAX_STEPS:
            raise AgentAPIException("rate_limited", f"a run may have at most {MAX_STEPS} steps")
        part = request.part if isinstance(request, ModelRequest) else None
        return Call(step_id, key_of(self._log_key, step_id), action, name, self._number, retry, changes, part)

    def beside(self, call: Call, action: str, part: str = "", retry: Retry = "safe") -> Call:
        """Return a step that belongs to a call, such as its approval; it is the same whenever the call is.

        `part` tells those of one action apart.
        """
        name = f"{action} {call.id} {part}".rstrip()
        step_id = _identity(hashlib.sha256(name.encode()).hexdigest()[:32], 1)
        return replace(call, id=step_id, key=key_of(self._log_key, step_id), action=action, retry=retry, changes=None)

    def of_run(self, call: Call, action: str, part: str) -> Call:
        """Return a step that is one of the run, such as a sign-in, whichever call comes to it first."""
        return self.beside(replace(call, id=""), action, part)

    def settling(self, step: Step) -> Call:
        """Return the step in which the user says what becomes of one whose outcome is unknown."""
        step_id = settling_id(step)
        return Call(step_id, key_of(self._log_key, step_id), SETTLE, step.name, step.number, "safe")

    async def read(
        self,
        action: str,
        request: Arguments,
        subject: str,
        make: Callable[[], Awaitable[Document]],
    ) -> Document:
        """Return what a call reads of a `subject` that later steps of the run may change.

        It is stored with the first step that changes the subject, before that begins. A later worker replays it, so its
        runner sees the value from before the change. A runner of another process that numbers its calls makes steps of
        its reads instead.
        """
        if self._recorded is None:
            return await make()
        digest = _digest(action, request)
        read_id = _identity(digest, self._count(digest))
        document = self._earlier_reads.get(read_id)
        if document is None:
            document = await make()
            self._reads.setdefault(subject, {})[read_id] = document
        return document

    def _count(self, digest: str) -> int:
        """Count a call; returns how many equal ones the runner has made."""
        self._equal[digest] += 1
        return self._equal[digest]

    async def recorded(self, call: Call) -> Step | None:
        """Return the step if an earlier worker ended it. Raises OutcomeUnknownError if one only began it."""
        if self._recorded is not None:
            found = self._recorded.get(call.id)
            self._unused.discard(call.id)
        elif self.attempt > 1 or self._run_key != self._log_key:
            found = await asyncio.to_thread(self._store.read, self._log_key, call.id)
        else:
            found = None
        if found is None:
            return None
        if found.is_in_doubt:
            raise OutcomeUnknownError(found)
        if not found.has_ended:
            return None
        return await asyncio.to_thread(self._store.loaded, self._log_key, found)

    async def make(self, call: Call, make: Callable[[], Awaitable[Document]]) -> Document:
        """Make a call and store its document, or the error that it ended with. Raises AgentAPIException."""
        step = await self.begin(call)
        try:
            document = await make()
        except AgentAPIException as error:
            if error.code in _OF_THE_RUN:
                raise
            return self.result_of(await self.end(step, error=error.error))
        return self.result_of(await self.end(step, document))

    async def stream(self, call: Call, make: Callable[[], AsyncGenerator[Document]]) -> AsyncGenerator[Document]:
        """Make a call; its last document comes once all are stored. Raises AgentAPIException."""
        step, received = await self.begin(call), streamed.ReceivedChunks()
        async with aclosing(make()) as answers:
            try:
                async for document in answers:
                    received.append(document)
                    if received.is_whole:
                        await self.end(step, received.result())
                    yield document
            except AgentAPIException as error:
                if error.code not in _OF_THE_RUN and not received.is_whole:
                    await self.end(step, received.result(error.error))
                raise
            except GeneratorExit:
                task = asyncio.current_task()
                is_cancelled = task is not None and task.cancelling() > 0
                # The runner wants no more; one of another process may as well have died.
                if not (received.is_whole or self._is_closed or is_cancelled or self._recorded is None):
                    await self.end(step, received.result())
                raise

    async def begin(self, call: Call) -> Step:
        """Return a step that begins now; it is stored if it must not be repeated, or to keep what was read before.

        Raises OutcomeUnknownError for one that must not be repeated while the outcome of another is unknown: a runner
        that does not repeat itself may mean the same by it.
        """
        if call.retry == "never" and self.in_doubt:
            raise OutcomeUnknownError(self.in_doubt[0])
        begun = (self._recorded or {}).get(call.id)
        step = Step(
            id=call.id,
            action=call.action,
            number=call.number,
            attempt=self.attempt,
            started_at=clock.now_iso(),
            name=call.name,
            retry=call.retry,
            part=call.part,
            reads=self._reads_before(call) if begun is None else begun.reads,
        )
        if call.retry == "never" or (begun is None and step.reads):
            await asyncio.to_thread(self._store.begin, self._log_key, step, self._run_key)
        return step

    @staticmethod
    def result_of(step: Step) -> Document:
        """Return the document of an ended step. Raises the error it ended with."""
        if step.error is not None:
            raise AgentAPIException.of(AgentAPIError.model_validate(step.error))
        document: Document = json.loads(step.result or "{}")
        return document

    def begun(
        self, action: str, request: StepBeginRequest, step_id: str, number: int, started_at: datetime
    ) -> Step | None:
        """Return a step that has begun, maybe in another process; None if the id does not belong to such a call."""
        if step_id.partition(".")[0] != _digest(action, request):
            return None
        at = clock.iso(started_at)
        return Step(step_id, action, number, self.attempt, at, request.name, request.retry)

    def _reads_before(self, call: Call) -> dict[str, Document] | None:
        """Return the latest reads before the call that fit into the step's item."""
        found = {} if call.changes is None else self._reads.pop(call.changes, {})
        kept, left = {}, READS_BYTES
        for read_id, document in reversed(found.items()):
            left -= len(json.dumps(document))
            if left < 0:
                break
            kept[read_id] = document
        return kept or None

    async def end(
        self,
        step: Step,
        document: Document | None = None,
        error: AgentAPIError | None = None,
        outcome: str | None = None,
    ) -> Step:
        """Store how a step ended; returns what was stored first."""
        usage = streamed.usage_of(document)
        ended = replace(
            step,
            ms=max(0, round(clock.since(step.started_at) / timedelta(milliseconds=1))),
            result=None if document is None else json.dumps(document, separators=(",", ":")),
            outcome=outcome or _outcome(document, error),
            error=None if error is None else error.model_dump(mode="json"),
            input_tokens=None if usage is None else usage.input_tokens,
            output_tokens=None if usage is None else usage.output_tokens,
            cached_input_tokens=None if usage is None else usage.cached_input_tokens,
            cache_write_tokens=None if usage is None else usage.cache_write_tokens,
            reasoning_tokens=None if usage is None else usage.reasoning_tokens,
        )
        stored = await asyncio.to_thread(self._store.end, self._log_key, ended)
        if stored.input_tokens is not None:
            self._answered[stored.id] = replace(stored, result=None)
        return stored


def settling_id(step: Step) -> str:
    """Return the id of the step in which the user settles this beginning of a step."""
    digest = hashlib.sha256(f"{SETTLE} {step.id} {step.started_at}".encode()).hexdigest()[:32]
    return _identity(digest, 1)


def _outcome(document: Document | None, error: AgentAPIError | None) -> str:
    if error is not None:
        return error.code
    if document is not None and document.get("is_cut"):
        return "cut"
    return "ok"


def _identity(digest: str, occurrence: int) -> str:
    return f"{digest}.{occurrence:04d}"


def _digest(action: str, request: Arguments) -> str:
    arguments: Mapping[str, Any] = request.model_dump(mode="json", exclude={"run_id"})
    text = json.dumps([action, arguments], sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()[:32]
