"""What a run's models have used, by its steps (EVT-31)."""

from collections.abc import Iterable
from typing import Any

from yarrow.protocol import token_usage
from yarrow.store.runner import steps
from yarrow.store.runner.steps import Step
from yarrow.store.runs import Run


def token_usage_of(
    run: Run, made: Iterable[Step] | None = None, reported: Iterable[token_usage.Entry] = ()
) -> tuple[dict[str, Any], ...] | None:
    """Return the run's `usage`: the sums of its steps and of what its runner reported; None without any.

    `made` are the steps of its log, read from the store if None. Those of runs that it continues were in their `usage`.
    """
    made = steps.read_all(run.log_key) if made is None else made
    own = [step for step in made if not run.earlier or step.started_at >= run.created_at]
    own.sort(key=lambda step: (step.started_at, step.number))
    counted = [found for step in own if (found := _entry(step)) is not None]
    return token_usage.summed([*counted, *reported]) or None


def _entry(step: Step) -> token_usage.Entry | None:
    if step.input_tokens is None:
        return None
    counts = {name: count for name, field in steps.TOKENS.items() if (count := getattr(step, field)) is not None}
    return {"model": step.name, **counts} if step.name else counts
