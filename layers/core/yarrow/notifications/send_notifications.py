"""Tells devices of the deployment's events (EVB-09): at least once, and the same message again replaces itself.

A message of the queue is an event of the bus, which goes to every device of its user that wants it, or a later attempt
for one of them. A device whose push service does not know it any more is removed.
"""

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from yarrow.notifications import queue
from yarrow.notifications.messages import MAX_BADGE, Message, expires_at, is_worth_telling, message
from yarrow.notifications.mobile_push import sending as mobile_push
from yarrow.notifications.web_push import sending as web_push
from yarrow.observability.logs import logger
from yarrow.observability.metrics import Metric, emit
from yarrow.outbound.posting import PostResult, event_loop
from yarrow.store import clock, devices, questions
from yarrow.store.devices import StoredDevice
from yarrow.store.limits import stream_slots

MAX_ATTEMPTS: Final = len(queue.PAUSES) + 1

_GONE: Final = frozenset({404, 410})
_BUSY: Final = 429
_SERVER_ERROR: Final = 500
_AT_ONCE: Final = 64
"""All posts of a batch end within the function's time, whatever push services do: ten messages for twenty devices."""

Event = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class _Sending:
    """An attempt to tell a device."""

    message_id: str
    event: Event
    device: StoredDevice
    attempt: int
    message: Message

    @property
    def user_id(self) -> str:
        return str(self.event["data"]["userId"])


def send_notifications(messages: Sequence[tuple[str, Mapping[str, Any]]]) -> list[str]:
    """Handle messages, which come with their ids; returns the ids of those that have to come again."""
    failed: dict[str, None] = {}
    sendings: list[_Sending] = []
    for message_id, document in messages:
        try:
            sendings += _sendings_of(message_id, document)
        except Exception:  # the others must not wait for it
            logger.warning("a message could not be read", exc_info=True)
            failed[message_id] = None
    sendings = _latest(sendings)
    results = event_loop().run_until_complete(_post_all(sendings))
    for sending, result in zip(sendings, results, strict=True):
        try:
            _settle(sending, result)
        except Exception:
            logger.warning("what became of a notification could not be stored", exc_info=True)
            failed[sending.message_id] = None
    return list(failed)


# ---- Whom to tell ----------------------------------------------------------------------------------------------------
def _sendings_of(message_id: str, document: Mapping[str, Any]) -> Iterator[_Sending]:
    event: Event = document["detail"] if "detail" in document else document["event"]
    attempt = int(document.get("attempt", 1))
    wanted = [device for device in devices.of_user(event["data"]["userId"]) if _wants(device, event, document)]
    if not wanted or not is_worth_telling(event):
        return
    if any(not device.while_watched for device in wanted) and _is_watched(event):
        wanted = [device for device in wanted if device.while_watched]
    has_app = any(device.kind != "web" for device in wanted)
    badge = questions.count_open(event["data"]["userId"], MAX_BADGE) if has_app else None
    for device in wanted:
        yield _Sending(message_id, event, device, attempt, message(event, device, badge))


def _wants(device: StoredDevice, event: Event, document: Mapping[str, Any]) -> bool:
    return event["type"] in device.events and document.get("deviceId", device.id) == device.id


def _is_watched(event: Event) -> bool:
    data = event["data"]
    return stream_slots.was_watched(data["userId"], data["runKey"])


def _latest(sendings: Sequence[_Sending]) -> list[_Sending]:
    """Leave out what a later message would replace on its device: posts side by side arrive in any order."""
    latest: dict[tuple[str, str], _Sending] = {}
    for sending in sorted(sendings, key=lambda sending: str(sending.event["timestamp"])):
        latest[sending.device.id, sending.message.topic] = sending
    return list(latest.values())


# ---- Posts -----------------------------------------------------------------------------------------------------------
async def _post_all(sendings: Sequence[_Sending]) -> list[PostResult]:
    free = asyncio.Semaphore(_AT_ONCE)

    async def send(sending: _Sending) -> PostResult:
        async with free:
            return await _post(sending.device, sending.message)

    return await asyncio.gather(*map(send, sendings))


async def _post(device: StoredDevice, told: Message) -> PostResult:
    send = web_push.send if device.kind == "web" else mobile_push.send
    return await send(device, told)


def _settle(sending: _Sending, result: PostResult) -> None:
    """Count a message that was taken, forget a device that is gone, and try again where it may help."""
    device = sending.device
    if result.is_success:
        emit("a device is told", {Metric.NOTIFICATIONS_SENT: 1}, device_id=device.id)
        return
    if result.status in _GONE:
        devices.remove(sending.user_id, device.id)
        logger.info("a device is gone", extra={"device_id": device.id, "status": result.status})
        return
    is_passing = result.status is None or result.status == _BUSY or result.status >= _SERVER_ERROR
    if is_passing and sending.attempt < MAX_ATTEMPTS and expires_at(sending.event) > clock.now():
        queue.send_again(sending.event, device.id, sending.attempt + 1, result.retry_after)
        return
    emit("a device was not told", {Metric.NOTIFICATIONS_FAILED: 1}, device_id=device.id)
    why = {"status": result.status, "reason": result.error}
    logger.warning("a push service refused", extra={"device_id": device.id, **why})
