"""Authorization of workspace connections: a ticket in the query or a bearer token (SEC-04, C52)."""

import re
from collections.abc import Mapping
from typing import Any, Final
from urllib.parse import urlsplit

from yarrow.settings import settings
from yarrow.store.workspace import tickets
from yarrow.web import tokens
from yarrow.web.lambda_websocket import AuthorizedCaller
from yarrow.web.tokens import InvalidTokenError

_TASK_NAME: Final = re.compile(r"[^\x00-\x1f\x7f]{1,128}")
_CLIENT_TAG: Final = re.compile(r"[A-Za-z0-9._:-]{1,128}")
_TICKET: Final = re.compile(r"[A-Za-z0-9_-]{43}")


class ForbiddenOriginError(Exception):
    """The page's origin may not connect."""


def authorize(event: Mapping[str, Any]) -> AuthorizedCaller:
    """Authorize a $connect request. Raises ForbiddenOriginError, InvalidTokenError for other refusals, or
    IssuerUnavailableError.
    """
    origins = _headers(event, "origin")
    if origins and settings.cors_origin != "*" and origins not in _allowed_origins():
        raise ForbiddenOriginError
    query = event.get("queryStringParameters") or {}
    task_name, client_tag = _parameter(query, "taskName", _TASK_NAME), _parameter(query, "clientTag", _CLIENT_TAG)
    authorizations = _headers(event, "authorization")
    if authorizations or "ticket" not in query:
        caller = tokens.identify(authorizations[0] if len(authorizations) == 1 else "")
        return AuthorizedCaller(caller, task_name, client_tag)
    bound_to = client_tag if settings.workspace_reconnects else None
    ticket = _parameter(query, "ticket", _TICKET)
    redeemed = ticket and tickets.redeem(ticket, event["requestContext"]["connectionId"], task_name, bound_to)
    if not redeemed:
        raise InvalidTokenError("the ticket does not open this connection")
    return AuthorizedCaller(redeemed.caller, redeemed.task_name, client_tag)


def _allowed_origins() -> list[list[str]]:
    console = urlsplit(settings.console_url)
    return [[settings.cors_origin], *([[f"{console.scheme}://{console.netloc}"]] if console.netloc else [])]


def _headers(event: Mapping[str, Any], name: str) -> list[str]:
    every = (event.get("multiValueHeaders") or {}).items()
    return [value for known, values in every if known.lower() == name for value in values]


def _parameter(query: Mapping[str, str], name: str, form: re.Pattern[str]) -> str | None:
    """Raises InvalidTokenError if the parameter is malformed."""
    value = query.get(name)
    if value is not None and not form.fullmatch(value):
        raise InvalidTokenError(f"{name} is malformed")
    return value
