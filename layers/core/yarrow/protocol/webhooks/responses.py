"""Responses of `/api/v1/webhooks` (EVB-04)."""

from typing import Literal

from yarrow.protocol.response_body import Body
from yarrow.protocol.webhooks.kinds import DeliveryStatus, DisabledReason, Kind, Part, Status


class Webhook(Body, frozen=True, kw_only=True):
    """A webhook. That of a `deployment` sends events of all users, that of a `user` their own.

    `failingSince` is when deliveries began to fail, if none has succeeded since. Until `previousSecretExpiresAt` bodies
    are signed with the earlier secret as well.
    """

    id: str
    scope: Literal["deployment", "user"]
    url: str
    events: tuple[Kind, ...]
    agents: tuple[str, ...] | None = None
    include: tuple[Part, ...] | None = None
    description: str | None = None
    status: Status
    disabled_reason: DisabledReason | None = None
    failing_since: str | None = None
    previous_secret_expires_at: str | None = None
    created_at: str
    updated_at: str


class NewWebhook(Webhook, frozen=True, kw_only=True):
    """A webhook that was created, with its secret, which no other response has."""

    secret: str


class WebhookList(Body, frozen=True, kw_only=True):
    """The webhooks of the deployment or of a user, oldest first."""

    webhooks: tuple[Webhook, ...]


class RotatedSecret(Body, frozen=True, kw_only=True):
    """The new secret of a webhook, which no other response has."""

    id: str
    secret: str
    previous_secret_expires_at: str | None = None


class DeliveryAttempt(Body, frozen=True, kw_only=True):
    """One attempt to deliver: the receiver's status and the first characters of its answer, or why there is none."""

    attempt: int
    at: str
    milliseconds: int
    status: int | None = None
    error: str | None = None
    answer: str | None = None


class WebhookDelivery(Body, frozen=True, kw_only=True):
    """The delivery of an event. `id` is the `webhook-id` of all its attempts, of which the latest are listed."""

    id: str
    event_id: str
    type: str
    status: DeliveryStatus
    created_at: str
    attempt_count: int
    next_attempt_at: str | None = None
    attempts: tuple[DeliveryAttempt, ...]


class WebhookWithDeliveries(Webhook, frozen=True, kw_only=True):
    """A webhook and a page of its deliveries, latest first. `next` continues after it if it `hasMore`."""

    deliveries: tuple[WebhookDelivery, ...]
    has_more: bool
    next: str | None = None


class AcceptedDelivery(Body, frozen=True, kw_only=True):
    """A delivery that will be attempted now."""

    delivery_id: str
