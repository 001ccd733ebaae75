"""`send_notifications` beside a table and a queue in memory, on virtual time, and browsers that decrypt messages."""

import json
import secrets
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any, Final

import http_ece
import pytest
from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, EllipticCurvePrivateKey, generate_private_key
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from py_vapid import Vapid02
from py_vapid.utils import b64urlencode

from functions.send_notifications import app as send_app
from tests.support.functions.calls import Context
from tests.support.memory_aws.aws import MemoryAws
from tests.support.notifications.phones import APPLICATIONS, MemorySns
from tests.support.webhooks.queue import MemoryQueue
from yarrow.notifications.devices import register_device
from yarrow.notifications.web_push import sending
from yarrow.outbound.posting import PostResult
from yarrow.settings import settings
from yarrow.store import clock

BEGINNING: Final = datetime(2026, 11, 1, 12, tzinfo=UTC)
SERVICE: Final = "https://updates.push.services.mozilla.com/wpush/v2/"
THREAD: Final = "550e8400-e29b-41d4-a716-446655440000"


@dataclass
class Browser:
    """A subscription. `answer` is what its push service answers; `messages` are what `http_ece` decrypted."""

    name: str
    key: EllipticCurvePrivateKey = field(default_factory=lambda: generate_private_key(SECP256R1()))
    secret: bytes = field(default_factory=lambda: secrets.token_bytes(16))
    answer: Callable[[], PostResult] = lambda: PostResult(1, 201)
    requests: list[tuple[datetime, Mapping[str, str]]] = field(default_factory=list)
    messages: list[dict[str, Any]] = field(default_factory=list)

    @property
    def endpoint(self) -> str:
        return SERVICE + self.name

    @property
    def subscription(self) -> dict[str, Any]:
        public = self.key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        keys = {"p256dh": b64urlencode(public), "auth": b64urlencode(self.secret)}
        return {"endpoint": self.endpoint, "expirationTime": None, "keys": keys}

    def take(self, at: datetime, body: bytes, headers: Mapping[str, str]) -> PostResult:
        """Take a push as RFC 8030, 8291 and 8292 ask for."""
        assert headers["Content-Encoding"] == "aes128gcm"
        assert Vapid02.verify(headers["Authorization"])
        self.requests.append((at, headers))
        result = self.answer()
        if result.is_success:
            text = http_ece.decrypt(body, private_key=self.key, auth_secret=self.secret, version="aes128gcm")
            self.messages.append(json.loads(text))
        return result


class NotificationDeployment:
    """`now` is the time of everything."""

    def __init__(self) -> None:
        self.now = BEGINNING
        self.aws = MemoryAws()
        self.queue = MemoryQueue(lambda: self.now, "NotificationQueue")
        self.sns = MemorySns()
        self.aws.others |= {"sqs": self.queue, "sns": self.sns}
        self.browsers: dict[str, Browser] = {}

    @contextmanager
    def installed(self) -> Iterator["NotificationDeployment"]:
        """Have this process use it, its clock and its browsers."""
        deployment = self

        class Clock(datetime):
            @classmethod
            def now(cls, tz: Any = None) -> Any:
                return deployment.now.astimezone(tz)

        with self.aws.installed(), pytest.MonkeyPatch.context() as patch:
            patch.setattr(clock, "datetime", Clock)
            patch.setattr(sending, "post", self._post)
            patch.setitem(settings.__dict__, "push_applications", APPLICATIONS)
            yield self

    async def _post(
        self, url: str, body: bytes, headers: Mapping[str, str], *, allows_loopback: bool = False
    ) -> PostResult:
        assert allows_loopback
        return self.browsers[url].take(self.now, body, headers)

    def browser(self, name: str = "1", user: str = "alice", **fields: Any) -> Browser:
        """Register a browser of a user."""
        browser = Browser(name)
        self.browsers[browser.endpoint] = browser
        register_device(json.dumps({"kind": "web", "subscription": browser.subscription, **fields}).encode(), user)
        return browser

    def phone(self, kind: str = "fcm", token: str = "a1" * 32, user: str = "alice", **fields: Any) -> str:
        """Register an app of a user; returns the id of the device."""
        return register_device(json.dumps({"kind": kind, "token": token, **fields}).encode(), user)[0].id

    def publish(self, *events: dict[str, Any]) -> None:
        """Have the rule of the bus send events to the queue, and send all that is due now."""
        for event in events:
            self.queue.put({"source": "yarrow", "detail-type": event["type"], "detail": event})
        self.run(self.now)

    def run(self, until: datetime | None = None) -> None:
        """Send all that is due until then, or all that ever will be."""
        while (due := self.queue.next_at) is not None and (until is None or due <= until):
            self.now = max(self.now, due)
            batch = self.queue.receive()
            records = [{"messageId": str(number), "body": body} for number, (body, _) in enumerate(batch)]
            answer = send_app.handler({"Records": records}, Context("send_notifications"))
            failed = {failure["itemIdentifier"] for failure in answer["batchItemFailures"]}
            for record, (body, receives) in zip(records, batch, strict=True):
                if record["messageId"] in failed:
                    self.queue.give_back(body, receives)


def event(kind: str = "run.completed", user: str = "alice", run: str = "run-1", **data: Any) -> dict[str, Any]:
    """Return an event of the bus, of the deployment's beginning."""
    about: dict[str, Any] = {"run.completed": {"outcome": "success"}, "run.failed": {"code": "RUN_FAILED"}}
    asked = {"interruptId": "0" * 32, "expiresAt": clock.iso(BEGINNING + timedelta(hours=2))}
    members = {
        "userId": user,
        "threadId": THREAD,
        "runId": run,
        "runKey": f"key-of-{run}",
        "agent": "assistant",
        "sequence": 1,
        "createdAt": clock.iso(BEGINNING),
        "endedAt": clock.iso(BEGINNING),
        **about.get(kind, asked),
        **data,
    }
    return {"id": f"{run}-{kind}", "type": kind, "timestamp": clock.iso(BEGINNING), "data": members}
