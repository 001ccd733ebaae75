"""Spans of a run's steps: its calls of models, tools, knowledge bases and the store, sleeps, and steps of its own."""

from collections.abc import Mapping
from typing import Final

from yarrow.protocol import trace_context
from yarrow.protocol.trace_context import TraceContext
from yarrow.settings import settings
from yarrow.store.runner.steps import Step
from yarrow.traces import semantic_conventions as names
from yarrow.traces.spans import Kind, Span, Value, known
from yarrow.traces.step_details import NONE, SLEEP
from yarrow.traces.stored_run import ASK, StoredRun, ends_of, nanoseconds

VALUE: Final = "steps.value"
"""The time, and randomness: no work, and no span."""

_OK: Final = frozenset({"ok", "settled", "cut"})
"""Outcomes that are no failure: `cut` is an answer that its runner wanted no more of."""

_UNKNOWN: Final = "outcome_unknown"
_STREAM: Final = "models.stream"
_TITLES: Final[Mapping[str, str]] = {"steps.begin": "step", SLEEP: "sleep", ASK: "ask"}
_FALLBACK: Final = "yarrow"
"""The provider of what a script answers."""

_Attributes = dict[str, Value | None]


def step_span(stored: StoredRun, context: TraceContext, step: Step) -> Span:
    """Return the span of a step, in that of the worker that made it."""
    run_key, details = stored.run.key, stored.details.get(step.id, NONE)
    name, kind, attributes = _described(step)
    own: _Attributes = {
        names.STEP_ID: step.id,
        names.STEP_RETRY: None if step.retry == "safe" else step.retry,
        names.STEP_OUTCOME: step.outcome,
    }
    begins = nanoseconds(step.started_at)
    ends = ends_of(step) if step.has_ended else stored.ends
    if details.until is not None:  # the step itself only says until when
        ends = nanoseconds(details.until.isoformat())
    return Span(
        context.trace_id,
        trace_context.span_id(run_key, "step", step.id, step.started_at),
        trace_context.worker_span_id(run_key, step.attempt),
        name,
        kind,
        begins,
        max(begins, min(stored.ends, ends)),
        known({**attributes, **own, **details.attributes}),
        error=_error(step),
    )


def _described(step: Step) -> tuple[str, Kind, _Attributes]:
    """Return the name, kind and attributes of a step's span."""
    kind, _, action = step.action.partition(".")
    resource = step.name or "unnamed"
    match kind:
        case "models":
            operation = names.RERANK if action == "rerank" else names.CHAT
            return f"{operation} {_model(resource)}", Kind.CLIENT, _of_model(step, operation, resource)
        case "tools":
            attributes: _Attributes = {
                names.OPERATION: names.EXECUTE_TOOL,
                names.TOOL_NAME: resource,
                names.TOOL_TYPE: "function",
            }
            return f"{names.EXECUTE_TOOL} {resource}", Kind.INTERNAL, attributes
        case "knowledge":
            attributes = {names.OPERATION: names.RETRIEVAL, names.DATA_SOURCE: resource}
            return f"{names.RETRIEVAL} {resource}", Kind.CLIENT, attributes
        case "state" | "storage":
            return step.action, Kind.CLIENT, {names.DB_SYSTEM: names.DYNAMODB, names.DB_OPERATION: step.action}
        case _:
            title = _TITLES.get(step.action, step.action)
            return title if step.name is None else f"{title} {step.name}", Kind.INTERNAL, {}


def _of_model(step: Step, operation: str, model_id: str) -> _Attributes:
    return {
        names.OPERATION: operation,
        names.PROVIDER: _provider(model_id),
        names.REQUEST_MODEL: _model(model_id),
        names.MODEL_ID: model_id,
        names.REQUEST_STREAM: True if step.action == _STREAM else None,
        names.INPUT_TOKENS: step.input_tokens,
        names.OUTPUT_TOKENS: step.output_tokens,
        names.CACHE_READ_TOKENS: step.cached_input_tokens,
        names.CACHE_WRITE_TOKENS: step.cache_write_tokens,
        names.REASONING_TOKENS: step.reasoning_tokens,
    }


def _error(step: Step) -> str | None:
    if not step.has_ended:
        return _UNKNOWN
    return None if step.outcome is None or step.outcome in _OK else step.outcome


def _provider(model_id: str) -> str:
    """Return the provider of a model as this deployment has it now."""
    configured = settings.models.get(model_id)
    if configured is None:
        return _FALLBACK
    provider = configured.partition(":")[0]
    return names.PROVIDERS.get(provider, provider)


def _model(model_id: str) -> str:
    configured = settings.models.get(model_id)
    return model_id if configured is None else configured.partition(":")[2]
