"""Turns a bearer credential into a policy and the caller's identity."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from yarrow.observability.logs import logger
from yarrow.protocol.caller import Caller
from yarrow.settings import settings
from yarrow.web import tokens
from yarrow.web.tokens import InvalidTokenError

FORM_ROUTES: Final = frozenset({"/api/v1/agent/attachments", "/api/v1/agent/transcribe"})
"""API Gateway stores the bodies of these before any other function runs, and does not cache policies for them."""


@dataclass(frozen=True, slots=True)
class Authorization:
    """`resources` are methods and paths; none if it is `denied`."""

    caller: Caller
    resources: Sequence[str]
    denied: bool

    def policy(self, method_arn: str) -> dict[str, Any]:
        """Return a REQUEST authorizer's response; a denial becomes a 403."""
        stage = "/".join(method_arn.split("/")[:2])
        statement = {
            "Action": "execute-api:Invoke",
            "Effect": "Deny" if self.denied else "Allow",
            "Resource": [f"{stage}/{resource}" for resource in self.resources],
        }
        return {
            "principalId": self.caller.user_id,
            "policyDocument": {"Version": "2012-10-17", "Statement": [statement]},
            "context": self.caller.to_authorizer(),
        }


def authorize(event: Mapping[str, Any]) -> Authorization:
    """Allow all the credential permits, not only this request: API Gateway caches the policy. A form beyond its user's
    rate is denied. Raises InvalidTokenError, or IssuerUnavailableError.
    """
    route = event["resource"]
    caller, resources = _identify(_header(event), route)
    return Authorization(caller, resources, denied=route in FORM_ROUTES and not _may_send_form(caller.user_id))


def _header(event: Mapping[str, Any]) -> str:
    headers = (event.get("multiValueHeaders") or {}).items()
    values = [value for name, several in headers if name.lower() == "authorization" for value in several]
    return values[0] if len(values) == 1 else ""


def _identify(header: str, route: str) -> tuple[Caller, list[str]]:
    if not tokens.bearer(header).startswith(tokens.API_KEY_PREFIX):
        return _identify_by_token(header, route)
    if route not in tokens.API_KEY_ROUTES and route not in tokens.OPERATOR_KEY_ROUTES:
        raise InvalidTokenError("an API key on another route")
    from yarrow.web import api_keys  # imports boto3, which tokens do not need

    caller = api_keys.identify(header)
    routes = tokens.API_KEY_ROUTES | (tokens.OPERATOR_KEY_ROUTES if caller.operates else {})
    if route not in routes:
        raise InvalidTokenError("an API key on a route of operators")
    return caller, [resource for resources in routes.values() for resource in resources]


def _identify_by_token(header: str, route: str) -> tuple[Caller, list[str]]:
    """A token for the MCP server alone permits nothing else."""
    try:
        return tokens.identify(header), ["*/*"]
    except InvalidTokenError:
        if route != tokens.MCP_ROUTE or not settings.mcp_url:
            raise
        return tokens.identify(header, settings.mcp_url), tokens.MCP_RESOURCES


def _may_send_form(user_id: str) -> bool:
    from yarrow.access import limits  # imports boto3, which tokens do not need
    from yarrow.protocol.problems import Problem

    try:
        limits.count(user_id, "forms")
    except Problem as problem:
        logger.info("too many forms", extra={"reason": problem.detail})
        return False
    return True
