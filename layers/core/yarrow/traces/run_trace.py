"""The trace of a run, made of what is stored of it: the same spans, whenever it is made.

A run is `invoke_agent`, with a span for its wait in the queue and one for each of its workers; calls of models, tools
and knowledge bases, and other steps, are in that of the worker that made them.
"""

from collections.abc import Iterator
from typing import Final

from yarrow.observability.logs import user_of
from yarrow.protocol import trace_context
from yarrow.protocol.trace_context import TraceContext
from yarrow.store.runs import Run
from yarrow.traces import content as contents
from yarrow.traces import semantic_conventions as names
from yarrow.traces.run_tokens import own_tokens, sums
from yarrow.traces.spans import Kind, Link, Span, Value, known
from yarrow.traces.step_spans import VALUE, step_span
from yarrow.traces.stored_run import StoredRun, Worker

_SECOND: Final = 1_000_000_000
_REPLACED: Final = "worker_replaced"
"""The `error.type` of a worker that another one took the run over from."""


def trace_of(stored: StoredRun, *, content: bool = False) -> Iterator[Span]:
    """Yield the spans of a run, that of the run first."""
    run = stored.run
    context = trace_context.context_of(run.key, run.trace_parent)
    root_id = trace_context.span_id(run.key, trace_context.RUN)
    yield _run_span(stored, context, root_id, content=content)
    if run.attempt:
        yield _queue_span(stored, context, root_id)
    for attempt, worker in sorted(stored.workers.items()):
        yield _worker_span(stored, context, root_id, attempt, worker)
    for step in sorted(stored.own_steps, key=lambda step: (step.started_at, step.number)):
        if step.action != VALUE:
            yield step_span(stored, context, step)


def _run_span(stored: StoredRun, context: TraceContext, root_id: str, *, content: bool) -> Span:
    run = stored.run
    attributes: dict[str, Value | None] = {
        names.OPERATION: names.INVOKE_AGENT,
        names.AGENT_NAME: run.agent,
        names.CONVERSATION_ID: run.thread_id,
        names.SESSION_ID: run.thread_id,
        names.USER_ID: user_of(run.user_id),
        names.RUN_ID: run.run_id,
        names.RUN_KEY: run.key,
        names.RUN_PHASE: run.phase,
        names.RUN_OUTCOME: _outcome(stored),
        names.RUN_EVENTS: stored.events,
        names.RUN_TURNS: run.turns + 1,
        names.JOB_ID: run.job,
        names.FIRST_EVENT: _seconds(stored.begins, stored.first_event_at),
        **own_tokens(stored),
        **sums(stored),
        **(contents.of_run(run.key, stored.texts) if content else {}),
    }
    return Span(
        context.trace_id,
        root_id,
        context.parent_id,
        f"{names.INVOKE_AGENT} {run.agent}",
        Kind.INTERNAL,
        stored.begins,
        max(stored.begins, stored.ends),
        known(attributes),
        tuple(_links(stored)),
        str(stored.last_event.get("code", run.phase)) if run.phase == "failed" else None,
    )


def _outcome(stored: StoredRun) -> str | None:
    if stored.run.phase != "finished":
        return None
    return str(stored.last_event.get("outcome", {}).get("type", "success"))


def _links(stored: StoredRun) -> Iterator[Link]:
    for kind, run in ((names.CONTINUES, stored.continued), (names.SPAWNED_BY, stored.parent)):
        if run is not None:
            yield _link(run, kind)


def _link(run: Run, kind: str) -> Link:
    context = trace_context.context_of(run.key, run.trace_parent)
    return Link(context.trace_id, trace_context.span_id(run.key, trace_context.RUN), {names.LINK: kind})


def _queue_span(stored: StoredRun, context: TraceContext, root_id: str) -> Span:
    """From the submit until the first worker had the run."""
    ends = min((worker.begins for worker in stored.workers.values()), default=stored.ends)
    span_id = trace_context.span_id(stored.run.key, "queue")
    return Span(context.trace_id, span_id, root_id, "queue", Kind.INTERNAL, stored.begins, ends, {})


def _worker_span(stored: StoredRun, context: TraceContext, root_id: str, attempt: int, worker: Worker) -> Span:
    run = stored.run
    is_last = attempt == run.attempt
    waited = run.stored_ms if is_last else None
    attributes: dict[str, Value | None] = {
        names.ATTEMPT: attempt,
        names.STORE_WAIT: None if waited is None else waited / 1000,
    }
    # With turns, what is stored does not tell a worker that died from one whose turn was over.
    died = not is_last and not run.turns
    return Span(
        context.trace_id,
        trace_context.worker_span_id(run.key, attempt),
        root_id,
        f"worker {attempt}",
        Kind.INTERNAL,
        worker.begins,
        worker.ends,
        known(attributes),
        error=_REPLACED if died else None,
    )


def _seconds(begins: int, ends: int | None) -> float | None:
    return None if ends is None else max(0, ends - begins) / _SECOND
