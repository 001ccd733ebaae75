"""Sends spans to the deployment's OTLP endpoint, over HTTP to a public host.

Source: OTLP 1.x, "OTLP/HTTP". The headers are those of the secret `<stack>/runners/traces`, written as OpenTelemetry's
variable `OTEL_EXPORTER_OTLP_HEADERS`; requests to CloudWatch are signed.
"""

import asyncio
import gzip
import re
from collections.abc import Mapping
from typing import Final
from urllib.parse import unquote, urlsplit

from botocore.auth import SigV4Auth
from botocore.awsrequest import AWSRequest

from yarrow.observability import redaction
from yarrow.outbound.posting import PostResult, post
from yarrow.settings import settings
from yarrow.store import clients
from yarrow.store.runner import secrets
from yarrow.traces.otlp import CONTENT_TYPE

SECRET: Final = "traces"  # noqa: S105
"""The name of the secret, among those of runners."""

_NONE: Final = frozenset({"NotInEnvironment", "ResourceNotFoundException"})
"""Why there is no secret, in deployments whose endpoint needs none."""

_CLOUDWATCH: Final = re.compile(r"xray\.([a-z0-9-]+)\.amazonaws\.com(?:\.cn)?")
_NAME: Final = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]{1,128}")
_VALUE: Final = re.compile(r"[\x20-\x7e]{0,4096}")
_NOT_RETRIED: Final = frozenset({400, 413, 422})
"""The endpoint will never take this request. Other refusals may be mended, such as those of a wrong secret."""


class EndpointError(Exception):
    """The endpoint did not take the spans now; the message names no secret."""


class RefusedError(EndpointError):
    """The endpoint will not take the spans at another time either."""


class HeadersError(EndpointError):
    """The secret cannot be read, or has no headers."""


def send(body: bytes) -> None:
    """Send the body of a request. Raises EndpointError, and botocore's errors if the secret cannot be read."""
    url, compressed = settings.traces_endpoint, gzip.compress(body, 6, mtime=0)
    own = {"Content-Type": CONTENT_TYPE, "Content-Encoding": "gzip", "User-Agent": "yarrow"}
    headers = {**_secret_headers(), **own}
    result = asyncio.run(
        post(url, compressed, _signed(url, compressed, headers), allows_loopback=not settings.in_lambda)
    )
    if not result.is_success:
        raise (RefusedError if result.status in _NOT_RETRIED else EndpointError)(_reason(result))


def read_headers(text: str) -> dict[str, str]:
    """Read headers as `OTEL_EXPORTER_OTLP_HEADERS` has them: `name=value,name=value`. Raises HeadersError."""
    found: dict[str, str] = {}
    for entry in filter(None, (piece.strip() for piece in text.split(","))):
        name, sign, value = entry.partition("=")
        name, value = name.strip(), unquote(value).strip()
        if not sign or not _NAME.fullmatch(name) or not _VALUE.fullmatch(value):
            raise HeadersError(f"the secret {SECRET} is not name=value,name=value")
        found[name] = value
    return found


def _secret_headers() -> dict[str, str]:
    found = secrets.read([SECRET])
    if (reason := found.missing.get(SECRET)) is not None:
        if reason in _NONE:
            return {}
        raise HeadersError(f"the secret {SECRET} cannot be read: {reason}")
    headers = read_headers(found.values[SECRET])
    for value in headers.values():
        redaction.conceal(value)
    return headers


def _signed(url: str, body: bytes, headers: Mapping[str, str]) -> Mapping[str, str]:
    """Return the headers with a signature, if CloudWatch gets them."""
    found = _CLOUDWATCH.fullmatch(urlsplit(url).hostname or "")
    if found is None:
        return headers
    request = AWSRequest(method="POST", url=url, data=body, headers=dict(headers))
    SigV4Auth(clients.credentials(), "xray", found[1]).add_auth(request)
    return {name: str(value) for name, value in request.headers.items()}


def _reason(result: PostResult) -> str:
    return result.error or f"the endpoint answered {result.status}"
