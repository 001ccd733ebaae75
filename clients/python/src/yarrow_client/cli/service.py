"""The service's address and the user's token."""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

import httpx2

from yarrow_client.cli.words import Words
from yarrow_client.errors import Dropped, YarrowError
from yarrow_client.transport import BROKEN

LOCAL: Final = "http://127.0.0.1:3000"
_LOOPBACK: Final = {"127.0.0.1", "localhost", "::1"}


class Unset(YarrowError):
    """No token is set."""


class Tokens:
    """The token of `YARROW_TOKEN`; for a local stack, a token of its issuer for `user`."""

    def __init__(self, url: str, user: str, words: Words, environment: Mapping[str, str] = os.environ) -> None:
        self._url, self._user, self._words = url.rstrip("/"), user, words
        self._fixed = environment.get("YARROW_TOKEN")
        self._zone = environment.get("TZ")
        self._current: str | None = None

    def __call__(self, refused: str | None) -> str:
        """Return the token, as `Yarrow` requests it."""
        if self._fixed:
            return self._fixed
        if urlsplit(self._url).hostname not in _LOOPBACK:
            raise Unset(self._words("no_token"))
        if self._current is None or self._current == refused:
            self._current = self._issued()
        return self._current

    def _issued(self) -> str:
        identity = {"sub": self._user, "locale": self._words.language, "zoneinfo": self._zone or local_zone()}
        body = {name: value for name, value in identity.items() if value}
        try:
            response = httpx2.post(f"{self._url}/local/token", json=body, timeout=10)
            return str(response.raise_for_status().json()["token"])
        except (*BROKEN, httpx2.HTTPStatusError, ValueError, KeyError) as error:
            raise Dropped(self._words("no_local", url=self._url)) from error


def local_zone() -> str | None:
    """Return the IANA name of this machine's time zone, if it is known."""
    path = str(Path("/etc/localtime").resolve())
    _, found, name = path.partition("/zoneinfo/")
    return name if found else None
