"""Response of `GET /api/v1/agent/runs/{threadId}/steps` (STP-07)."""

from typing import Literal

from yarrow.protocol.response_body import Body

StepKind = Literal["model", "tool", "knowledge", "state", "storage", "value", "step"]
"""`step`: the runner's own; `value`: the time or randomness that it was given."""


ForkObstacle = Literal[
    "active",
    "expired",
    "continues",
    "job",
    "pictures",
    "no_message",
    "follow_up",
    "agent_gone",
    "remote",
    "input_invalid",
    "outcome_unknown",
]
"""Why a run cannot be repeated from a step on; `yarrow.runs.forkable.MEANING` has the sentences."""


class StepUsage(Body, frozen=True, kw_only=True):
    """Tokens of a model's answer. Cached tokens and those written to a cache are part of the input, reasoning of the
    output; what its provider did not report is absent. `cost` is by the deployment's prices, in their `currency`; both
    are absent for a model without a price.
    """

    input_tokens: int
    output_tokens: int
    reasoning_tokens: int | None = None
    cached_input_tokens: int | None = None
    cache_write_input_tokens: int | None = None
    cost: float | None = None
    currency: str | None = None


class StepItem(Body, frozen=True, kw_only=True):
    """A finished step, or one that must not be repeated and has begun.

    `name` is the model, tool, knowledge base or key, or the runner's own name; `ms` how long it took. `outcome` is
    `ok`, `failed` for a runner's own step that raised, `cut` for a streamed answer that ended early, the code of an
    error, `settled` if the user said that a step of unknown outcome was done; `running` without an end in an active
    run, `unknown` in one that has ended.
    """

    id: str
    kind: StepKind
    action: str
    name: str | None
    started_at: str
    ms: int | None
    outcome: str
    attempt: int
    """The worker that made it."""
    usage: StepUsage | None = None
    not_forkable: ForkObstacle | None = None
    """Why the run cannot be repeated from this step on, where it can be from others: `outcome_unknown`."""


class ForkedFrom(Body, frozen=True, kw_only=True):
    """The run whose steps before `step` answer in a run that was forked from it; they are listed there."""

    thread_id: str
    run_id: str
    step: str


class StepList(Body, frozen=True, kw_only=True):
    """A run's steps, in the order in which they began."""

    steps: tuple[StepItem, ...]
    forked_from: ForkedFrom | None = None
    not_forkable: ForkObstacle | None = None
    """Why the run cannot be repeated from any of its steps on; absent if it can be."""
