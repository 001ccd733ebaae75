"""API Gateway's own answers are worded as the template says."""

import json

import pytest

from local.api_gateway.proxy_event import ProxyCall
from local.api_gateway.responses import ResponseType, render
from local.stack import Api, GatewayResponse

CALL = ProxyCall("GET", "/runs/%22", "", {}, "127.0.0.1", 3000, "1.1", request_id="the-request")
PROBLEM = (
    '{"status":$context.status,"title":$context.error.messageString,"at":"$context.path","id":"$context.requestId"}'
)


def api(**responses: GatewayResponse) -> Api:
    return Api("local", "live", (), {}, responses, ())


def problem(status: int | None = None) -> GatewayResponse:
    return GatewayResponse(status, {"Content-Type": "application/problem+json"}, {"application/problem+json": PROBLEM})


def test_a_template_is_rendered_with_the_context_of_the_request() -> None:
    rendered = render(api(UNAUTHORIZED=problem()), CALL, None, ResponseType.UNAUTHORIZED)
    assert rendered.headers == {"content-type": "application/problem+json"}
    assert json.loads(rendered.body) == {"status": 401, "title": "Unauthorized", "at": "/runs/%22", "id": "the-request"}


def test_the_templates_status_replaces_the_types() -> None:
    rendered = render(
        api(MISSING_AUTHENTICATION_TOKEN=problem(404)), CALL, None, ResponseType.MISSING_AUTHENTICATION_TOKEN
    )
    assert (rendered.status, json.loads(rendered.body)["status"]) == (404, 404)


@pytest.mark.parametrize(
    ("kind", "family", "status"),
    [
        (ResponseType.ACCESS_DENIED, "DEFAULT_4XX", 403),
        (ResponseType.REQUEST_TOO_LARGE, "DEFAULT_4XX", 413),
        (ResponseType.AUTHORIZER_FAILURE, "DEFAULT_5XX", 500),
        (ResponseType.DEFAULT_5XX, "DEFAULT_5XX", 502),
        (ResponseType.INTEGRATION_TIMEOUT, "DEFAULT_5XX", 504),
    ],
)
def test_a_type_without_wording_takes_its_familys_and_keeps_its_status(
    kind: ResponseType, family: str, status: int
) -> None:
    rendered = render(api(**{family: problem()}), CALL, None, kind)
    assert rendered.status == status
    assert rendered.headers["content-type"] == "application/problem+json"


def test_without_any_wording_api_gateway_answers_in_its_own() -> None:
    rendered = render(api(), CALL, None, ResponseType.MISSING_AUTHENTICATION_TOKEN)
    assert (rendered.status, rendered.body) == (403, b'{"message":"Missing Authentication Token"}')
