"""CORS of buckets, by the template's rules; moto allows every request of every origin.

Source: Amazon S3 User Guide, "Elements of a CORS configuration", "How does Amazon S3 evaluate the CORS configuration".
"""

from collections.abc import Iterable, Mapping
from fnmatch import fnmatchcase
from typing import Any

from starlette.datastructures import Headers
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

Rule = Mapping[str, Any]
"""As in `CorsRules` of AWS::S3::Bucket."""

_VARY = "Origin, Access-Control-Request-Headers, Access-Control-Request-Method"


class BucketCors:
    """Adds CORS to S3's ASGI app; `rules` are by bucket, the first part of a path."""

    def __init__(self, app: ASGIApp) -> None:
        self.rules: Mapping[str, Iterable[Rule]] = {}
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = Headers(scope=scope)
        origin, requested_method = headers.get("origin"), headers.get("access-control-request-method")
        if origin is None:
            await self._app(scope, receive, send)
            return
        is_preflight = scope["method"] == "OPTIONS" and requested_method is not None
        rule = self._rule(scope["path"], origin, requested_method if is_preflight else scope["method"], headers)
        answer = {} if rule is None else _answer(rule, origin, headers)
        if is_preflight:
            await Response(status_code=403 if rule is None else 200, headers=answer)(scope, receive, send)
            return

        async def sent(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [
                    *message["headers"],
                    *((name.lower().encode(), value.encode("latin-1")) for name, value in answer.items()),
                ]
            await send(message)

        await self._app(scope, receive, sent)

    def _rule(self, path: str, origin: str, method: str | None, headers: Headers) -> Rule | None:
        """Return the first rule that allows the request."""
        requested = _listed(headers.get("access-control-request-headers", ""))
        for rule in self.rules.get(path.split("/")[1], ()):
            allowed = [name.lower() for name in rule.get("AllowedHeaders", ())]
            if (
                any(fnmatchcase(origin, pattern) for pattern in rule["AllowedOrigins"])
                and method in rule["AllowedMethods"]
                and all(any(fnmatchcase(name.lower(), pattern) for pattern in allowed) for name in requested)
            ):
                return rule
        return None


def _answer(rule: Rule, origin: str, headers: Headers) -> dict[str, str]:
    is_any = "*" in rule["AllowedOrigins"]
    answer = {
        "Access-Control-Allow-Origin": "*" if is_any else origin,
        "Access-Control-Allow-Methods": ", ".join(rule["AllowedMethods"]),
        "Vary": _VARY,
    }
    if requested := headers.get("access-control-request-headers"):
        answer["Access-Control-Allow-Headers"] = ", ".join(_listed(requested))
    if exposed := rule.get("ExposedHeaders"):
        answer["Access-Control-Expose-Headers"] = ", ".join(exposed)
    if not is_any:
        answer["Access-Control-Allow-Credentials"] = "true"
    return answer


def _listed(names: str) -> list[str]:
    return [name.strip() for name in names.split(",") if name.strip()]
