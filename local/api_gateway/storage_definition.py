"""Parses an S3 integration that puts the request's body, from an API's OpenAPI body.

Raises `TemplateError` for anything else.
"""

import re
from collections.abc import Mapping
from typing import Any

from local.stack import StorageAnswer, StorageIntegration, TemplateError

_URI = re.compile(r":s3:path/(?P<bucket>[^/{}]+)/(?P<key>.+)$")
_SOURCE = re.compile(r"context\.authorizer\.\w+|context\.requestId|method\.request\.header\.[\w-]+")
_SET_HEADER = re.compile(r'#set\(\$context\.responseOverride\.header\.([\w-]+) = "([^"]*)"\)\s*')
_QUOTED = re.compile(r"'([^']*)'")
_REQUEST = "integration.request."
_RESPONSE_HEADER = "method.response.header."


def read_storage_integration(where: str, operation: Mapping[str, Any]) -> StorageIntegration:
    """Read the integration of an operation; `where` names it in errors."""
    integration = operation["x-amazon-apigateway-integration"]
    match = _URI.search(integration["uri"])
    if match is None or integration["httpMethod"] != "PUT":
        raise TemplateError(f"{where}: of AWS's services only a PUT to a bucket of S3 is served locally")
    sources = integration.get("requestParameters", {})
    for target, source in sources.items():
        if not _SOURCE.fullmatch(source) or not target.startswith((f"{_REQUEST}path.", f"{_REQUEST}header.")):
            raise TemplateError(f"{where}: the request parameter {target} = {source} is not understood")
    return StorageIntegration(
        bucket=match["bucket"],
        key=match["key"],
        parameters=_under(f"{_REQUEST}path.", sources),
        headers=_under(f"{_REQUEST}header.", sources),
        required_headers=tuple(
            parameter["name"]
            for parameter in operation.get("parameters", ())
            if parameter.get("required") and "x-amazon-apigateway-request-validator" in operation
        ),
        answers={status: _answer(where, answer) for status, answer in integration["responses"].items()},
        timeout=integration.get("timeoutInMillis", 29_000) / 1000,
    )


def _under(prefix: str, values: Mapping[str, str]) -> dict[str, str]:
    return {name.removeprefix(prefix): value for name, value in values.items() if name.startswith(prefix)}


def _answer(where: str, answer: Mapping[str, Any]) -> StorageAnswer:
    headers = {}
    for name, value in _under(_RESPONSE_HEADER, answer.get("responseParameters", {})).items():
        literal = _QUOTED.fullmatch(value)
        if literal is None:
            raise TemplateError(f"{where}: {value} is not a literal in single quotes")
        headers[name] = literal[1]
    template = answer.get("responseTemplates", {}).get("application/json", "")
    computed = {match[1]: match[2] for match in _SET_HEADER.finditer(template)}
    text = _SET_HEADER.sub("", template)
    if "#" in text:
        raise TemplateError(f"{where}: the template {template} is not understood")
    return StorageAnswer(int(answer["statusCode"]), headers, computed, text)
