"""Lists the steps of a run."""

from collections.abc import Mapping
from typing import Final

from yarrow.access import limits, ownership
from yarrow.protocol.steps import ForkedFrom, ForkObstacle, StepItem, StepKind, StepList, StepUsage
from yarrow.protocol.usage import ModelPrices
from yarrow.runs import forkable
from yarrow.runs.model_costs import cost, model_prices
from yarrow.store.runner import steps
from yarrow.store.runner.steps import Step

_KINDS: Final[Mapping[str, StepKind]] = {
    "models": "model",
    "tools": "tool",
    "knowledge": "knowledge",
    "state": "state",
    "storage": "storage",
}
"""By the first part of an action's name."""


def list_steps(user_id: str, thread_id: str, run_id: str | None) -> StepList:
    """List the steps, without contents (STP-07). Raises Problem as `ownership.run_of`, and 429."""
    run = ownership.run_of(user_id, thread_id, run_id)
    limits.count_stream_read(user_id)
    # Eventually consistent, as events are read.
    found = steps.in_order(steps.read_all(run.log_key, consistent=False))
    limits.charge_stream_read(user_id, sum(len(step.result or "") for step in found))
    without_end = "unknown" if run.ended else "running"
    prices = model_prices()
    fork = run.fork and ForkedFrom(thread_id=run.fork.thread_id, run_id=run.fork.run_id, step=run.fork.step_id)
    obstacle = forkable.obstacle(run)
    # A run that cannot be repeated at all says so once, and not at each step.
    doubtful = len(found) if obstacle else next((at for at, step in enumerate(found) if step.is_in_doubt), len(found))
    items = tuple(
        _item(step, without_end, prices, "outcome_unknown" if at > doubtful else None) for at, step in enumerate(found)
    )
    return StepList(steps=items, forked_from=fork, not_forkable=obstacle)


def _item(step: Step, without_end: str, prices: ModelPrices, obstacle: ForkObstacle | None) -> StepItem:
    usage = None
    if step.input_tokens is not None:
        price = prices.models.get(step.name or "")
        usage = StepUsage(
            input_tokens=step.input_tokens,
            output_tokens=step.output_tokens or 0,
            reasoning_tokens=step.reasoning_tokens,
            cached_input_tokens=step.cached_input_tokens,
            cache_write_input_tokens=step.cache_write_tokens,
            cost=cost(
                price,
                input_tokens=step.input_tokens,
                output_tokens=step.output_tokens,
                cached_input_tokens=step.cached_input_tokens,
                cache_write_tokens=step.cache_write_tokens,
            ),
            currency=None if price is None else prices.currency,
        )
    return StepItem(
        id=step.id,
        kind=_kind(step.action),
        action=step.action,
        name=step.name,
        started_at=step.started_at,
        ms=step.ms,
        outcome=step.outcome or without_end,
        attempt=step.attempt,
        usage=usage,
        not_forkable=obstacle,
    )


def _kind(action: str) -> StepKind:
    if action == "steps.value":
        return "value"
    return _KINDS.get(action.partition(".")[0], "step")
