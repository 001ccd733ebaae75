"""The description of the API says what the code and the template do."""

import json
import subprocess
import sys
from importlib import import_module
from typing import Any

import pytest
from openapi_schema_validator import OAS31Validator
from openapi_spec_validator import OpenAPIV31SpecValidator
from starlette import routing
from starlette.applications import Starlette

from functions.describe_api import app as describe_api
from functions.openapi import REQUESTS, ref
from local.stack import LambdaIntegration, Route, Stack, StorageIntegration
from local.template import load
from tests.support.paths import ROOT
from tests.support.run_bodies import DIVINATION as PRINTED
from tests.support.run_bodies import admitted
from tests.support.runners.work import RUN
from tools.make_openapi import TARGET, described_functions, document, operations_of, text
from yarrow.packages import error_codes
from yarrow.protocol.problems import Code, Problem
from yarrow.runs.submit_run import TaskAccepted

STORED = {"/api/v1/agent/attachments": "upload_attachment", "/api/v1/agent/transcribe": "upload_recording"}
REDIRECTS_TO = {"/api/v1/agent/attachments": "finish_upload", "/api/v1/agent/transcribe": "transcribe"}
CODES = {code.name: code for code in [*Code, *error_codes.find_all()]}
OF_NO_ROUTE = {"AGENT_WORKSPACE_CONNECTION_LIMIT", "MCP_NOT_CONNECTED", "ROUTE_NOT_FOUND"}


@pytest.fixture(scope="module")
def described() -> dict[str, Any]:
    document: dict[str, Any] = json.loads(TARGET.read_text(encoding="utf-8"))
    return document


@pytest.fixture(scope="module")
def stack() -> Stack:
    return load(ROOT / "template.yaml", {"OidcIssuer": "https://issuer.example", "OidcAudience": "yarrow"})


def operations(described: dict[str, Any]) -> dict[tuple[str, str], dict[str, Any]]:
    """Return every operation by method and path."""
    return {
        (method.upper(), path): operation
        for path, methods in described["paths"].items()
        for method, operation in methods.items()
    }


def refusals(described: dict[str, Any], operation: dict[str, Any]) -> set[tuple[int, str]]:
    """The statuses and codes of an operation's problems: its statuses from 400 on, but for errors of JSON-RPC alone."""
    found = set()
    for status, response in operation["responses"].items():
        if "$ref" in response:
            response = described["components"]["responses"][response["$ref"].rpartition("/")[2]]
        if int(status) >= 400 and not (operation["operationId"] == "send_mcp_message" and status == "404"):
            members = response["content"]["application/problem+json"]["schema"]["properties"]
            assert members["status"]["const"] == int(status)
            found |= {(int(status), code) for code in members["code"]["enum"]}
    return found


def is_described(name: str, value: Any) -> bool:
    schema = ref(name) | {"components": document()["components"]}
    return bool(OAS31Validator(schema, format_checker=OAS31Validator.FORMAT_CHECKER).is_valid(value))


def test_the_document_is_that_of_the_models() -> None:
    """`python -m tools.make_openapi` makes it again."""
    assert TARGET.read_text(encoding="utf-8") == text()


def test_the_document_is_openapi_3_1(described: dict[str, Any]) -> None:
    assert described["openapi"].startswith("3.1.")
    OpenAPIV31SpecValidator(described).validate()


def name_of(function: str, route: Route) -> str:
    """The name of a use case: of the route, if its function has several, else of the function."""
    served = getattr(import_module(f"functions.{function}.app"), "app", None)
    for base_route in served.routes if isinstance(served, Starlette) else ():
        if (
            isinstance(base_route, routing.Route)
            and base_route.path == route.path
            and route.method in (base_route.methods or ())
        ):
            return base_route.name if base_route.endpoint.__module__.startswith("yarrow.routes.") else function
    return function


def test_every_route_is_described_and_every_description_is_a_route(described: dict[str, Any], stack: Stack) -> None:
    """SEC-01: as the template has them, named like their functions, or the modules of the routes of one that has
    several, with a caller's token or without."""
    folders = {function.name: function.folder.name for function in stack.functions.values()}
    served = {
        (route.method, route.path): (name_of(folders[route.integration.function], route), route.authorizer is not None)
        for route in stack.api.routes
        if isinstance(route.integration, LambdaIntegration)
    }
    # OpenAPI has no parameter with slashes, and no two operations of one name.
    function, needs_caller = served.pop(("GET", "/console/{proxy+}"))
    served["GET", "/console/{path}"] = (f"{function}_file", needs_caller)
    (stream,) = (path for method, path in served if method == "HEAD")
    served["HEAD", stream] = ("read_stream_end", True)
    # What API Gateway stores by itself has no function to be named like.
    served |= {
        (route.method, route.path): (STORED[route.path], route.authorizer is not None)
        for route in stack.api.routes
        if isinstance(route.integration, StorageIntegration)
    }
    output = {
        route: (operation["operationId"], {"bearer": []} in operation.get("security", described["security"]))
        for route, operation in operations(described).items()
    }
    assert output == served


def test_a_route_is_described_once_in_its_functions_folder(stack: Stack) -> None:
    """A form that API Gateway stores: in the folder of the function that it redirects to."""
    folders = {function.name: function.folder.name for function in stack.functions.values()}
    served = [
        (folders[route.integration.function], route.method.lower(), route.path.replace("{proxy+}", "{path}"))
        for route in stack.api.routes
        if isinstance(route.integration, LambdaIntegration)
    ]
    served += [
        (REDIRECTS_TO[route.path], route.method.lower(), route.path)
        for route in stack.api.routes
        if isinstance(route.integration, StorageIntegration)
    ]
    texts = [
        (name, operation.method, operation.path) for name in described_functions() for operation in operations_of(name)
    ]
    assert sorted(texts) == sorted(served)


def test_the_routes_that_api_keys_open_say_so(described: dict[str, Any], stack: Stack) -> None:
    """C42."""
    by_key = {
        route
        for route, operation in operations(described).items()
        if {"apiKey": []} in operation.get("security", described["security"])
    }
    assert by_key == {(route.method, route.path) for route in stack.api.routes if route.authorizer == "JwtOrApiKey"}
    assert len(by_key) == 22


def test_every_registered_code_is_described(described: dict[str, Any]) -> None:
    """ERR-03: with the routes that answer it, and with its status."""
    answered = {refusal for operation in operations(described).values() for refusal in refusals(described, operation)}
    assert {code for _, code in answered} | OF_NO_ROUTE == set(CODES)
    assert described["components"]["schemas"]["Problem"]["properties"]["code"]["enum"] == list(CODES)
    unusual = {(status, code) for status, code in answered if status != CODES[code].status}
    assert unusual == {
        (413, "AGENT_INTERRUPT_ANSWER_INVALID"),
        (413, "AGENT_RUN_INPUT_INVALID"),
        (502, "INTERNAL_ERROR"),
    }
    assert all(code in described["info"]["description"] for code in OF_NO_ROUTE)


def test_what_api_gateway_answers_by_itself_is_described_for_every_route(
    described: dict[str, Any], stack: Stack
) -> None:
    """ERR-01, ERR-02."""
    by_gateway = {
        (response.status, code.name)
        for response in stack.api.gateway_responses.values()
        for code in Code
        if f'"{code.name}"' in response.templates["application/problem+json"] and response.status is not None
    }
    for operation in operations(described).values():
        by_authorizer = {(401, "AUTH_UNAUTHORIZED"), (403, "AGENT_FORBIDDEN"), (503, "SERVICE_UNAVAILABLE")}
        callers_only = by_authorizer if operation.get("security") == [] else set()
        assert by_gateway - {(404, "ROUTE_NOT_FOUND")} - callers_only <= refusals(described, operation)


def test_the_example_is_the_documents_request() -> None:
    """RUN-01: `divination-run.md` as printed, with a UUID for its placeholder; the code takes it, and so the schema."""
    assert {**json.loads(PRINTED), "threadId": REQUESTS["divination"]["threadId"]} == REQUESTS["divination"]
    admitted(REQUESTS["divination"])
    assert is_described("RunAgentInput", REQUESTS["divination"])


def test_a_problem_and_the_answer_to_a_submit_are_as_described() -> None:
    """ERR-02, RUN-19: these two have no pydantic model."""
    problem = Problem(Code.INTERNAL_ERROR, "…", params={"a": 1}).document(instance="/", trace_id="t")
    assert is_described("Problem", problem)
    assert set(problem) == set(document()["components"]["schemas"]["Problem"]["properties"])
    accepted = TaskAccepted("task", "thread", "run", created=True, run=RUN).document()
    assert is_described("TaskAcceptedResponse", accepted)
    assert set(accepted) == set(document()["components"]["schemas"]["TaskAcceptedResponse"]["properties"])


def test_the_function_answers_with_the_document() -> None:
    answer = describe_api.handler({}, None)
    assert (answer["statusCode"], answer["headers"]["Content-Type"]) == (200, "application/json")
    assert answer["body"] == TARGET.read_text(encoding="utf-8")


def test_the_function_imports_next_to_nothing() -> None:
    code = "import sys, functions.describe_api.app; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    heavy = {"aws_lambda_powertools", "boto3", "botocore", "mangum", "pydantic", "starlette"}
    assert not heavy & set(loaded.split())
