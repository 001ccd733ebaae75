"""Sends messages to browsers."""

from typing import cast

from yarrow.notifications.messages import Message
from yarrow.notifications.web_push import base64url, encryption, vapid
from yarrow.outbound.posting import PostResult, post
from yarrow.settings import settings
from yarrow.store import clock
from yarrow.store.devices import StoredDevice


async def send(device: StoredDevice, message: Message) -> PostResult:
    """Send once; never raises for what a push service does."""
    now = clock.now()
    key, secret = (base64url.decode(cast("str", part)) for part in (device.public_key, device.secret))
    headers = {
        "Authorization": vapid.authorization(device.endpoint, now),
        "Content-Encoding": "aes128gcm",
        "Content-Type": "application/octet-stream",
        "TTL": str(max(0, int((message.expires_at - now).total_seconds()))),
        "Topic": message.topic,
        "Urgency": message.urgency,
    }
    body = encryption.encrypt(message.document, key, secret)
    return await post(device.endpoint, body, headers, allows_loopback=not settings.in_lambda)
