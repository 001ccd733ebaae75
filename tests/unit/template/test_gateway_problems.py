"""What API Gateway answers by itself is valid JSON, whatever a client puts into its request.

It fills these templates in as they are: gateway responses know no VTL, and so no `$util.escapeJavaScript`.
"""

import json
import re
from typing import Any

import pytest

from local.api_gateway.proxy_event import ProxyCall
from local.api_gateway.responses import ResponseType, context_of, fill, render
from local.api_gateway.routing import Match
from local.stack import Stack, StorageIntegration
from local.template import load
from tests.support.paths import ROOT

TEMPLATE = ROOT / "template.yaml"
HARMLESS = {"error.messageString", "extendedRequestId", "resourcePath", "status"}
"""Variables that hold no text of a client's: quoted already, made by API Gateway, of the template, a number."""

PATHS = [
    '/a"b',
    '/","status":200,"x":"',
    "/a\\b",
    "/a\\",
    "/it's",
    "/\\'",
    "/六爻",
    "/\ud83d",
    "/\u2028\u0085",
    "/tab\there\nnew\x00\x1f\x7f",
    "/%22%5C%0A",
    "/$context.requestId",
    "/#set($x = 1)",
]


@pytest.fixture(scope="module")
def stack() -> Stack:
    return load(TEMPLATE, {"OidcIssuer": "https://issuer.example", "OidcAudience": "yarrow"})


def call(path: str) -> ProxyCall:
    headers = {"x-amzn-requestid": [path], "accept": [path]}
    return ProxyCall("GET", path, path, headers, "127.0.0.1", 3000, "1.1", request_id="made-by-the-gateway")


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("kind", ResponseType)
def test_a_problem_is_one_whatever_the_path(stack: Stack, kind: ResponseType, path: str) -> None:
    """ERR-01, ERR-02, ERR-12."""
    answer = render(stack.api, call(path), None, kind)
    problem = json.loads(answer.body)
    assert problem["status"] == answer.status
    assert problem["code"].isupper()


@pytest.mark.parametrize("kind", ResponseType)
def test_a_problem_names_the_route(stack: Stack, kind: ResponseType) -> None:
    """ERR-02: not the path, which cannot be escaped."""
    for route in stack.api.routes:
        problem = json.loads(render(stack.api, call('/a"b'), Match(route, {}), kind).body)
        assert problem["instance"] == route.path


def test_no_template_holds_what_a_client_chooses(stack: Stack) -> None:
    """It holds neither `path` nor `requestId`, which the header `x-amzn-RequestId` sets, nor an error's unquoted
    message."""
    templates = [text for response in stack.api.gateway_responses.values() for text in response.templates.values()]
    templates += [answer.template for answer in stored_answers(stack)]
    assert len(templates) > len(stack.api.gateway_responses)
    used = {name for text in templates for name in re.findall(r"\$context\.([\w.]+)", text)}
    assert used == HARMLESS
    assert not any("$util" in text or "$input" in text or "$stageVariables" in text for text in templates)


@pytest.mark.parametrize("path", PATHS)
def test_a_file_that_was_not_stored_is_a_problem_whatever_the_path(stack: Stack, path: str) -> None:
    """ERR-06, ERR-08."""
    route = next(route for route in stack.api.routes if isinstance(route.integration, StorageIntegration))
    for answer in stored_answers(stack):
        if answer.template.strip():
            problem = json.loads(fill(answer.template, context_of(stack.api, call(path), Match(route, {}))))
            assert problem["status"] == answer.status


def stored_answers(stack: Stack) -> list[Any]:
    return [
        answer
        for route in stack.api.routes
        if isinstance(route.integration, StorageIntegration)
        for answer in route.integration.answers.values()
    ]
