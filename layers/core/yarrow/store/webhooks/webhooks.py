"""Webhooks of the deployment, and of users (EVB-04). A webhook's secrets are derived from its salts by a key of the
deployment: neither the table nor its backups have them.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

from yarrow.protocol.webhooks.kinds import DisabledReason, Status
from yarrow.store import clock, table
from yarrow.store.items.records import Codec, Form, in_key, read_from, stored_as
from yarrow.store.items.updates import EXISTS, IS_NEW, Attr, Update

if TYPE_CHECKING:
    from yarrow.protocol.webhooks.kinds import Kind, Part

OF_DEPLOYMENT: Final = "DEPLOYMENT_WEBHOOKS"
_OF_USER: Final = "WEBHOOKS#"
_PREFIX: Final = "WEBHOOK#"
_LIST: Final = Form(list, tuple)


@dataclass(frozen=True, slots=True)
class StoredWebhook:
    """`owner` is the user whose events it sends, None for all users' events; `user_id` is who made it."""

    id: str = field(metadata=in_key("sk", _PREFIX))
    user_id: str
    version: int = field(metadata=stored_as("webhook_version"))
    url: str = field(metadata=stored_as("webhook_url"))
    events: "tuple[Kind, ...]" = field(metadata=stored_as("event_types", _LIST))
    salt: str = field(metadata=stored_as("secret_salt"))
    created_at: str
    updated_at: str
    owner: str | None = field(
        default=None, metadata=read_from("pk", lambda pk: None if pk == OF_DEPLOYMENT else pk.removeprefix(_OF_USER))
    )
    agents: tuple[str, ...] = field(default=(), metadata=stored_as("agent_names", _LIST))
    """Empty for all."""
    include: "tuple[Part, ...]" = field(default=(), metadata=stored_as("included", _LIST))
    description: str | None = field(default=None, metadata=stored_as("webhook_description"))
    status: Status = field(default="active", metadata=stored_as("webhook_status"))
    disabled_reason: DisabledReason | None = field(default=None, metadata=stored_as("disabled_for"))
    disabled_version: int | None = None
    """The version in which it was disabled by itself last."""
    previous_salt: str | None = None
    previous_until: str | None = None
    failing_since: str | None = None
    failure_count: int = 0
    rests_until: str | None = None
    """Until then its receiver is left alone, since it failed."""

    @property
    def is_active(self) -> bool:
        return self.status == "active"

    @property
    def is_rotating(self) -> bool:
        """Whether the earlier secret is still valid."""
        return self.previous_until is not None and self.previous_until > clock.now_iso()


_WEBHOOKS: Final = Codec(StoredWebhook)
_CHANGED: Final = (
    *("webhook_url", "event_types", "agent_names", "included", "webhook_description", "webhook_status"),
    *("webhook_version", "updated_at", "secret_salt", "previous_salt", "previous_until"),
)
"""The attributes of what clients change."""


class TooManyWebhooksError(Exception):
    """The owner has as many webhooks as allowed."""


def partition(owner: str | None) -> str:
    """Return the partition of a user's webhooks, or of the deployment's."""
    return OF_DEPLOYMENT if owner is None else f"{_OF_USER}{owner}"


def create(webhook: StoredWebhook, most: int) -> None:
    """Store a new webhook. Raises TooManyWebhooksError, or ConditionFailedError if its owner has one of this id."""
    ids = Attr("webhook_ids")
    has_room = ids.not_exists() | ids.size_lt(most)
    try:
        table.transact(
            table.update(_head(webhook.owner), Update().add(webhook_ids={webhook.id}), has_room),
            table.put({**_key(webhook.owner, webhook.id), **_WEBHOOKS.item(webhook)}, IS_NEW),
        )
    except table.ConditionFailedError as error:
        if error.failed[0] and not error.failed[1]:
            raise TooManyWebhooksError from error
        raise


def read(owner: str | None, webhook_id: str) -> StoredWebhook | None:
    return _WEBHOOKS.record_if(table.get(_key(owner, webhook_id)))


def of(owner: str | None) -> list[StoredWebhook]:
    """Read the webhooks of a user or of the deployment, oldest first."""
    items = table.query(partition(owner), start=_PREFIX, before=f"{_PREFIX}~")
    return sorted(map(_WEBHOOKS.record, items), key=lambda webhook: (webhook.created_at, webhook.id))


def stored(item: table.Item) -> StoredWebhook:
    return _WEBHOOKS.record(item)


def change(webhook: StoredWebhook, after: StoredWebhook) -> StoredWebhook | None:
    """Replace what clients may change; None if the version has changed. An enabled one counts failures anew."""
    changed = replace(after, version=webhook.version + 1, updated_at=clock.now_iso())
    item = _WEBHOOKS.item(changed)
    update = Update().set(**{name: item.get(name) for name in _CHANGED})
    if changed.is_active and not webhook.is_active:
        update = update.remove("disabled_for", "failing_since", "failure_count", "rests_until")
    return _WEBHOOKS.record_if(
        table.update_returning(_key(webhook.owner, webhook.id), update, Attr("webhook_version").eq(webhook.version))
    )


def delete(owner: str | None, webhook_id: str) -> bool:
    """Delete a webhook; False if there is none. Its deliveries expire."""
    try:
        table.transact(
            table.delete(_key(owner, webhook_id), EXISTS),
            table.update(_head(owner), Update().delete(webhook_ids={webhook_id})),
        )
    except table.ConditionFailedError:
        return False
    return True


def failed(webhook: StoredWebhook, rests_until: str) -> None:
    """Count a failed attempt, and leave the receiver alone until then."""
    update = Update().add(failure_count=1).set_once(failing_since=clock.now_iso()).set(rests_until=rests_until)
    table.update_returning(_key(webhook.owner, webhook.id), update, EXISTS)


def succeeded(webhook: StoredWebhook) -> None:
    """Forget earlier failures."""
    update = Update().remove("failing_since", "failure_count", "rests_until")
    table.update_returning(_key(webhook.owner, webhook.id), update, Attr("failing_since").exists())


def disable(webhook: StoredWebhook, reason: DisabledReason) -> StoredWebhook | None:
    """Disable a webhook that cannot deliver; None if it was changed or disabled meanwhile."""
    version = webhook.version + 1
    update = Update().set(
        webhook_status="disabled",
        disabled_for=reason,
        disabled_version=version,
        webhook_version=version,
        updated_at=clock.now_iso(),
    )
    is_same = Attr("webhook_version").eq(webhook.version)
    return _WEBHOOKS.record_if(table.update_returning(_key(webhook.owner, webhook.id), update, is_same))


def keys_of(items: Sequence[table.Item]) -> list[str]:
    """Return the ids of those keys that are of the deployment's webhooks."""
    return [key["sk"].removeprefix(_PREFIX) for key in items if key["pk"] == OF_DEPLOYMENT]


def _key(owner: str | None, webhook_id: str) -> table.Item:
    return {"pk": partition(owner), "sk": f"{_PREFIX}{webhook_id}"}


def _head(owner: str | None) -> table.Item:
    return {"pk": partition(owner), "sk": "WEBHOOKS"}
