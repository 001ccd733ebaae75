"""The events of a WebSocket API's functions and authorizer.

Source: API Gateway Developer Guide, "Set up a WebSocket API integration" and "Lambda authorizers for WebSocket APIs";
`events/api_gateway_websocket_*.json` has samples.
"""

import base64
import datetime
import os
import time
import uuid
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qsl

from starlette.types import Scope

from local.api_gateway.proxy_event import HOP_BY_HOP, ProxyCall
from local.stack import ACCOUNT, REGION, WebSocketApi

_REASONS = {
    1000: "Connection Closed Normally",
    1001: "Going away",
    1005: "Client-side close frame status not set",
    1006: "Connection Closed Abnormally",
    1009: "Message too big",
}


def new_id() -> str:
    """Return a new id of a connection or message, in API Gateway's form."""
    return base64.urlsafe_b64encode(os.urandom(11)).decode()


@dataclass(frozen=True, slots=True)
class Handshake:
    api: WebSocketApi
    call: ProxyCall
    connection_id: str = field(default_factory=new_id)
    connected_at: int = field(default_factory=lambda: int(time.time() * 1000))

    @classmethod
    def of(cls, api: WebSocketApi, scope: Scope) -> "Handshake":
        headers = [(name.lower(), value) for name, value in scope["headers"]]
        return cls(api, ProxyCall.of({**scope, "method": "GET", "headers": headers}))

    @property
    def method_arn(self) -> str:
        return f"arn:aws:execute-api:{REGION}:{ACCOUNT}:{self.api.id}/{self.api.stage}/$connect"

    def authorizer_event(self) -> dict[str, Any]:
        return self._request("CONNECT", None) | {"type": "REQUEST", "methodArn": self.method_arn}

    def connect_event(self, identity: Mapping[str, Any] | None) -> dict[str, Any]:
        return self._request("CONNECT", identity) | {"isBase64Encoded": False}

    def message_event(self, identity: Mapping[str, Any] | None, message: str | bytes, number: str) -> dict[str, Any]:
        """Return the event of `$default`; bytes are in base64."""
        context = self._context("MESSAGE", "$default", identity) | {"messageId": number}
        if isinstance(message, bytes):
            return {
                "requestContext": context,
                "body": base64.b64encode(message).decode(),
                "isBase64Encoded": True,
            }
        return {"requestContext": context, "body": message, "isBase64Encoded": False}

    def disconnect_event(self, identity: Mapping[str, Any] | None, code: int) -> dict[str, Any]:
        headers = {"Host": self.call.header("host") or "", "x-api-key": "", "X-Forwarded-For": "", "x-restapi": ""}
        context = self._context("DISCONNECT", "$disconnect", identity)
        context |= {"disconnectStatusCode": code, "disconnectReason": _REASONS.get(code, "")}
        return {
            "headers": headers,
            "multiValueHeaders": {name: [value] for name, value in headers.items()},
            "requestContext": context,
            "isBase64Encoded": False,
        }

    def _request(self, kind: str, identity: Mapping[str, Any] | None) -> dict[str, Any]:
        call = self.call
        headers = {name.title(): values for name, values in call.headers.items() if name not in HOP_BY_HOP} | {
            "X-Amzn-Trace-Id": [f"Root=1-{int(call.received):08x}-{call.extended_request_id.replace('-', '')[:24]}"],
            "X-Forwarded-For": [call.source_ip],
            "X-Forwarded-Port": [str(call.port)],
            "X-Forwarded-Proto": ["http"],
        }
        query: defaultdict[str, list[str]] = defaultdict(list)
        for name, value in parse_qsl(call.query, keep_blank_values=True):
            query[name].append(value)
        parameters = {
            "queryStringParameters": {name: values[-1] for name, values in query.items()},
            "multiValueQueryStringParameters": dict(query),
        }
        return {
            "headers": {name: values[-1] for name, values in headers.items()},
            "multiValueHeaders": headers,
            **(parameters if query else {}),
            "requestContext": self._context(kind, "$connect", identity),
        }

    def _context(self, kind: str, route: str, identity: Mapping[str, Any] | None) -> dict[str, Any]:
        now = datetime.datetime.now(datetime.UTC)
        return {
            "routeKey": route,
            **({} if identity is None else {"authorizer": dict(identity)}),
            "eventType": kind,
            "extendedRequestId": str(uuid.uuid4()),
            "requestTime": now.strftime("%d/%b/%Y:%H:%M:%S +0000"),
            "messageDirection": "IN",
            "stage": self.api.stage,
            "connectedAt": self.connected_at,
            "requestTimeEpoch": int(now.timestamp() * 1000),
            "identity": {"userAgent": self.call.header("user-agent"), "sourceIp": self.call.source_ip},
            "requestId": str(uuid.uuid4()),
            "domainName": self.call.header("host") or "",
            "connectionId": self.connection_id,
            "apiId": self.api.id,
        }
