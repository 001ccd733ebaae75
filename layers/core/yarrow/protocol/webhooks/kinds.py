"""What webhooks can be of."""

from typing import Final, Literal

Kind = Literal[
    "run.completed",
    "run.failed",
    "run.canceled",
    "interrupt.opened",
    "interrupt.expired",
    "job.paused",
    "webhook.disabled",
]
"""The events that a webhook may send: those of the deployment's event bus."""

TEST: Final = "webhook.test"
"""The type of a test's body."""

Part = Literal["answer"]
"""Content that a webhook may ask for."""

Status = Literal["active", "disabled"]

DisabledReason = Literal["failures", "gone"]
"""Why a webhook was disabled by itself: no delivery for a day, or a receiver that answered 410."""

DeliveryStatus = Literal["pending", "delivered", "failed"]

Mode = Literal["off", "operators", "users"]
"""Who may have webhooks, the parameter `Webhooks`."""
