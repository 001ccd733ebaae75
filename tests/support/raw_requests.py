"""Requests as bytes to the local gateway, below its HTTP server, which would refuse some of them itself."""

import asyncio
import json
from dataclasses import dataclass, field
from typing import Any

from local.api_gateway.gateway import Gateway
from local.functions import LambdaHost
from local.sandboxes.invocations import Result
from local.stack import Stack
from yarrow.packages import error_codes
from yarrow.protocol.problems import Code

REGISTERED = {code.name for code in [*Code, *error_codes.find_all()]}
USER = "alice"


@dataclass(frozen=True)
class Sent:
    """A request as it is on the wire: bytes that nobody has looked at yet."""

    method: str
    path: bytes
    query: bytes = b""
    headers: tuple[tuple[bytes, bytes], ...] = ()
    body: bytes = b""


@dataclass
class Answer:
    """What came back, whole."""

    status: int = 0
    headers: dict[str, str] = field(default_factory=dict)
    body: bytes = b""

    @property
    def problem(self) -> dict[str, Any]:
        document: dict[str, Any] = json.loads(self.body)
        return document

    def is_well(self) -> None:
        """Good, or a problem that the registry has; the MCP server's own refusals are errors of JSON-RPC."""
        assert 200 <= self.status < 500, (self.status, self.body)
        if self.status in (400, 404) and self.headers["content-type"] == "application/json":
            assert json.loads(self.body).keys() == {"jsonrpc", "id", "error"}
        elif self.status >= 400:
            assert self.headers["content-type"] == "application/problem+json"
            assert self.problem["code"] in REGISTERED, self.problem
            assert self.problem["status"] == self.status


class OpenHost(LambdaHost):
    """The functions of a stack, behind authorizers that let everyone in as one user."""

    def __init__(self, stack: Stack) -> None:
        super().__init__(stack.functions)
        self._authorizers = {authorizer.function for authorizer in stack.api.authorizers.values()}

    async def invoke(self, name: str, payload: bytes, refusal: str | None = None, **_: bool) -> Result:
        if name not in self._authorizers:
            return await super().invoke(name, payload, refusal)
        statement = {"Action": "execute-api:Invoke", "Effect": "Allow", "Resource": "*"}
        decision = {
            "principalId": USER,
            "policyDocument": {"Version": "2012-10-17", "Statement": [statement]},
            "context": {"sub": USER, "folder": USER},
        }
        return Result(json.dumps(decision).encode(), failed=False)


def ask(gateway: Gateway, sent: Sent) -> Answer:
    """Send a request; the client stays until it has the whole answer."""

    async def exchange() -> Answer:
        answer, unread = Answer(), [{"type": "http.request", "body": sent.body, "more_body": False}]

        async def receive() -> Any:
            if unread:
                return unread.pop()
            return await asyncio.Future()

        async def send(message: Any) -> None:
            if message["type"] == "http.response.start":
                answer.status = message["status"]
                answer.headers = {name.decode(): value.decode("latin-1") for name, value in message["headers"]}
            else:
                answer.body += message["body"]

        scope = {
            "type": "http",
            "method": sent.method,
            "raw_path": sent.path,
            "query_string": sent.query,
            "headers": [(b"host", b"api.example.com"), (b"authorization", b"Bearer x"), *sent.headers],
            "client": ("203.0.113.24", 50_000),
            "server": ("127.0.0.1", 443),
            "http_version": "1.1",
        }
        await gateway(scope, receive, send)
        return answer

    return asyncio.run(exchange())
