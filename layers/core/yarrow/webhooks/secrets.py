"""The secrets of webhooks, and signatures with them (Standard Webhooks 1.0, symmetric).

A secret is derived from a random salt by the deployment's key, so that nothing that is stored has it.
"""

import base64
import hashlib
import hmac
import secrets
from typing import Final

from yarrow.settings import settings
from yarrow.store.webhooks.webhooks import StoredWebhook

_PREFIX: Final = "whsec_"
_SALT_BYTES: Final = 16


def new_salt() -> str:
    return secrets.token_hex(_SALT_BYTES)


def secret(webhook_id: str, salt: str) -> str:
    """Return the secret as receivers are configured with it."""
    return f"{_PREFIX}{base64.b64encode(_key(webhook_id, salt)).decode()}"


def headers(webhook: StoredWebhook, message_id: str, timestamp: int, body: bytes) -> dict[str, str]:
    """Return the headers that sign a body: by the secret and, while it is rotated, by the earlier one."""
    salts = [webhook.salt]
    if webhook.is_rotating and webhook.previous_salt is not None:
        salts.append(webhook.previous_salt)
    signed = f"{message_id}.{timestamp}.".encode() + body
    signatures = [hmac.digest(_key(webhook.id, salt), signed, "sha256") for salt in salts]
    return {
        "webhook-id": message_id,
        "webhook-timestamp": str(timestamp),
        "webhook-signature": " ".join(f"v1,{base64.b64encode(signature).decode()}" for signature in signatures),
    }


def _key(webhook_id: str, salt: str) -> bytes:
    return hmac.new(settings.webhook_signing_key, f"webhook {webhook_id} {salt}".encode(), hashlib.sha256).digest()
