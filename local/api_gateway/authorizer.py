"""REQUEST authorizers: identity sources, policies and their cache, as in API Gateway."""

import json
import re
import time
from collections.abc import Mapping
from typing import Any

from local.api_gateway.proxy_event import ProxyCall, base_event
from local.api_gateway.responses import GatewayError, ResponseType
from local.api_gateway.routing import Match
from local.functions import LambdaHost
from local.stack import ACCOUNT, REGION, Api, Authorizer

# An authorizer's way to say 401 (API Gateway Developer Guide, "Lambda authorizer function": "Unauthorized").
UNAUTHORIZED_MESSAGE = "Unauthorized"
_CACHED_DECISIONS = 1000

Decision = Mapping[str, Any]


class ApiAuthorization:
    def __init__(self, api: Api, host: LambdaHost) -> None:
        self._api = api
        self._host = host
        self._cache: dict[tuple[str, tuple[tuple[str, ...], ...]], tuple[float, Decision]] = {}

    async def identity(self, call: ProxyCall, match: Match) -> dict[str, Any] | None:
        """Return `requestContext.authorizer`; None on a route without an authorizer.

        Raises `GatewayError`: UNAUTHORIZED, ACCESS_DENIED, or the authorizer's failure.
        """
        if match.route.authorizer is None:
            return None
        decision = await self._decision(match.route.authorizer, call, match)
        if not allows(decision["policyDocument"], self._method_arn(call)):
            raise GatewayError(ResponseType.ACCESS_DENIED)
        return context_of(decision)

    async def _decision(self, name: str, call: ProxyCall, match: Match) -> Decision:
        authorizer = self._api.authorizers[name]
        sources = [tuple(call.headers.get(header.lower(), [])) for header in authorizer.identity_headers]
        if not all(any(values) for values in sources):
            raise GatewayError(ResponseType.UNAUTHORIZED)
        key = name, tuple(sources)  # all values: repeated headers differ from single ones
        expires, decision = self._cache.get(key, (0.0, {}))
        if expires > time.monotonic():
            return decision
        decision = await self._ask(authorizer, call, match)
        if authorizer.ttl and sources:
            if len(self._cache) >= _CACHED_DECISIONS:
                del self._cache[next(iter(self._cache))]
            self._cache[key] = time.monotonic() + authorizer.ttl, decision
        return decision

    async def _ask(self, authorizer: Authorizer, call: ProxyCall, match: Match) -> Decision:
        event = base_event(self._api, call, match)
        event |= {"type": "REQUEST", "methodArn": self._method_arn(call)}
        payload = json.dumps(event, ensure_ascii=False).encode()
        result = await self._host.invoke(authorizer.function, payload, refusal=UNAUTHORIZED_MESSAGE)
        answer: dict[str, Any] = json.loads(result.payload)
        if result.failed:
            refused = answer["errorMessage"] == UNAUTHORIZED_MESSAGE
            raise GatewayError(ResponseType.UNAUTHORIZED if refused else ResponseType.AUTHORIZER_FAILURE)
        if not is_decision(answer):
            raise GatewayError(ResponseType.AUTHORIZER_CONFIGURATION_ERROR)
        return answer

    def _method_arn(self, call: ProxyCall) -> str:
        resource = f"{self._api.id}/{self._api.stage}/{call.method}/{call.path.removeprefix('/')}"
        return f"arn:aws:execute-api:{REGION}:{ACCOUNT}:{resource}"


def allows(policy: Mapping[str, Any], method_arn: str) -> bool:
    """Whether an IAM policy allows the method: a statement allows it and none denies it."""
    effects = {
        statement["Effect"]
        for statement in _as_list(policy["Statement"])
        if any(_covers(action, "execute-api:Invoke") for action in _as_list(statement["Action"]))
        and any(_covers(resource, method_arn) for resource in _as_list(statement["Resource"]))
    }
    return effects == {"Allow"}


def _covers(pattern: str, value: str) -> bool:
    """Match IAM's wildcards: `*` matches any characters, `?` one."""
    wildcards = {"*": ".*", "?": "."}
    return re.fullmatch("".join(wildcards.get(char, re.escape(char)) for char in pattern), value) is not None


def context_of(decision: Decision) -> dict[str, Any]:
    """Return `requestContext.authorizer` for a decision."""
    context = {name: _as_string(value) for name, value in (decision.get("context") or {}).items()}
    return context | {"principalId": decision["principalId"], "integrationLatency": 0}


def is_decision(answer: Any) -> bool:
    """Whether an authorizer's answer has the form of a decision."""
    if not isinstance(answer, dict) or not isinstance(answer.get("principalId"), str):
        return False
    policy, context = answer.get("policyDocument"), answer.get("context") or {}
    if not isinstance(policy, dict) or not all(isinstance(value, str | int | float) for value in context.values()):
        return False
    required = {"Effect", "Action", "Resource"}
    statements = _as_list(policy.get("Statement", []))
    return all(isinstance(statement, dict) and statement.keys() - {"Sid"} == required for statement in statements)


def _as_list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def _as_string(value: str | float) -> str:
    """A context value as the string that functions get; booleans as in JSON."""
    return value if isinstance(value, str) else json.dumps(value)
