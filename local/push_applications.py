"""Amazon SNS for phones, in memory: platform applications whose endpoints are apps that nobody looks at.

It has what the product calls, with the errors of SNS, and hands what is published to the push service, which shows it.
An app that was removed from its phone disables its endpoint at the next push, as APNs and FCM tell SNS.
Source: Amazon SNS API Reference.
"""

import json
import re
import uuid
from collections import deque
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import parse_qsl
from xml.sax.saxutils import escape

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

PATH: Final = "/sns"
"""Where its API is on the internal port."""

MAX_ENDPOINTS: Final = 1_000
MAX_PAYLOAD: Final = 4_096
MAX_COLLAPSE_ID: Final = 64
_NAMESPACE: Final = "http://sns.amazonaws.com/doc/2010-03-31/"
_APNS_TOKEN: Final = re.compile("[0-9a-fA-F]{1,400}")
_LOCALISED: Final = re.compile("[a-z][a-z0-9_]*")
"""Names of Android's resources, which keys of an app's words must be."""


class SnsError(Exception):
    """An error with SNS's code."""

    def __init__(self, code: str, message: str, status: int = 400) -> None:
        super().__init__(message)
        self.code, self.status = code, status


@dataclass
class _Endpoint:
    application: str
    token: str
    is_enabled: bool = True

    @property
    def platform(self) -> str:
        return self.application.split("/")[1]


class PushApplications:
    """`applications` are ARNs; `show` gets what an app would be sent."""

    def __init__(self, applications: Collection[str], show: Callable[[Mapping[str, Any]], None]) -> None:
        self._applications = frozenset(applications)
        self._show = show
        self._endpoints: dict[str, _Endpoint] = {}
        self._removed: deque[str] = deque(maxlen=MAX_ENDPOINTS)

    def remove_app(self, token: str) -> None:
        """Remove the app with this token from its phone."""
        self._removed.append(token.lower())

    def call(self, action: str, parameters: Mapping[str, str]) -> Mapping[str, str]:
        """Do what the API's action says; returns the members of its result. Raises SnsError."""
        match action:
            case "CreatePlatformEndpoint":
                return {"EndpointArn": self._create(parameters["PlatformApplicationArn"], parameters.get("Token", ""))}
            case "SetEndpointAttributes":
                self._set(parameters["EndpointArn"], _entries(parameters, "Attributes.entry", "key", "value"))
                return {}
            case "DeleteEndpoint":
                self._endpoints.pop(parameters["EndpointArn"], None)
                return {}
            case "Publish":
                return {"MessageId": self._publish(parameters)}
        raise SnsError("InvalidAction", f"the action {action} is not supported locally")

    def _create(self, application: str, token: str) -> str:
        if application not in self._applications:
            raise SnsError("NotFound", "PlatformApplication does not exist", 404)
        if not token or ("/APNS" in application and not _APNS_TOKEN.fullmatch(token)):
            reason = "iOS device tokens must be no more than 400 hexadecimal characters"
            raise SnsError("InvalidParameter", f"Invalid parameter: Token Reason: {reason}")
        for arn, endpoint in self._endpoints.items():
            if (endpoint.application, endpoint.token) == (application, token):
                if endpoint.is_enabled:
                    return arn
                reason = f"Endpoint {arn} already exists with the same Token, but different attributes."
                raise SnsError("InvalidParameter", f"Invalid parameter: Token Reason: {reason}")
        arn = f"{application.replace(':app/', ':endpoint/')}/{uuid.uuid4()}"
        self._endpoints[arn] = _Endpoint(application, token)
        if len(self._endpoints) > MAX_ENDPOINTS:
            del self._endpoints[next(iter(self._endpoints))]
        return arn

    def _set(self, arn: str, attributes: Mapping[str, str]) -> None:
        endpoint = self._found(arn)
        endpoint.token = attributes.get("Token", endpoint.token)
        if "Enabled" in attributes:
            endpoint.is_enabled = attributes["Enabled"].lower() == "true"
            if endpoint.is_enabled and endpoint.token.lower() in self._removed:
                self._removed.remove(endpoint.token.lower())  # a phone that registers has the app again

    def _found(self, arn: str) -> _Endpoint:
        if arn not in self._endpoints:
            raise SnsError("NotFound", "Endpoint does not exist", 404)
        return self._endpoints[arn]

    def _publish(self, parameters: Mapping[str, str]) -> str:
        endpoint = self._found(parameters["TargetArn"])
        if not endpoint.is_enabled:
            raise SnsError("EndpointDisabled", "Endpoint is disabled")
        attributes = _entries(parameters, "MessageAttributes.entry", "Name", "Value.StringValue")
        shown = _read(endpoint.platform, parameters, attributes)
        if endpoint.token.lower() in self._removed:
            endpoint.is_enabled = False  # SNS has accepted the message before it learns so
        else:
            self._show({"kind": _KINDS[endpoint.platform], "token": endpoint.token, **shown})
        return str(uuid.uuid4())


_KINDS: Final = {"APNS": "apns", "APNS_SANDBOX": "apns_sandbox", "GCM": "fcm"}


def _read(platform: str, parameters: Mapping[str, str], attributes: Mapping[str, str]) -> dict[str, Any]:
    """Return what the platform gets. Raises SnsError for what SNS or the platform refuse."""
    try:
        text = json.loads(parameters["Message"])[platform]
        payload = json.loads(text)
        if parameters.get("MessageStructure") != "json":
            raise SnsError("InvalidParameter", "Invalid parameter: MessageStructure")
        found = _fcm(payload) if platform == "GCM" else _apns(platform, payload, attributes)
    except (KeyError, TypeError, ValueError) as error:
        raise SnsError("InvalidParameter", f"Invalid parameter: Message Reason: {error}") from error
    if len(text.encode()) > MAX_PAYLOAD:
        raise SnsError("InvalidParameter", "Invalid parameter: Message Reason: Message too long")
    return found


def _apns(platform: str, payload: Mapping[str, Any], attributes: Mapping[str, str]) -> dict[str, Any]:
    """Raises KeyError or ValueError for what APNs refuses, or does not show."""
    topic = attributes["AWS.SNS.MOBILE.APNS.COLLAPSE_ID"]
    if len(topic.encode()) > MAX_COLLAPSE_ID:
        raise ValueError("BadCollapseId")
    if attributes["AWS.SNS.MOBILE.APNS.PUSH_TYPE"] != "alert":
        raise ValueError("InvalidPushType")
    _check_key(payload["aps"]["alert"]["title-loc-key"])
    return {
        "ttl": int(attributes[f"AWS.SNS.MOBILE.{platform}.TTL"]),
        "urgency": {"10": "high", "5": "normal"}[attributes["AWS.SNS.MOBILE.APNS.PRIORITY"]],
        "topic": topic,
        "message": payload,
    }


def _fcm(payload: Mapping[str, Any]) -> dict[str, Any]:
    """Raises KeyError or ValueError for what FCM refuses, or does not show."""
    message = payload["fcmV1Message"]["message"]
    if not all(isinstance(value, str) for value in message["data"].values()):
        raise ValueError("data has a value that is no string")
    android = message["android"]
    _check_key(android["notification"]["title_loc_key"])
    return {
        "ttl": int(android["ttl"].removesuffix("s")),
        "urgency": {"high": "high", "normal": "normal"}[android["priority"]],
        "topic": android["collapse_key"],
        "message": message,
    }


def _check_key(name: str) -> None:
    if not _LOCALISED.fullmatch(name):
        raise ValueError("a key of an app's words is malformed")


def _entries(parameters: Mapping[str, str], prefix: str, key: str, value: str) -> dict[str, str]:
    """Read a map as AWS's query protocol writes it."""
    found: dict[str, str] = {}
    number = 1
    while (name := parameters.get(f"{prefix}.{number}.{key}")) is not None:
        found[name] = parameters[f"{prefix}.{number}.{value}"]
        number += 1
    return found


def sns_route(applications: PushApplications) -> Route:
    """Return the route of SNS's API: a form in, XML out."""

    async def answer(request: Request) -> Response:
        parameters = dict(parse_qsl((await request.body()).decode(), keep_blank_values=True))
        action = parameters.get("Action", "")
        try:
            result = applications.call(action, parameters)
        except KeyError as error:
            return _error(SnsError("InvalidParameter", f"Invalid parameter: {error.args[0]}"))
        except SnsError as error:
            return _error(error)
        members = "".join(f"<{name}>{escape(value)}</{name}>" for name, value in result.items())
        body = f'<{action}Response xmlns="{_NAMESPACE}"><{action}Result>{members}</{action}Result></{action}Response>'
        return Response(body, media_type="text/xml")

    return Route(PATH, answer, methods=["POST"])


def _error(error: SnsError) -> Response:
    members = f"<Type>Sender</Type><Code>{error.code}</Code><Message>{escape(str(error))}</Message>"
    body = f'<ErrorResponse xmlns="{_NAMESPACE}"><Error>{members}</Error></ErrorResponse>'
    return Response(body, error.status, media_type="text/xml")
