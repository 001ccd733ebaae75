"""The app factory: what an endpoint raises becomes problem+json, and the causes stay inside."""

import json
from typing import Any

import pytest
from botocore.exceptions import ClientError, EndpointConnectionError
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

from tests.support.functions.calls import NO_CONTEXT
from yarrow.protocol.problems import Code, Problem
from yarrow.web.app import caller, create_app
from yarrow.web.cors import EXPOSED_HEADERS
from yarrow.web.lambda_http import buffered


def event(path: str = "/x", method: str = "GET", **headers: str) -> dict[str, Any]:
    """A REST proxy event, as far as an app looks at it."""
    return {
        "resource": path,
        "path": path,
        "httpMethod": method,
        "headers": headers,
        "multiValueHeaders": {name: [value] for name, value in headers.items()},
        "queryStringParameters": None,
        "multiValueQueryStringParameters": None,
        "requestContext": {
            "requestId": "request-1",
            "authorizer": {"sub": "alice", "locale": "zh-CN", "principalId": "alice"},
            "identity": {"sourceIp": "127.0.0.1"},
        },
        "body": None,
        "isBase64Encoded": False,
    }


def call(error: Exception | None, **overrides: Any) -> tuple[dict[str, Any], dict[str, Any]]:
    """The response, and its body read as JSON, of an app whose endpoint raises."""

    def endpoint(request: Request) -> JSONResponse:
        if error is not None:
            raise error
        return JSONResponse({"caller": caller(request).user_id})

    response = buffered(create_app(Route("/x", endpoint)))(event(**overrides), NO_CONTEXT)
    return response, json.loads(response["body"])


def test_a_problem_is_answered_as_it_is() -> None:
    """ERR-01, ERR-02."""
    response, body = call(Problem(Code.AGENT_FORBIDDEN, "not yours", params={"a": 1}))
    assert response["statusCode"] == 403
    assert response["headers"]["content-type"] == "application/problem+json"
    assert response["isBase64Encoded"] is False
    assert body == {
        "type": "about:blank",
        "title": "Forbidden",
        "status": 403,
        "detail": "not yours",
        "code": "AGENT_FORBIDDEN",
        "params": {"a": 1},
        "instance": "/x",
    }


def test_an_error_nobody_foresaw_is_told_by_its_trace_id_alone() -> None:
    """ERR-12, SEC-05."""
    response, body = call(RuntimeError("secret"))
    assert response["statusCode"] == 500
    assert "secret" not in response["body"]
    assert (body["code"], body["traceId"]) == ("INTERNAL_ERROR", "request-1")


@pytest.mark.parametrize(
    "error",
    [
        ClientError({"Error": {"Code": "ThrottlingException", "Message": "secret"}}, "Query"),
        EndpointConnectionError(endpoint_url="http://secret"),
    ],
)
def test_a_busy_service_asks_for_patience(error: Exception) -> None:
    """ERR-12: 503 with Retry-After, so that the client tries the same again."""
    response, body = call(error)
    assert (response["statusCode"], body["code"]) == (503, "SERVICE_UNAVAILABLE")
    assert response["headers"]["retry-after"] == "1"
    assert "secret" not in response["body"]


@pytest.mark.parametrize(
    ("path", "method"), [("/y", "GET"), ("/x/", "GET"), ("/x", "DELETE"), ("/x", "BREW"), ("/x", "")]
)
def test_what_is_no_route_is_told_as_api_gateway_tells_it(path: str, method: str) -> None:
    """ERR-01: which knows no 405."""
    response, body = call(None, path=path, method=method)
    assert (response["statusCode"], body["code"], body["detail"]) == (404, "ROUTE_NOT_FOUND", "no such route")


def test_the_caller_is_who_the_authorizer_says() -> None:
    """SEC-06."""
    assert call(None)[1] == {"caller": "alice"}


def test_browsers_may_read_answers_and_errors() -> None:
    """The header that a preflight promises."""
    for error in (None, Problem(Code.AGENT_FORBIDDEN, "not yours"), RuntimeError()):
        response, _ = call(error, Origin="https://app.example")
        assert response["headers"]["access-control-allow-origin"] == "*"
        assert response["headers"]["access-control-expose-headers"] == ", ".join(EXPOSED_HEADERS)
        assert "Retry-After" in EXPOSED_HEADERS
