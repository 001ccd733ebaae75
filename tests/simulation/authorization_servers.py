"""An MCP server with its authorization server, and the key that seals what users get there, on virtual time.

Refresh tokens rotate. One that comes a second time ends all of its family, as OAuth 2.1 has it. Requests may be lost
or late, and whoever makes them may die before or after.
"""

import asyncio
import base64
import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final
from urllib.parse import parse_qsl, urlsplit

import httpx2

from tests.simulation.world import World
from tests.support.memory_aws.table import error
from yarrow.mcp_oauth.exchange import SECONDS, Answer, OAuthError

ORIGIN: Final = "https://issues.example.com"
URL: Final = f"{ORIGIN}/mcp"
TAKES: Final = (0.01, 0.1, 0.1, 1.5)
"""Seconds until a server has a request, and until its answer is there."""
LASTS: Final = (20, 50, 90, 400)
"""Seconds of access tokens: some are renewed before each use, others while a run goes on."""

Json = dict[str, Any]


class Kms:
    """A key of AWS KMS, which opens with the context of the sealing alone."""

    def Encrypt(self, Plaintext: bytes, EncryptionContext: Json, **_: Any) -> Json:  # noqa: N802, N803
        sealed = {"context": EncryptionContext, "text": base64.b64encode(Plaintext).decode()}
        return {"CiphertextBlob": json.dumps(sealed).encode()}

    def Decrypt(self, CiphertextBlob: bytes, EncryptionContext: Json, **_: Any) -> Json:  # noqa: N802, N803
        sealed = json.loads(CiphertextBlob)
        if sealed["context"] != EncryptionContext:
            raise error("Decrypt", "InvalidCiphertextException")
        return {"Plaintext": base64.b64decode(sealed["text"])}


def plain(sealed: str) -> str:
    """Return what a sealed text of the product has, without a call."""
    pieces = [json.loads(base64.b64decode(piece)) for piece in sealed.split(" ")]
    return b"".join(base64.b64decode(piece["text"]) for piece in pieces).decode()


@dataclass(eq=False)
class Family:
    """What came of one consent of a user: the refresh tokens, of which the last is good, and when access tokens end."""

    user: str
    client: str
    refresh: list[str] = field(default_factory=list)
    access: dict[str, float] = field(default_factory=dict)
    is_ended: bool = False


@dataclass
class Issuer:
    """Both servers. `families` has each token's, `reused` the refresh tokens that came again, with who used them."""

    world: World
    families: dict[str, Family] = field(default_factory=dict)
    registered: list[str] = field(default_factory=list)
    forgotten: set[str] = field(default_factory=set)
    """Clients that it does not know any more."""
    reused: list[str] = field(default_factory=list)
    disturbed: int = 0
    """Answers that were lost or late, refusals, and deaths of who asked."""
    secrets: dict[str, str] = field(default_factory=dict)
    """Of clients that have one, by their ids, where `method` says that they authenticate."""
    method: str = "none"
    _codes: dict[str, tuple[str, dict[str, str]]] = field(default_factory=dict)
    _count: int = 0

    def consent(self, user: str, url: str) -> dict[str, str] | None:
        """Sign a user in on the page at an address; returns the query of the browser's return, None without one."""
        asked = dict(parse_qsl(urlsplit(url).query))
        if asked["client_id"] not in self.registered or asked["client_id"] in self.forgotten:
            return None
        code = self._new("code", user)
        self._codes[code] = user, asked
        return {"state": asked["state"], "code": code, "iss": ORIGIN}

    def takes(self, token: str) -> str | None:
        """Return whose access token it is, None for one that is not good."""
        family = self.families.get(token)
        if family is None or family.is_ended or family.access[token] <= self.world.scheduler.now:
            return None
        return family.user

    def end(self, user: str) -> None:
        """Take from a user all that they were given, as an operator does."""
        self.disturbed += 1
        for family in self.families.values():
            family.is_ended |= family.user == user

    def forget(self) -> None:
        """Forget all clients that have registered."""
        self.disturbed += 1
        self.forgotten |= set(self.registered)

    async def ask(
        self,
        method: str,
        url: str,
        *,
        private: bool = False,
        form: Mapping[str, str] | None = None,
        document: Mapping[str, Any] | None = None,
        headers: Mapping[str, str] | None = None,
        seconds: float = SECONDS,
    ) -> Answer:
        """Stand in for `yarrow.mcp_oauth.exchange.ask`."""
        aws, chance = self.world.aws, self.world.scheduler.chance
        assert not private
        await asyncio.sleep(chance.uniform(0.001, chance.choice(TAKES)))
        fault = aws.post_fault()
        self.disturbed += fault != "none"
        if fault == "killed before":
            aws.die()
        if fault == "lost" and chance.random() < 0.5:  # on its way there
            raise OAuthError("the server cannot be reached")
        answer = self._answer(method, url, form, document)
        await asyncio.sleep(seconds if fault == "late" else chance.uniform(0.001, chance.choice(TAKES)))
        if fault == "killed after":
            aws.die()
        if fault in ("lost", "late"):
            raise OAuthError("the server took too long")
        return answer

    def _answer(
        self, method: str, url: str, form: Mapping[str, str] | None, document: Mapping[str, Any] | None
    ) -> Answer:
        parts = urlsplit(url)
        match method, parts.path:
            case "POST", "/mcp":
                return _answer(401)
            case "GET", "/.well-known/oauth-protected-resource/mcp":
                return _answer(200, {"resource": URL, "authorization_servers": [ORIGIN]})
            case "GET", "/.well-known/oauth-authorization-server":
                names = ("authorization", "token", "registration", "revocation")
                endpoints = {f"{name}_endpoint": f"{ORIGIN}/{name}" for name in names}
                methods = {"token_endpoint_auth_methods_supported": [self.method]}
                return _answer(
                    200, {"issuer": ORIGIN, **endpoints, **methods, "code_challenge_methods_supported": ["S256"]}
                )
            case "POST", "/registration":
                assert document is not None
                return _answer(201, {**document, **self._registered()})
            case "POST", "/token":
                assert form is not None
                return self._token(form)
            case "POST", "/revocation":
                assert form is not None
                if (family := self.families.get(form["token"])) is not None:
                    family.is_ended = True
                return _answer(200)
        return _answer(404)

    def _registered(self) -> Json:
        client = self._new("client")
        self.registered.append(client)
        if self.method == "none":
            return {"client_id": client}
        self.secrets[client] = self._new("secret")
        return {"client_id": client, "client_secret": self.secrets[client], "client_secret_expires_at": 0}

    def _token(self, form: Mapping[str, str]) -> Answer:
        is_known = form.get("client_secret") == self.secrets.get(form["client_id"])
        if form["client_id"] in self.forgotten or not is_known:
            return _answer(401, {"error": "invalid_client"})
        if self.world.scheduler.chance.random() < self.world.aws.rate / 4:
            self.disturbed += 1
            return _answer(503)
        if form["grant_type"] == "authorization_code":
            user, asked = self._codes.pop(form["code"], ("", {}))
            digest = base64.urlsafe_b64encode(hashlib.sha256(form["code_verifier"].encode()).digest()).rstrip(b"=")
            same = all(asked.get(name) == form[name] for name in ("client_id", "redirect_uri", "resource"))
            if not same or digest.decode() != asked["code_challenge"]:
                return _answer(400, {"error": "invalid_grant"})
            return self._issue(Family(user, form["client_id"]))
        family = self.families.get(form["refresh_token"])
        if family is None or family.is_ended or family.client != form["client_id"]:
            return _answer(400, {"error": "invalid_grant"})
        if family.refresh[-1] != form["refresh_token"]:
            self.reused.append(form["refresh_token"])
            family.is_ended = True
            return _answer(400, {"error": "invalid_grant"})
        return self._issue(family)

    def _issue(self, family: Family) -> Answer:
        access, refresh = self._new("access", family.user), self._new("refresh", family.user)
        lasts = self.world.scheduler.chance.choice(LASTS)
        family.refresh.append(refresh)
        family.access[access] = self.world.scheduler.now + lasts
        self.families |= {access: family, refresh: family}
        return _answer(
            200, {"access_token": access, "refresh_token": refresh, "token_type": "Bearer", "expires_in": lasts}
        )

    def _new(self, kind: str, user: str = "yarrow") -> str:
        self._count += 1
        return f"{kind}-of-{user}-{self._count}"


def _answer(status: int, document: Mapping[str, Any] | None = None) -> Answer:
    return Answer(status, httpx2.Headers(), document or {})
