"""Errors for clients: the shape of a problem, the registry of codes, and that no answer has a code outside it."""

import ast
import json
import re
from collections.abc import Iterator
from typing import Any

import pytest

from local import template
from local.__main__ import TEMPLATE
from tests.support.paths import ROOT
from tools.make_error_codes import TARGET, document
from yarrow.packages import declared, error_codes
from yarrow.protocol.problems import AgentCode, Code, Problem, ProblemCode
from yarrow_agents.divination import error_codes as of_divination

CORE = ROOT / "layers/core"
SOURCES = [*sorted(CORE.glob("*/**/*.py")), *sorted((ROOT / "functions").glob("*/app.py"))]


def test_a_problem_has_the_members_of_its_document() -> None:
    """ERR-01, ERR-02: `params`, `instance` and `traceId` only where there are any."""
    assert Problem(Code.AGENT_FORBIDDEN, "the thread belongs to another user").document() == {
        "type": "about:blank",
        "title": "Forbidden",
        "status": 403,
        "detail": "the thread belongs to another user",
        "code": "AGENT_FORBIDDEN",
    }
    with_all = Problem(Code.INTERNAL_ERROR, "the service failed", params={"retry": False})
    assert with_all.document(instance="/api/v1/agent/runs", trace_id="t-1") == {
        "type": "about:blank",
        "title": "Internal Server Error",
        "status": 500,
        "detail": "the service failed",
        "code": "INTERNAL_ERROR",
        "params": {"retry": False},
        "instance": "/api/v1/agent/runs",
        "traceId": "t-1",
    }
    assert "params" not in Problem(Code.REQUEST_INVALID, "…", params={}).document()


def test_a_problem_may_have_another_status_than_its_code() -> None:
    """ERR-01, RUN-03: The document and the response agree."""
    problem = Problem(Code.AGENT_RUN_INPUT_INVALID, "RunAgentInput payload exceeds size limit", status=413)
    assert problem.status == problem.document()["status"] == 413


ALL = {code.name: code for code in [*Code, *error_codes.find_all()]}
"""The registry: the platform's codes, and those that agents' packages declare."""


@pytest.mark.parametrize("code", ALL.values(), ids=lambda code: code.name)
def test_a_code_is_upper_snake_case_with_a_status_and_a_meaning(code: ProblemCode) -> None:
    """ERR-01, ERR-03: every one makes a problem that is JSON."""
    assert re.fullmatch(r"[A-Z]+(_[A-Z]+)+", code.name)
    assert 400 <= code.status < 600
    assert re.fullmatch(r"[^\n|]+\.", code.meaning), "one sentence, fit for a table"
    written = json.loads(json.dumps(Problem(code, "…").document()))
    assert (written["code"], written["status"]) == (code.name, code.status)
    assert written["title"]


def test_no_two_codes_are_the_same() -> None:
    """ERR-03: two members with the same status and meaning would silently be one."""
    assert list(Code.__members__) == [code.name for code in Code]


@pytest.mark.parametrize(
    ("requirement", "name", "status"),
    [
        ("SEC-01", "AUTH_UNAUTHORIZED", 401),
        ("ERR-04", "AGENT_RUNTIME_MODE_INVALID", 422),
        ("ERR-05", "AGENT_SESSION_NOT_FOUND", 404),
        ("ERR-05", "AGENT_FORBIDDEN", 403),
        ("ERR-09", "AGENT_RUN_MESSAGES_INVALID", 422),
        ("ERR-09", "AGENT_RUN_INPUT_INVALID", 422),
        ("ERR-10", "AGENT_SESSION_ID_INVALID", 422),
        ("ERR-10", "AGENT_INVALID_RUN_ID", 422),
        ("ERR-10", "AGENT_INVALID_LAST_EVENT_ID", 422),
        ("ERR-10", "AGENT_DIVINATION_PAYLOAD_REQUIRED", 422),
    ],
)
def test_a_code_of_the_documents_has_its_status(requirement: str, name: str, status: int) -> None:
    """ERR-03: codes clients know are neither renamed nor removed."""
    assert ALL[name].status == status


@pytest.mark.parametrize(
    ("name", "status"),
    [("AGENT_FORBIDDEN", 403), ("WEATHER_UNKNOWN", 422), ("AGENT_weather", 422), ("AGENT_WEATHER_DOWN", 503)],
)
def test_an_agents_code_is_its_own_and_a_clients_error(name: str, status: int) -> None:
    """ERR-03: none replaces a code of the platform."""
    with pytest.raises(ValueError, match=r"cannot be the code|not the status"):
        AgentCode(name, status, "No.")


def test_an_entry_point_that_is_no_code_of_its_name_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """ERR-03."""
    code = AgentCode("AGENT_WEATHER_CITY_UNKNOWN", 422, "The forecast knows no such city.")
    for found in (("AGENT_WEATHER", lambda: code), (code.name, lambda: "AGENT_WEATHER")):
        monkeypatch.setattr(declared, "loaders", lambda _, found=found: [found])
        with pytest.raises(ValueError, match="must be an AgentCode with this name"):
            error_codes.find_all()
    monkeypatch.setattr(declared, "loaders", lambda _: [(code.name, lambda: code)])
    assert error_codes.find_all() == [code]
    assert Problem(code, "Atlantis is not on the map").document()["code"] == code.name


def problems_raised() -> Iterator[tuple[str, ast.expr, ast.AST]]:
    """Where a Problem is made in the product: the place, the expression of its code, and the function it stands in."""
    for path in SOURCES:
        tree = ast.parse(path.read_text(encoding="utf-8"))
        within = {
            call: function
            for function in ast.walk(tree)
            if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef)
            for call in ast.walk(function)
        }
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Problem":
                yield f"{path.relative_to(ROOT)}:{node.lineno}", node.args[0], within.get(node, tree)


def is_registered(code: ast.expr, function: ast.AST) -> bool:
    """Whether an expression is `Code.X` of the registry, or a parameter that can be nothing else."""
    match code:
        case ast.Attribute(value=ast.Name(id="Code"), attr=name):
            return name in Code.__members__
        case ast.Attribute(value=ast.Name(id="error_codes"), attr=name):
            return getattr(of_divination, name).name in ALL
        case ast.Name(id=name) if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
            parameters = [*function.args.args, *function.args.kwonlyargs]
            return any(
                parameter.arg == name and ast.unparse(parameter.annotation or code) in ("Code", "ProblemCode")
                for parameter in parameters
            )
    return False


def test_every_problem_is_raised_with_a_registered_code() -> None:
    """ERR-03."""
    raised = list(problems_raised())
    assert len(raised) > 15
    assert [place for place, code, function in raised if not is_registered(code, function)] == []


@pytest.fixture(scope="module")
def wordings() -> dict[str, tuple[int | None, dict[str, Any]]]:
    """Of each kind of answer that API Gateway gives by itself: the status the template sets, and the problem."""
    stack = template.load(TEMPLATE, {"OidcIssuer": "https://issuer.example", "OidcAudience": "yarrow"})
    return {
        kind: (response.status, json.loads(filled(response.templates["application/problem+json"])))
        for kind, response in stack.api.gateway_responses.items()
    }


def filled(mapping: str) -> str:
    """A mapping template with a value for each variable; one outside quotes is a number or quotes itself."""
    for variable, value in (("status", "418"), ("error.messageString", '"…"')):
        mapping = mapping.replace(f"$context.{variable}", value)
    return re.sub(r"\$context\.[A-Za-z.]+", "…", mapping)


def test_what_api_gateway_answers_by_itself_is_a_registered_problem(
    wordings: dict[str, tuple[int | None, dict[str, Any]]],
) -> None:
    """ERR-01, ERR-02, ERR-03: with the status of its code, or the answer's own where the template sets none."""
    assert {"UNAUTHORIZED", "REQUEST_TOO_LARGE", "DEFAULT_4XX", "DEFAULT_5XX"} <= set(wordings)
    for status, problem in wordings.values():
        code = Code[problem["code"]]
        assert problem["status"] == (418 if status is None else code.status)
        assert status in (None, code.status)
        required = {"type", "title", "status", "detail", "code", "instance"}
        assert required <= set(problem) <= required | {"params", "traceId"}


def test_every_registered_code_is_answered_somewhere(wordings: dict[str, tuple[int | None, dict[str, Any]]]) -> None:
    """ERR-03: The product or API Gateway responds with each code."""
    named = {
        name for path in SOURCES for name in re.findall(r"\bCode\.([A-Z][A-Z_]+)", path.read_text(encoding="utf-8"))
    }
    assert named | {problem["code"] for _, problem in wordings.values()} == set(Code.__members__)


def test_the_document_of_codes_is_that_of_the_registry() -> None:
    """ERR-03: `python -m tools.make_error_codes` makes it again."""
    assert TARGET.read_text(encoding="utf-8") == document()
