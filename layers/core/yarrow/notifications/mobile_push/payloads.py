"""What APNs and Firebase Cloud Messaging get of a message.

Sources: Apple, "Generating a remote notification"; Firebase, "REST Resource: projects.messages"; Amazon SNS Developer
Guide, "Publishing with platform-specific payloads" and "Mobile push reserved message attributes".
"""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Final

from yarrow.formats import json_text
from yarrow.notifications.messages import Message
from yarrow.protocol.devices.kinds import AppKind

PLATFORMS: Final[Mapping[AppKind, str]] = {"apns": "APNS", "apns_sandbox": "APNS_SANDBOX", "fcm": "GCM"}
"""SNS's names; it still has FCM under its old one."""

_PRIORITIES: Final = {"high": "10", "normal": "5"}


def publication(kind: AppKind, message: Message, now: datetime) -> dict[str, Any]:
    """Return the arguments of SNS's Publish for a kind of app, without the target.

    An app says in its user's language what it is told: the title is a key of its own words, `yarrow_run_completed` for
    the event `run.completed`, and the body what the device asked for, if anything.
    """
    platform = PLATFORMS[kind]
    payload = _for_fcm(message, now) if kind == "fcm" else {**_for_apns(message), **message.ids}
    return {
        "MessageStructure": "json",
        "Message": json_text.dumps({"default": message.type, platform: json_text.dumps(payload)}),
        "MessageAttributes": {} if kind == "fcm" else _attributes(platform, message, now),
    }


def _title(message: Message) -> str:
    return f"yarrow_{message.type.replace('.', '_')}"


def _seconds(message: Message, now: datetime) -> int:
    return max(0, int((message.expires_at - now).total_seconds()))


def _for_apns(message: Message) -> dict[str, Any]:
    alert = {"title-loc-key": _title(message)}
    if message.text is not None:
        alert["body"] = message.text
    aps: dict[str, Any] = {"alert": alert, "sound": "default", "thread-id": message.ids["threadId"]}
    if message.badge is not None:
        aps["badge"] = message.badge
    return {"aps": aps}


def _attributes(platform: str, message: Message, now: datetime) -> dict[str, Any]:
    """Return what is sent as headers of APNs. The sandbox has a name of its own for the time alone."""
    values = {
        f"AWS.SNS.MOBILE.{platform}.TTL": str(_seconds(message, now)),
        "AWS.SNS.MOBILE.APNS.PUSH_TYPE": "alert",
        "AWS.SNS.MOBILE.APNS.PRIORITY": _PRIORITIES[message.urgency],
        "AWS.SNS.MOBILE.APNS.COLLAPSE_ID": message.topic,
    }
    return {name: {"DataType": "String", "StringValue": value} for name, value in values.items()}


def _for_fcm(message: Message, now: datetime) -> dict[str, Any]:
    """Return the message of FCM's API: the part for Apple's devices is for apps that get their token from Firebase."""
    notification: dict[str, Any] = {"title_loc_key": _title(message), "tag": message.topic}
    if message.text is not None:
        notification["body"] = message.text
    if message.badge is not None:
        notification["notification_count"] = message.badge
    headers = {
        "apns-collapse-id": message.topic,
        "apns-expiration": str(int(message.expires_at.timestamp())),
        "apns-priority": _PRIORITIES[message.urgency],
        "apns-push-type": "alert",
    }
    told = {
        "data": message.ids,
        "android": {
            "ttl": f"{_seconds(message, now)}s",
            "collapse_key": message.topic,
            "priority": message.urgency,
            "notification": notification,
        },
        "apns": {"headers": headers, "payload": _for_apns(message)},
    }
    return {"fcmV1Message": {"message": told}}
