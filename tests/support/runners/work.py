"""Runs runners on a journal in memory, and summarises its events."""

import asyncio
import base64
import json
import time
from collections.abc import AsyncGenerator, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from tests.support.run_contexts import no_api, run_context
from yarrow.protocol.events import events
from yarrow.protocol.events.order import EventOrder
from yarrow.protocol.runner.api import ArtifactMetadata
from yarrow.protocol.runner.models import AgentRunContext, AgentRunResult
from yarrow.protocol.runner.proxy import AgentRunAPIProxy
from yarrow.store.runs import OutputMessage, Run, RunOutcome
from yarrow.worker.journal_writer import JournalWriter
from yarrow.worker.orchestrator import Orchestrator
from yarrow.worker.run_options import DEFAULTS, RunOptions
from yarrow.worker.runner_loop import RunnerFailedError
from yarrow_agents.divination.runner import RUNNER

RUN = Run(
    key="key",
    user_id="user",
    thread_id="thread",
    run_id="run",
    agent="assistant",
    runtime_mode="chat",
    fingerprint="",
    made_session=True,
    created_at="2026-04-03T20:30:00+08:00",
    phase="running",
)
CONTEXT = run_context(RUN.key)
API = no_api(RUN.key)
OPTIONS = replace(DEFAULTS, events=RUNNER.events)
"""The defaults, of a runner that has event types of its own."""
STARTED = (events.encode(events.RunStarted(**RUN.ids)),)


class RunnerRaised(Exception):
    """What a scripted runner raises; it may not come out of a run."""


@dataclass(frozen=True)
class Garbage:
    """What a runner yields that is no result at all."""

    value: Any


Script = Sequence[tuple[str, Any] | RunnerRaised | Garbage]
"""Types and data of the results of a runner; an exception is raised in its place."""


class WorkerDied(BaseException):
    """The sandbox is gone between two events."""


class Journal(JournalWriter):
    """Stores at once, in memory. It may die after some events."""

    def __init__(self, lines: Sequence[str], dies_after: int | None) -> None:
        self.order = EventOrder()
        self.order.replay(lines)
        self.lines = list(lines)
        self._left = dies_after

    async def write(self, event: Any) -> None:
        if self._left is not None:
            if self._left == 0:
                raise WorkerDied
            self._left -= 1
        self.order.admit(event)
        line = events.encode(event)
        assert len(line.encode()) < 400_000, "an item of the table holds no more"
        self.lines.append(line)


@dataclass
class Work:
    """What a worker left behind: the lines of the journal, and the outcome or what went wrong."""

    lines: list[str]
    outcome: RunOutcome | None = None
    error: BaseException | None = None

    @property
    def answer(self) -> OutputMessage:
        """What was said last of what is kept; empty if nothing was."""
        return self.outcome.messages[-1] if self.outcome and self.outcome.messages else OutputMessage("", "")

    def events(self) -> list[dict[str, Any]]:
        """The events, with those that would end the run."""
        order = EventOrder()
        order.replay(self.lines)
        last: list[Any] = [*order.closing(RUN.ids)]
        last.append(events.RunFinished(**RUN.ids) if self.error is None else events.RunError(**RUN.ids, message="m"))
        return [json.loads(line) for line in (*self.lines, *map(events.encode, last))]


class Scripted:
    """A runner that yields what its script says, in whatever shape."""

    def __init__(self, script: Script) -> None:
        self._script = script

    async def run(self, context: AgentRunContext, _api: AgentRunAPIProxy) -> AsyncGenerator[AgentRunResult]:
        for result in self._script:
            match result:
                case RunnerRaised():
                    raise result
                case Garbage(value=value):
                    yield value
                case (type_, data):
                    yield AgentRunResult.model_construct(run_id=context.run_id, type=type_, data=data)


class Kept:
    """Keeps artifacts in memory: an id once."""

    def __init__(self) -> None:
        self.contents: dict[str, bytes] = {}

    async def __call__(
        self,
        *,
        artifact_id: str,
        artifact_type: str,
        mime_type: str,
        name: str | None,
        content: bytes,
        metadata: Mapping[str, Any],
    ) -> ArtifactMetadata:
        self.contents[artifact_id] = content
        return ArtifactMetadata(
            artifact_id=artifact_id,
            artifact_type=artifact_type,
            mime_type=mime_type,
            name=name,
            size_bytes=len(content),
            created_at="2026-04-03T20:30:00Z",
            metadata=dict(metadata),
        )


def work(
    script: Script,
    lines: Sequence[str] = STARTED,
    dies_after: int | None = None,
    options: RunOptions = OPTIONS,
    context: AgentRunContext = CONTEXT,
) -> Work:
    """Let a worker run a scripted runner on a journal."""
    journal = Journal(lines, dies_after)
    orchestrator = Orchestrator(RUN, ("worker",), journal, options, map(events.decode, lines))
    try:
        outcome = asyncio.run(orchestrator.run(Scripted(script), context, API))
    except (RunnerFailedError, WorkerDied) as error:
        return Work(journal.lines, error=error)
    return Work(journal.lines, outcome)


def full(options: RunOptions = OPTIONS) -> RunOptions:
    """Terms that allow everything else besides."""
    return replace(
        options,
        state_scopes=frozenset({"conversation", "actor"}),
        shows_state=True,
        actions=frozenset({"message.edit"}),
        keep_artifact=Kept(),
    )


def delta(text: Any, **members: Any) -> tuple[str, Any]:
    return "message.delta", {"chunk": {"role": "assistant", "content": text, **members}}


def completed(text: Any, output: Any = None) -> tuple[str, Any]:
    return "message.completed", {"message": {"role": "assistant", "content": text}, "output": output}


def call(name: str, **parameters: Any) -> tuple[str, Any]:
    return "tool.call.started", {"tool_call_id": name, "tool_name": "t", "parameters": parameters}


def answer(name: str, result: Any = None, **members: Any) -> tuple[str, Any]:
    return "tool.call.completed", {"tool_call_id": name, "tool_name": "t", "result": result, **members}


def keep(key: str, value: Any, scope: str = "conversation") -> tuple[str, Any]:
    return "state.updated", {"scope": scope, "key": key, "value": value}


def artifact(content: Any, **members: Any) -> tuple[str, Any]:
    """A file; bytes are put into base64."""
    encoded = base64.b64encode(content).decode() if isinstance(content, bytes) else content
    return "artifact.created", {"artifact_type": "file", "content_base64": encoded, **members}


def action(name: Any, **members: Any) -> tuple[str, Any]:
    return "action.requested", {"action": name, "target": {"message_id": "1"}, "payload": {"text": "x"}, **members}


DONE: tuple[str, Any] = ("run.completed", {})


_NAMES = {"STEP": "stepName", "TEXT_MESSAGE": "messageId", "TOOL_CALL": "toolCallId"}
_BEGIN, _PIECE, _END = {"STARTED", "START"}, {"CONTENT", "ARGS"}, {"FINISHED", "END"}


def faults(emitted: Sequence[dict[str, Any]]) -> Iterator[str]:
    """Every breach of the order rules in a run's events, from first to terminal, as a client would find them."""
    outer = [event["type"] for event in emitted if event["type"] in ("RUN_STARTED", "RUN_FINISHED", "RUN_ERROR")]
    if outer != ["RUN_STARTED", emitted[-1]["type"]] or emitted[0]["type"] != "RUN_STARTED":
        yield "not one beginning and one end"
    if {(run["threadId"], run["runId"]) for run in emitted} != {("thread", "run")}:
        yield "an event of another run"
    if sum(event["type"] == "DIVINATION_DERIVED" for event in emitted) > 1:
        yield "more than one cast"
    new = [event["messageId"] for event in emitted if event["type"] in ("TEXT_MESSAGE_START", "TOOL_CALL_RESULT")]
    new += [event["toolCallId"] for event in emitted if event["type"] == "TOOL_CALL_START"]
    if len(set(new)) < len(new):
        yield "an id used twice"
    yield from _faults_of_parts(emitted)
    for name, seen in calls(emitted).items():
        try:
            json.loads(seen.arguments)
        except ValueError:
            if not seen.interrupted:
                yield f"arguments of {name} that are not JSON"


def _faults_of_parts(emitted: Sequence[dict[str, Any]]) -> Iterator[str]:
    open_: set[tuple[str, str]] = set()
    ended: set[tuple[str, str]] = set()
    for event in emitted:
        kind, _, part = event["type"].rpartition("_")
        if kind not in _NAMES:
            continue
        name = (kind, event[_NAMES[kind]])
        if part in _BEGIN:
            if name in open_:
                yield f"begun while open: {event}"
            open_.add(name)
        elif part == "RESULT":
            if name not in ended:
                yield f"the result of no call, or a second one: {event}"
            ended.discard(name)
        elif name not in open_ or (part in _PIECE and not event["delta"]):
            yield f"of nothing open, or empty: {event}"
        elif part in _END:
            open_.remove(name)
            ended.add(name)
    if open_:
        yield f"never closed: {open_}"


@dataclass
class Call:
    """A tool call as a client sees it."""

    tool: str
    parent: str | None
    arguments: str
    interrupted: bool
    results: list[str]


def texts(emitted: Sequence[dict[str, Any]]) -> dict[str, str]:
    """The messages as a client sees them: text by id, in order."""
    seen: dict[str, str] = {}
    for event in emitted:
        if event["type"] in ("TEXT_MESSAGE_START", "TEXT_MESSAGE_CONTENT"):
            seen[event["messageId"]] = seen.get(event["messageId"], "") + event.get("delta", "")
    return seen


def calls(emitted: Sequence[dict[str, Any]]) -> dict[str, Call]:
    """The tool calls as a client sees them, by id, in order."""
    seen: dict[str, Call] = {}
    for event in emitted:
        match event:
            case {"type": "TOOL_CALL_START", "toolCallId": name, "toolCallName": tool}:
                seen[name] = Call(tool, event.get("parentMessageId"), "", interrupted=False, results=[])
            case {"type": "TOOL_CALL_ARGS", "toolCallId": name, "delta": piece}:
                seen[name].arguments += piece
            case {"type": "TOOL_CALL_END", "toolCallId": name}:
                seen[name].interrupted = "metadata" in event
            case {"type": "TOOL_CALL_RESULT", "toolCallId": name, "content": content}:
                seen[name].results.append(content)
    return seen


def types(emitted: Sequence[dict[str, Any]]) -> str:
    """Return the types of the events, without the run's and the step's own, in short."""
    inner = [event["type"] for event in emitted if not event["type"].startswith(("RUN_", "STEP_"))]
    return " ".join(inner).replace("TEXT_MESSAGE_", "").replace("TOOL_CALL_", "CALL_")


SOON = 0.05
"""Seconds until the deadline of a runner that will not keep it."""


def result(type_: str, data: Any = None) -> AgentRunResult:
    return AgentRunResult(run_id=CONTEXT.run_id, type=type_, data=data or {})


def due(seconds: float) -> AgentRunContext:
    """The context of a run that has so many seconds left."""
    runtime = CONTEXT.runtime.model_copy(update={"deadline_at": time.time() + seconds})
    return CONTEXT.model_copy(update={"runtime": runtime})


class Watched(Journal):
    def __init__(self) -> None:
        super().__init__(STARTED, None)
        self.written = asyncio.Event()

    async def write(self, event: Any) -> None:
        await super().write(event)
        if event.type == "TEXT_MESSAGE_CONTENT":
            self.written.set()
