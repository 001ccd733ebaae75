"""What scripts of another origin may send and read, on every route, whoever answers."""

import pytest

from functions.describe_api import app as describe_api
from local.stack import LambdaIntegration, MockIntegration, Route, Stack, StorageIntegration
from local.template import load
from tests.support.cors import PARAMETERS, ROUTES, SENT, STACK, TEMPLATE
from yarrow.web.cors import EXPOSED_HEADERS


def preflight(stack: Stack, path: str) -> MockIntegration:
    (found,) = (route for route in stack.api.routes if (route.method, route.path) == ("OPTIONS", path))
    assert found.authorizer is None
    assert isinstance(found.integration, MockIntegration)
    return found.integration


@pytest.mark.parametrize("route", ROUTES, ids=lambda route: f"{route.method} {route.path}")
@pytest.mark.parametrize(
    ("arguments", "more"), [({}, ()), ({"CorsHeaders": "X-Tenant,X-Build"}, ("X-Tenant", "X-Build"))], ids=["", "more"]
)
def test_a_preflight_allows_what_clients_send(route: Route, arguments: dict[str, str], more: tuple[str, ...]) -> None:
    stack = load(TEMPLATE, PARAMETERS | arguments | {"CorsOrigin": "https://app.example"}) if arguments else STACK
    answer = preflight(stack, route.path)
    assert answer.status == 200
    assert answer.headers["Access-Control-Allow-Headers"].split(",") == [*SENT, *more]
    assert route.method in answer.headers["Access-Control-Allow-Methods"].split(",")
    assert answer.headers["Access-Control-Allow-Origin"] == ("https://app.example" if arguments else "*")


def test_every_answer_of_api_gateway_shows_the_same_headers() -> None:
    """A browser reads `Retry-After` of a 429 and the request's id of a 500."""
    answers = [response.headers for response in STACK.api.gateway_responses.values()]
    for route in ROUTES:
        if isinstance(route.integration, StorageIntegration):
            answers += [answer.headers for answer in route.integration.answers.values()]
    for headers in answers:
        assert headers["Access-Control-Allow-Origin"] == "*"
        assert headers["Access-Control-Expose-Headers"].split(",") == list(EXPOSED_HEADERS)


def test_so_does_the_function_that_has_no_app() -> None:
    headers = describe_api.handler({}, None)["headers"]
    assert headers["Access-Control-Allow-Origin"] == "*"
    assert headers["Access-Control-Expose-Headers"].split(", ") == list(EXPOSED_HEADERS)


def test_every_route_is_answered_by_one_of_these() -> None:
    assert {type(route.integration) for route in ROUTES} == {LambdaIntegration, StorageIntegration}
