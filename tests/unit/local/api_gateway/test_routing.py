"""Requests find their route as on a REST API."""

import pytest

from local.api_gateway.routing import Router
from local.stack import MockIntegration, Route, TemplateError

ANSWER = MockIntegration(200, {}, "")
ROUTES = [
    ("GET", "/runs"),
    ("POST", "/runs"),
    ("GET", "/runs/{id}"),
    ("GET", "/runs/latest"),
    ("GET", "/runs/{id}/events"),
    ("GET", "/runs/latest/summary"),
    ("ANY", "/files/{path+}"),
    ("GET", "/files/index"),
]
router = Router(Route(method, path, ANSWER, None) for method, path in ROUTES)


@pytest.mark.parametrize(
    ("method", "path", "route", "parameters"),
    [
        ("GET", "/runs", "/runs", {}),
        ("POST", "/runs", "/runs", {}),
        ("GET", "/runs/7", "/runs/{id}", {"id": "7"}),
        ("GET", "/runs/a%2Fb", "/runs/{id}", {"id": "a%2Fb"}),
        ("GET", "/runs/latest", "/runs/latest", {}),
        ("GET", "/runs/latest/summary", "/runs/latest/summary", {}),
        ("GET", "/runs/latest/events", "/runs/{id}/events", {"id": "latest"}),
        ("PUT", "/files/a/b/c", "/files/{path+}", {"path": "a/b/c"}),
        ("GET", "/files/index", "/files/index", {}),
    ],
)
def test_the_most_specific_route_answers(method: str, path: str, route: str, parameters: dict[str, str]) -> None:
    match = router.match(method, path)
    assert match is not None
    assert (match.route.path, match.parameters) == (route, parameters)


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("DELETE", "/runs"),
        ("GET", "/"),
        ("GET", "/run"),
        ("GET", "/runs/"),
        ("GET", "/runs/7/other"),
        ("GET", "/files"),
    ],
)
def test_anything_else_has_no_route(method: str, path: str) -> None:
    assert router.match(method, path) is None


def test_a_path_part_has_one_parameter() -> None:
    """As API Gateway deploys it, and not only as it could be matched."""
    with pytest.raises(TemplateError, match=r"/runs/\{thread\}/cancel: .*\{id\}"):
        Router(Route("GET", path, ANSWER, None) for path in ("/runs/{id}", "/runs/{thread}/cancel"))
