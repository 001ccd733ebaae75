"""Reads a WebSocket API from a template's resources: routes, integrations, authorizer and stage."""

import re
from collections.abc import Mapping
from typing import Any

from local.stack import TemplateError, WebSocketApi

ROUTES = ("$connect", "$disconnect", "$default")
"""The routes that need no selection expression."""

_FUNCTION = re.compile(r":lambda:path/2015-03-31/functions/arn:[^/]+:function:(?P<name>[^/:]+)(?::\w+)?/invocations$")

Resources = Mapping[str, Mapping[str, Any]]
"""Properties by logical id, intrinsic functions resolved."""


def read_web_socket_api(
    api_id: str, stages: Resources, routes: Resources, integrations: Resources, authorizers: Resources
) -> WebSocketApi:
    """Read the API. Raises `TemplateError` for what cannot be served locally.

    `integrations` and `authorizers` have the values of their `Ref` as keys.
    """
    (stage,) = stages.values()
    functions: dict[str, str] = {}
    authorizer: str | None = None
    for route in routes.values():
        key = route["RouteKey"]
        if key not in ROUTES:
            raise TemplateError(f"the route {key} is selected by content, which is not supported locally")
        integration = integrations[route["Target"].removeprefix("integrations/")]
        if integration["IntegrationType"] != "AWS_PROXY":
            raise TemplateError(f"{key}: only proxy integrations with functions are served locally")
        functions[key] = _function(integration["IntegrationUri"], key)
        if route.get("AuthorizationType", "NONE") != "NONE":
            authorizer = _function(authorizers[route["AuthorizerId"]]["AuthorizerUri"], key)
    return WebSocketApi(id=api_id, stage=stage["StageName"], routes=functions, authorizer=authorizer)


def _function(uri: str, what: str) -> str:
    match = _FUNCTION.search(uri)
    if match is None:
        raise TemplateError(f"{what}: {uri} is not the integration of a function")
    return match["name"]
