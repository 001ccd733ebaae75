"""API Gateway's own responses, in the template's wording (`GatewayResponses`)."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum, auto
from typing import Any

from local.api_gateway.proxy_event import ProxyCall
from local.api_gateway.routing import Match, Router
from local.stack import Api, GatewayResponse

_VARIABLE = re.compile(r"\$context\.([\w.]+)")


class ResponseType(Enum):
    ACCESS_DENIED = auto()
    AUTHORIZER_CONFIGURATION_ERROR = auto()
    AUTHORIZER_FAILURE = auto()
    BAD_REQUEST_PARAMETERS = auto()
    DEFAULT_5XX = auto()  # a failing function has no other type
    INTEGRATION_TIMEOUT = auto()
    INVALID_SIGNATURE = auto()
    MISSING_AUTHENTICATION_TOKEN = auto()
    REQUEST_TOO_LARGE = auto()
    UNAUTHORIZED = auto()


# Default statuses and messages (API Gateway Developer Guide, "Gateway response types").
_DEFAULTS = {
    ResponseType.ACCESS_DENIED: (403, "User is not authorized to access this resource"),
    ResponseType.AUTHORIZER_CONFIGURATION_ERROR: (500, "Internal server error"),
    ResponseType.AUTHORIZER_FAILURE: (500, "Internal server error"),
    ResponseType.BAD_REQUEST_PARAMETERS: (400, "Missing required request parameters"),
    ResponseType.DEFAULT_5XX: (502, "Internal server error"),
    ResponseType.INTEGRATION_TIMEOUT: (504, "Endpoint request timed out"),
    ResponseType.INVALID_SIGNATURE: (403, "The request signature we calculated does not match"),
    ResponseType.MISSING_AUTHENTICATION_TOKEN: (403, "Missing Authentication Token"),
    ResponseType.REQUEST_TOO_LARGE: (413, "Request Too Long"),
    ResponseType.UNAUTHORIZED: (401, "Unauthorized"),
}
_PLAIN = GatewayResponse(None, {}, {"application/json": '{"message":$context.error.messageString}'})


class GatewayError(Exception):
    def __init__(self, kind: ResponseType) -> None:
        super().__init__(kind.name)
        self.kind = kind


@dataclass(frozen=True, slots=True)
class Rendered:
    """A gateway response, ready to send; header names are in lower case."""

    status: int
    headers: dict[str, str]
    body: bytes


def render(api: Api, call: ProxyCall, match: Match | None, kind: ResponseType) -> Rendered:
    """Render a response with the template of its type, of its family, or the default."""
    default_status, message = _DEFAULTS[kind]
    family = "DEFAULT_5XX" if default_status >= 500 else "DEFAULT_4XX"
    wording = api.gateway_responses.get(kind.name) or api.gateway_responses.get(family) or _PLAIN
    status = wording.status or default_status
    accepted = call.header("accept") or ""
    media_type = accepted if accepted in wording.templates else next(iter(wording.templates), "application/json")
    context = context_of(api, call, match) | {
        "error.message": message,
        "error.messageString": json.dumps(message),
        "error.responseType": kind.name,
        "status": status,
    }
    body = fill(wording.templates.get(media_type, ""), context)
    headers = {"content-type": media_type} | {name.lower(): value for name, value in wording.headers.items()}
    return Rendered(status, headers, body.encode())


def context_of(api: Api, call: ProxyCall, match: Match | None) -> dict[str, Any]:
    """Return the `$context` variables of a request; without a match, the route is looked up."""
    match = match or Router(api.routes).match(call.method, call.path)
    return {
        "httpMethod": call.method,
        "identity.sourceIp": call.source_ip,
        "path": call.path,
        "extendedRequestId": call.extended_request_id,
        "requestId": call.request_id,
        "requestTimeEpoch": int(call.received * 1000),
        **({"resourcePath": match.route.path} if match else {}),
        "stage": api.stage,
    }


def fill(template: str, context: Mapping[str, Any]) -> str:
    """Fill a template's variables; missing values become "-", as in API Gateway's access logs."""
    return _VARIABLE.sub(lambda match: str(context.get(match[1], "-")), template)
