"""Events of a deployment on its event bus: runs that ended, questions, paused jobs, disabled webhooks (EVB-01).

A document is the `detail` of an event of EventBridge whose `detail-type` is its `type`. It has ids, times and counts,
and nothing that users or agents say. Whoever gets the same `id` again has the same event again.
"""

from typing import Any, Final, Literal

from yarrow.protocol.response_body import Body
from yarrow.protocol.usage import TokenCounts
from yarrow.protocol.webhooks.kinds import DisabledReason

SOURCE: Final = "yarrow"
"""The `source` of the events."""


class EndedRun(Body, frozen=True, kw_only=True):
    """A run that has ended. `runKey` is unique among the runs of all users, `runId` in its thread."""

    user_id: str
    thread_id: str
    run_id: str
    run_key: str
    agent: str
    sequence: int
    created_at: str
    ended_at: str
    job_id: str | None = None
    api_key: str | None = None
    """The id of the API key that submitted it, if one did."""
    outcome: Literal["success", "interrupt"] | None = None
    """Of a completed run: whether it ended with questions."""
    code: str | None = None
    """Of a failed or cancelled run: the registered code of its error."""
    usage: tuple[TokenCounts, ...] | None = None


class AskedQuestion(Body, frozen=True, kw_only=True):
    """A question of a run to its user."""

    user_id: str
    thread_id: str
    run_id: str
    run_key: str
    agent: str
    sequence: int
    interrupt_id: str
    expires_at: str


class PausedJob(Body, frozen=True, kw_only=True):
    """An automation job that was disabled since its runs failed."""

    user_id: str
    thread_id: str
    job_id: str
    reason: Literal["failures"]


class DisabledWebhook(Body, frozen=True, kw_only=True):
    """A webhook that was disabled since its receiver failed for a day, or is gone. `userId` is who made it."""

    user_id: str
    webhook_id: str
    reason: DisabledReason


class RunCompleted(Body, frozen=True, kw_only=True):
    """A run has finished, with or without questions to its user."""

    id: str
    type: Literal["run.completed"]
    timestamp: str
    data: EndedRun


class RunFailed(Body, frozen=True, kw_only=True):
    """A run has failed."""

    id: str
    type: Literal["run.failed"]
    timestamp: str
    data: EndedRun


class RunCanceled(Body, frozen=True, kw_only=True):
    """A run was cancelled."""

    id: str
    type: Literal["run.canceled"]
    timestamp: str
    data: EndedRun


class InterruptOpened(Body, frozen=True, kw_only=True):
    """A run has ended with a question to its user, and goes on when it is answered."""

    id: str
    type: Literal["interrupt.opened"]
    timestamp: str
    data: AskedQuestion


class InterruptExpired(Body, frozen=True, kw_only=True):
    """A question was closed without an answer after its `expiresAt`."""

    id: str
    type: Literal["interrupt.expired"]
    timestamp: str
    data: AskedQuestion


class JobPaused(Body, frozen=True, kw_only=True):
    """An automation job was paused."""

    id: str
    type: Literal["job.paused"]
    timestamp: str
    data: PausedJob


class WebhookDisabled(Body, frozen=True, kw_only=True):
    """A webhook was disabled by itself."""

    id: str
    type: Literal["webhook.disabled"]
    timestamp: str
    data: DisabledWebhook


DomainEvent = RunCompleted | RunFailed | RunCanceled | InterruptOpened | InterruptExpired | JobPaused | WebhookDisabled

EVENTS: Final[dict[str, type[Any]]] = {
    "run.completed": RunCompleted,
    "run.failed": RunFailed,
    "run.canceled": RunCanceled,
    "interrupt.opened": InterruptOpened,
    "interrupt.expired": InterruptExpired,
    "job.paused": JobPaused,
    "webhook.disabled": WebhookDisabled,
}
"""By type."""
