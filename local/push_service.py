"""A push service and the browsers that subscribe to it, in memory: shows people and tests what a deployment sends.

`POST /local/push-subscriptions` makes a subscription as `pushManager.subscribe` does; whoever registers it as a device
finds at `/local/pushes` what the device would show. The service refuses what those of browsers refuse (RFC 8030, 8292),
and decrypts as a browser does (RFC 8291). What apps are sent is shown there as well.
"""

import base64
import json
import re
import time
import uuid
from collections import deque
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import islice
from typing import Any, Final

from cryptography.exceptions import InvalidSignature, InvalidTag
from cryptography.hazmat.primitives.asymmetric.ec import (
    ECDH,
    ECDSA,
    SECP256R1,
    EllipticCurvePrivateKey,
    EllipticCurvePublicKey,
    generate_private_key,
)
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from local.problems import problem

KEPT: Final = 1_000
"""The latest pushes; earlier ones are forgotten, and all of them when the stack ends."""

PAGE: Final = 100
MAX_SUBSCRIPTIONS: Final = 1_000
MAX_BODY: Final = 4_096
_MAX_TOKEN_SECONDS: Final = 24 * 3600
_TOPIC: Final = re.compile(r"[A-Za-z0-9_-]{1,32}")
_AUTHORIZATION: Final = re.compile(r"vapid t=([A-Za-z0-9_-]+\.[A-Za-z0-9_-]+)\.([A-Za-z0-9_-]+), ?k=([A-Za-z0-9_-]+)")


class RefusedError(Exception):
    """What a push service answers to a push that it does not take."""

    def __init__(self, status: int, reason: str) -> None:
        super().__init__(reason)
        self.status = status


@dataclass(frozen=True)
class _Browser:
    """A subscription's private key and secret, which only a browser has."""

    key: EllipticCurvePrivateKey
    secret: bytes

    @property
    def public_key(self) -> bytes:
        return self.key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)

    def read(self, body: bytes) -> Any:
        """Decrypt a message of one record and read its JSON. Raises RefusedError."""
        try:
            salt, sender, record = body[:16], body[21 : 21 + body[20]], body[21 + body[20] :]
            shared = self.key.exchange(ECDH(), EllipticCurvePublicKey.from_encoded_point(SECP256R1(), sender))
            secret = _derived(shared, self.secret, b"WebPush: info\0" + self.public_key + sender, 32)
            key = _derived(secret, salt, b"Content-Encoding: aes128gcm\0", 16)
            nonce = _derived(secret, salt, b"Content-Encoding: nonce\0", 12)
            text, _, _ = AESGCM(key).decrypt(nonce, record, None).rpartition(b"\x02")
            return json.loads(text)
        except (IndexError, InvalidTag, ValueError) as error:
            raise RefusedError(400, "the browser cannot read the message") from error


class PushService:
    """`origin` is that of the endpoints; `after` shows what came, in order."""

    def __init__(self, origin: str) -> None:
        self._origin = origin
        self._browsers: dict[str, _Browser] = {}
        self._pushes: deque[Mapping[str, Any]] = deque(maxlen=KEPT)
        self._count = 0

    def subscribe(self) -> dict[str, Any]:
        """Return a new subscription; the oldest is forgotten if there are too many."""
        subscription_id = str(uuid.uuid4())
        browser = _Browser(generate_private_key(SECP256R1()), uuid.uuid4().bytes)
        self._browsers[subscription_id] = browser
        if len(self._browsers) > MAX_SUBSCRIPTIONS:
            del self._browsers[next(iter(self._browsers))]
        keys = {"p256dh": _encoded(browser.public_key), "auth": _encoded(browser.secret)}
        return {"endpoint": f"{self._origin}/local/push/{subscription_id}", "expirationTime": None, "keys": keys}

    def unsubscribe(self, subscription_id: str) -> None:
        self._browsers.pop(subscription_id, None)

    def take(self, subscription_id: str, headers: Mapping[str, str], body: bytes) -> None:
        """Take a push. Raises RefusedError."""
        browser = self._browsers.get(subscription_id)
        if browser is None:
            raise RefusedError(410, "the subscription is gone")
        _check(headers, body, self._origin)
        self.show(
            {
                "kind": "web",
                "subscription": subscription_id,
                "ttl": int(headers["ttl"]),
                "urgency": headers.get("urgency", "normal"),
                "topic": headers.get("topic"),
                "message": browser.read(body),
            }
        )

    def show(self, push: Mapping[str, Any]) -> None:
        """Add what a device gets, now."""
        self._pushes.append({"at": datetime.now(UTC).isoformat(timespec="milliseconds"), **push})
        self._count += 1

    def after(self, number: int) -> tuple[list[Mapping[str, Any]], int]:
        """Return a page of the pushes after the first `number`, and what to ask for to get the next one."""
        first = self._count - len(self._pushes)
        start = max(number, first)
        page = list(islice(self._pushes, start - first, start - first + PAGE))
        return page, start + len(page)


def _check(headers: Mapping[str, str], body: bytes, origin: str) -> None:
    """Raise RefusedError for what RFC 8030 or 8292 forbid."""
    ttl = headers.get("ttl", "")
    if not (ttl.isascii() and ttl.isdigit()):
        raise RefusedError(400, "TTL is missing")
    if headers.get("urgency", "normal") not in ("very-low", "low", "normal", "high"):
        raise RefusedError(400, "Urgency is unknown")
    if "topic" in headers and not _TOPIC.fullmatch(headers["topic"]):
        raise RefusedError(400, "Topic is malformed")
    if headers.get("content-encoding") != "aes128gcm":
        raise RefusedError(415, "the message is not encrypted")
    if len(body) > MAX_BODY:
        raise RefusedError(413, "the message is too long")
    _authorize(headers.get("authorization", ""), origin)


def _authorize(authorization: str, origin: str) -> None:
    """Raise RefusedError unless the token is of the key beside it, for this service and not too long."""
    found = _AUTHORIZATION.fullmatch(authorization)
    if found is None:
        raise RefusedError(401, "Authorization is missing or malformed")
    try:
        signed, signature, encoded = found[1], _decoded(found[2]), _decoded(found[3])
        key = EllipticCurvePublicKey.from_encoded_point(SECP256R1(), encoded)
        raw = encode_dss_signature(int.from_bytes(signature[:32], "big"), int.from_bytes(signature[32:], "big"))
        key.verify(raw, signed.encode(), ECDSA(SHA256()))
        claims = json.loads(_decoded(signed.partition(".")[2]))
        is_good = claims["aud"] == origin and time.time() < claims["exp"] <= time.time() + _MAX_TOKEN_SECONDS
    except (InvalidSignature, KeyError, TypeError, ValueError) as error:
        raise RefusedError(403, "the token is not valid") from error
    if not is_good or not str(claims.get("sub", "")).startswith(("mailto:", "https://")):
        raise RefusedError(403, "the token is not for this service, or has expired")


def _derived(secret: bytes, salt: bytes, info: bytes, length: int) -> bytes:
    return HKDF(SHA256(), length, salt, info).derive(secret)


def _encoded(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def _decoded(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def push_routes(
    service: PushService, origins: Collection[str], remove_app: Callable[[str], None] = lambda _: None
) -> list[Route]:
    """Return the service's routes; `remove_app` is told of apps that are removed from their phones, by token.

    Requests from other origins may neither subscribe nor read.
    """

    def closed(answer: Callable[[Request], Response]) -> Callable[[Request], Response]:
        def checked(request: Request) -> Response:
            if request.headers.get("origin") not in (None, *origins):
                detail = "requests from another origin may not read pushes"
                return problem(403, "LOCAL_PUSHES_FORBIDDEN", detail, request.url.path)
            return answer(request)

        return checked

    def subscribe(_: Request) -> Response:
        return JSONResponse(service.subscribe(), 201)

    def unsubscribe(request: Request) -> Response:
        service.unsubscribe(request.path_params["subscription"])
        return Response(status_code=204)

    def remove(request: Request) -> Response:
        remove_app(request.path_params["token"])
        return Response(status_code=204)

    async def push(request: Request) -> Response:
        try:
            service.take(request.path_params["subscription"], request.headers, await request.body())
        except RefusedError as error:
            return problem(error.status, "LOCAL_PUSH_REFUSED", str(error), request.url.path)
        return Response(status_code=201)

    def pushes(request: Request) -> Response:
        after = request.query_params.get("after", "0")
        if not (after.isascii() and after.isdigit() and len(after) <= 15):
            return problem(422, "LOCAL_PUSHES_INVALID", "after is not a number", request.url.path)
        page, following = service.after(int(after))
        return JSONResponse({"pushes": page, "next": following})

    return [
        Route("/push-subscriptions", closed(subscribe), methods=["POST"]),
        Route("/push/{subscription}", push, methods=["POST"]),
        Route("/push/{subscription}", closed(unsubscribe), methods=["DELETE"]),
        Route("/apps/{token:path}", closed(remove), methods=["DELETE"]),
        Route("/pushes", closed(pushes)),
    ]
