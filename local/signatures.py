"""Checks AWS signatures (SigV4) on IAM routes, against the local key."""

import hmac
import re

from botocore.auth import SigV4Auth
from botocore.awsrequest import AWSRequest
from botocore.credentials import Credentials

from local.api_gateway.proxy_event import ProxyCall
from local.api_gateway.responses import GatewayError, ResponseType
from local.environment import KEY
from local.stack import REGION

_AUTHORIZATION = re.compile(
    r"AWS4-HMAC-SHA256 Credential=(?P<key>[^/]+)/\d{8}/(?P<region>[^/]+)/execute-api/aws4_request, "
    r"SignedHeaders=(?P<headers>[a-z0-9;-]+), Signature=(?P<signature>[0-9a-f]{64})"
)


def check(call: ProxyCall, body: bytes) -> None:
    """Raise `GatewayError` unless the request is signed with the local key."""
    authorization = call.header("authorization")
    if authorization is None:
        raise GatewayError(ResponseType.MISSING_AUTHENTICATION_TOKEN)
    match = _AUTHORIZATION.fullmatch(authorization)
    if match is None or match["region"] != REGION or match["key"] != KEY:
        raise GatewayError(ResponseType.INVALID_SIGNATURE)
    if not hmac.compare_digest(_signature(call, body, match["headers"].split(";")), match["signature"]):
        raise GatewayError(ResponseType.INVALID_SIGNATURE)


def _signature(call: ProxyCall, body: bytes, headers: list[str]) -> str:
    url = f"http://{call.header('host')}{call.path}" + (f"?{call.query}" if call.query else "")
    request = AWSRequest(call.method, url, {name: call.header(name) or "" for name in headers}, body)
    request.context["timestamp"] = call.header("x-amz-date") or ""
    signer = SigV4Auth(Credentials(KEY, KEY), "execute-api", REGION)
    text: str = signer.string_to_sign(request, signer.canonical_request(request))
    return str(signer.signature(text, request))
