"""Sends messages to apps, by Amazon SNS."""

import asyncio
import time
from typing import Final, cast

from botocore.exceptions import BotoCoreError, ClientError

from yarrow.notifications.messages import Message
from yarrow.notifications.mobile_push import endpoints, payloads
from yarrow.outbound.posting import PostResult
from yarrow.protocol.devices.kinds import AppKind
from yarrow.store import clients, clock
from yarrow.store.devices import StoredDevice

_GONE: Final = 410
_BUSY: Final = 429

_STATUSES: Final = {
    "EndpointDisabled": _GONE,  # the platform has said that the token is no longer valid
    "NotFound": _GONE,
    "Throttled": _BUSY,
    "Throttling": _BUSY,
    "ThrottlingException": _BUSY,
    "ThrottledException": _BUSY,
}
"""By code of SNS, what a push service of browsers would answer."""


async def send(device: StoredDevice, message: Message) -> PostResult:
    """Send once; never raises for what SNS answers. The result has the status that a push service would give."""
    return await asyncio.to_thread(_publish, device, message)


def _publish(device: StoredDevice, message: Message) -> PostResult:
    started = time.monotonic()

    def result(status: int | None = None, error: str | None = None) -> PostResult:
        return PostResult(int((time.monotonic() - started) * 1000), status, error=error)

    request = payloads.publication(cast("AppKind", device.kind), message, clock.now())
    try:
        clients.sns(endpoints.region_of(device.endpoint)).publish(TargetArn=device.endpoint, **request)
    except ClientError as error:
        code = error.response["Error"]["Code"]
        return result(_STATUSES.get(code, error.response["ResponseMetadata"]["HTTPStatusCode"]), code)
    except BotoCoreError as error:
        return result(error=type(error).__name__)
    return result(200)
