"""Parses an API's OpenAPI body from SAM (`x-amazon-apigateway-*`) into routes, authorizers and gateway responses.

Intrinsic functions must be resolved already.
"""

import json
import re
from collections.abc import Callable, Mapping
from typing import Any

from local.api_gateway.storage_definition import read_storage_integration
from local.stack import (
    IAM,
    Authorizer,
    GatewayResponse,
    LambdaIntegration,
    MockIntegration,
    Route,
    StorageIntegration,
    TemplateError,
)

# API Gateway's default integration timeout.
_TIMEOUT_MILLIS = 29_000
_METHODS = ("get", "head", "post", "put", "patch", "delete", "options", "x-amazon-apigateway-any-method")
_FUNCTION_URI = re.compile(
    r":lambda:path/(?P<api>2015-03-31|2021-11-15)/functions/arn:[^/]+:function:(?P<name>[^/:]+)(?::\w+)?"
    r"/(?:response-streaming-)?invocations$"
)
_QUOTED = re.compile(r"'([^']*)'")


def read_routes(body: Mapping[str, Any]) -> tuple[Route, ...]:
    """Read every method of every path. Raises `TemplateError` for one that cannot be served locally."""
    return tuple(
        _route(path, method, operation)
        for path, operations in body["paths"].items()
        for method, operation in operations.items()
        if method in _METHODS or _unknown(f"{path}: {method}")
    )


def read_authorizers(body: Mapping[str, Any]) -> dict[str, Authorizer]:
    """Read the REQUEST authorizers by their name in `security`; IAM is not among them."""
    return {name: _authorizer(name, scheme) for name, scheme in _security_schemes(body).items() if name != IAM}


def read_gateway_responses(body: Mapping[str, Any]) -> dict[str, GatewayResponse]:
    """Read the gateway responses by type."""
    return {
        kind: GatewayResponse(
            status=int(response["statusCode"]) if "statusCode" in response else None,
            headers={
                name.removeprefix("gatewayresponse.header."): _literal(value, kind)
                for name, value in response.get("responseParameters", {}).items()
            },
            templates=response.get("responseTemplates", {}),
        )
        for kind, response in body.get("x-amazon-apigateway-gateway-responses", {}).items()
    }


def _unknown(what: str) -> bool:
    raise TemplateError(f"the local gateway does not understand {what}")


def _security_schemes(body: Mapping[str, Any]) -> Mapping[str, Any]:
    schemes: Mapping[str, Any] = body.get("components", {}).get("securitySchemes", body.get("securityDefinitions", {}))
    return schemes


def _route(path: str, method: str, operation: Mapping[str, Any]) -> Route:
    where = f"{method.upper()} {path}"
    integration = operation.get("x-amazon-apigateway-integration")
    if integration is None:
        raise TemplateError(f"{where} has no integration")
    kind = integration["type"].lower()
    if kind not in _INTEGRATIONS:
        raise TemplateError(f"{where}: an integration of type {kind} cannot be served locally")
    return Route(
        method="ANY" if method.startswith("x-") else method.upper(),
        path=path,
        integration=_INTEGRATIONS[kind](where, operation),
        authorizer=_authorizer_name(where, operation.get("security", [])),
    )


def _authorizer_name(where: str, security: list[dict[str, list[str]]]) -> str | None:
    names = [name for requirement in security for name in requirement if name != "NONE"]
    if len(names) > 1:
        raise TemplateError(f"{where}: more than one authorizer")
    return names[0] if names else None


def _lambda_integration(where: str, operation: Mapping[str, Any]) -> LambdaIntegration:
    integration = operation["x-amazon-apigateway-integration"]
    match = _FUNCTION_URI.search(integration["uri"])
    if match is None:
        raise TemplateError(f"{where}: {integration['uri']} is not the URI of a function")
    streaming = integration.get("responseTransferMode") == "STREAM"
    if streaming != (match["api"] == "2021-11-15"):
        raise TemplateError(f"{where}: responseTransferMode and the function's URI disagree on streaming")
    return LambdaIntegration(match["name"], streaming, integration.get("timeoutInMillis", _TIMEOUT_MILLIS) / 1000)


def _mock_integration(where: str, operation: Mapping[str, Any]) -> MockIntegration:
    integration = operation["x-amazon-apigateway-integration"]
    request = json.loads(integration.get("requestTemplates", {}).get("application/json", "{}"))
    if request != {"statusCode": 200} or set(integration["responses"]) != {"default"}:
        raise TemplateError(f"{where}: only the mock integration of a CORS preflight can be served locally")
    response = integration["responses"]["default"]
    return MockIntegration(
        status=int(response["statusCode"]),
        headers={
            name.removeprefix("method.response.header."): _literal(value, where)
            for name, value in response.get("responseParameters", {}).items()
        },
        body=response.get("responseTemplates", {}).get("application/json", ""),
    )


_INTEGRATIONS: dict[
    str, Callable[[str, Mapping[str, Any]], LambdaIntegration | MockIntegration | StorageIntegration]
] = {
    "aws": read_storage_integration,
    "aws_proxy": _lambda_integration,
    "mock": _mock_integration,
}


def _literal(value: str, where: str) -> str:
    match = _QUOTED.fullmatch(value)
    if match is None:
        raise TemplateError(f"{where}: {value} is not a literal in single quotes")
    return match[1]


def _authorizer(name: str, scheme: Mapping[str, Any]) -> Authorizer:
    settings = scheme.get("x-amazon-apigateway-authorizer", {})
    match = _FUNCTION_URI.search(settings.get("authorizerUri", ""))
    if settings.get("type") != "request" or match is None:
        raise TemplateError(f"the authorizer {name} is not a REQUEST authorizer with a function")
    sources = [source.strip() for source in settings.get("identitySource", "").split(",") if source.strip()]
    prefix = "method.request.header."
    if other := [source for source in sources if not source.startswith(prefix)]:
        raise TemplateError(f"the authorizer {name}: the identity source {other[0]} is not a header")
    return Authorizer(
        function=match["name"],
        identity_headers=tuple(source.removeprefix(prefix) for source in sources),
        ttl=int(settings.get("authorizerResultTtlInSeconds", 300)),
    )
