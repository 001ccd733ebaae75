"""An OpenID issuer on this machine, for tokens of a deployment's audience."""

import json
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

import jwt
from cryptography.hazmat.primitives.asymmetric import ec
from jwt.algorithms import ECAlgorithm

TOKEN_SECONDS = 3600


@dataclass(frozen=True, slots=True)
class Issuer:
    """`url` is what its tokens name."""

    url: str
    key: ec.EllipticCurvePrivateKey

    def token(self, audience: str, **claims: str) -> str:
        now = int(time.time())
        every = {"iss": self.url, "aud": audience, "iat": now, "exp": now + TOKEN_SECONDS, **claims}
        return jwt.encode(every, self.key, "ES256", headers={"kid": "1"})

    def documents(self) -> dict[str, Any]:
        """What it publishes, by path."""
        key = ECAlgorithm.to_jwk(self.key.public_key(), as_dict=True) | {"kid": "1", "use": "sig", "alg": "ES256"}
        configuration = {"issuer": self.url, "jwks_uri": f"{self.url}/keys"}
        return {"/.well-known/openid-configuration": configuration, "/keys": {"keys": [key]}}


@contextmanager
def serving() -> Iterator[Issuer]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            document = issuer.documents().get(self.path)
            self.send_response(404 if document is None else 200)
            self.send_header("Content-Type", "application/json")
            self.end_headers()
            self.wfile.write(json.dumps(document).encode())

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base class names it so
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        issuer = Issuer(f"http://127.0.0.1:{server.server_port}", ec.generate_private_key(ec.SECP256R1()))
        Thread(target=server.serve_forever, daemon=True).start()
        yield issuer
        server.shutdown()
