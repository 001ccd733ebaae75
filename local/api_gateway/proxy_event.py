"""Builds the proxy integration's v1 event and reads proxy responses.

Source: API Gateway Developer Guide, "Set up Lambda proxy integrations in API Gateway".
"""

import base64
import binascii
import datetime
import fnmatch
import json
import time
import uuid
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qsl

from starlette.types import Scope

from local.api_gateway.routing import Match
from local.stack import ACCOUNT, Api, Route

# Headers of one connection, not of the message.
HOP_BY_HOP = frozenset({"connection", "keep-alive", "transfer-encoding", "upgrade"})


class MalformedResponseError(Exception):
    """A function returned something else than a proxy response."""


@dataclass(frozen=True, slots=True)
class ProxyCall:
    """One request. `path` and `query` are percent-encoded as sent; header names are in lower case.

    A client may choose `request_id`, not `extended_request_id`.
    """

    method: str
    path: str
    query: str
    headers: Mapping[str, list[str]]
    source_ip: str
    port: int
    http_version: str
    request_id: str = field(default_factory=lambda: str(uuid.uuid4()))
    extended_request_id: str = field(default_factory=lambda: str(uuid.uuid4()))
    received: float = field(default_factory=time.time)

    @classmethod
    def of(cls, scope: Scope) -> "ProxyCall":
        headers: defaultdict[str, list[str]] = defaultdict(list)
        for name, value in scope["headers"]:
            headers[name.decode("latin-1")].append(value.decode("latin-1"))
        chosen = headers.get("x-amzn-requestid", [""])[-1]
        return cls(
            method=scope["method"],
            path=scope["raw_path"].decode("latin-1"),
            query=scope["query_string"].decode("latin-1"),
            headers=headers,
            source_ip=scope["client"][0],
            port=scope["server"][1],
            http_version=scope["http_version"],
            request_id=chosen or str(uuid.uuid4()),
        )

    def header(self, name: str) -> str | None:
        """The last value of a header, by its name in any case."""
        values = self.headers.get(name.lower())
        return values[-1] if values else None


def base_event(api: Api, call: ProxyCall, match: Match) -> dict[str, Any]:
    """Build what functions and REQUEST authorizers get of a request: everything but the body."""
    forwarded = ", ".join([*call.headers.get("x-forwarded-for", ()), call.source_ip])
    headers = {name: values for name, values in call.headers.items() if name not in HOP_BY_HOP} | {
        "x-amzn-trace-id": [f"Root=1-{int(call.received):08x}-{call.extended_request_id.replace('-', '')[:24]}"],
        "x-forwarded-for": [forwarded],
        "x-forwarded-port": [str(call.port)],
        "x-forwarded-proto": ["http"],
    }
    query: defaultdict[str, list[str]] = defaultdict(list)
    for name, value in parse_qsl(call.query, keep_blank_values=True):
        query[name].append(value)
    return {
        "resource": match.route.path,
        "path": call.path,
        "httpMethod": call.method,
        "headers": {name: values[-1] for name, values in headers.items()},
        "multiValueHeaders": headers,
        "queryStringParameters": {name: values[-1] for name, values in query.items()} or None,
        "multiValueQueryStringParameters": query or None,
        "pathParameters": dict(match.parameters) or None,
        "stageVariables": None,
        "requestContext": _request_context(api, call, match.route),
    }


def proxy_event(
    api: Api, call: ProxyCall, match: Match, body: bytes, identity: Mapping[str, Any] | None
) -> dict[str, Any]:
    """Build the event of a proxy integration; `identity` is the authorizer's context."""
    event = base_event(api, call, match)
    if identity is not None:
        event["requestContext"]["authorizer"] = dict(identity)
    binary = _is_binary(api.binary_media_types, call.header("content-type"))
    text = base64.b64encode(body).decode() if binary else body.decode(errors="replace")
    return event | {"body": text if body else None, "isBase64Encoded": binary and bool(body)}


def _request_context(api: Api, call: ProxyCall, route: Route) -> dict[str, Any]:
    received = datetime.datetime.fromtimestamp(call.received, tz=datetime.UTC)
    host = call.header("host") or ""
    return {
        "resourceId": "local",
        "resourcePath": route.path,
        "httpMethod": call.method,
        "extendedRequestId": call.extended_request_id,
        "requestTime": received.strftime("%d/%b/%Y:%H:%M:%S +0000"),
        "path": call.path,
        "accountId": ACCOUNT,
        "protocol": f"HTTP/{call.http_version}",
        "stage": api.stage,
        "domainPrefix": host.partition(".")[0],
        "requestTimeEpoch": int(call.received * 1000),
        "requestId": call.request_id,
        "identity": {
            "cognitoIdentityPoolId": None,
            "accountId": None,
            "cognitoIdentityId": None,
            "caller": None,
            "sourceIp": call.source_ip,
            "principalOrgId": None,
            "accessKey": None,
            "cognitoAuthenticationType": None,
            "cognitoAuthenticationProvider": None,
            "userArn": None,
            "userAgent": call.header("user-agent"),
            "user": None,
        },
        "domainName": host,
        "deploymentId": "local",
        "apiId": api.id,
    }


@dataclass(frozen=True, slots=True)
class ProxyResponse:
    """A function's response, ready to send."""

    status: int
    headers: list[tuple[str, str]]
    body: bytes

    @classmethod
    def read(cls, payload: bytes, api: Api, accept: str | None) -> "ProxyResponse":
        """Read a function's result. Raises `MalformedResponseError` where API Gateway refuses it.

        A base64 body is decoded only if the first accepted type is a binary media type of the API.
        """
        answer = json.loads(payload)
        if not isinstance(answer, dict) or not isinstance(status := answer.get("statusCode"), int):
            raise MalformedResponseError("the function's answer has no statusCode")
        body = answer.get("body")
        if not isinstance(body, str | None):
            raise MalformedResponseError("the body of the function's answer is not a string")
        if answer.get("isBase64Encoded") and _is_binary(api.binary_media_types, accept):
            try:
                content = base64.b64decode(body or "", validate=True)
            except binascii.Error as error:
                raise MalformedResponseError("the body of the function's answer is not base64") from error
        else:
            content = (body or "").encode()
        return cls(status, response_headers(answer.get("headers"), answer.get("multiValueHeaders")), content)


def response_headers(
    single: Mapping[str, Any] | None, multiple: Mapping[str, Iterable[Any]] | None
) -> list[tuple[str, str]]:
    """Response headers in lower case with all values, without connection headers."""
    together = {name.lower(): [value] for name, value in (single or {}).items()}
    for name, values in (multiple or {}).items():
        own = together.setdefault(name.lower(), [])
        own += [value for value in values if value not in own]
    return [
        (name, str(value))
        for name, values in together.items()
        if name not in HOP_BY_HOP | {"content-length"}
        for value in values
    ]


def _is_binary(binary_media_types: Iterable[str], header: str | None) -> bool:
    media_type = (header or "").partition(",")[0].partition(";")[0].strip().lower()
    return any(fnmatch.fnmatchcase(media_type, kind.replace("~1", "/").lower()) for kind in binary_media_types)
