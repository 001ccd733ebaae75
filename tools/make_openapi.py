"""Generates `functions/describe_api/openapi.json`, the OpenAPI 3.1 description of the HTTP API.

Run `python -m tools.make_openapi` after changing a route, a model or an error code; a test compares the two. A
function's folder describes its operations, in `openapi.py` or, for several routes, `openapi/`; schemas are in
`openapi_schemas`.
"""

import json
import tomllib
from collections.abc import Callable
from importlib import import_module
from itertools import groupby
from pathlib import Path
from typing import Final

from functions.openapi import Document, Operation, Refusal, ref
from tools.openapi_schemas import schemas
from yarrow.protocol.problems import ProblemCode
from yarrow.web.tokens import API_KEY_PREFIX

FUNCTIONS: Final = Path(__file__).parent.parent / "functions"
TARGET: Final = FUNCTIONS / "describe_api/openapi.json"
ORDER: Final = (
    *("submit_run", "send_message", "mcp", "agents", "cancel_run", "stream_events", "interrupts", "get_history"),
    *(
        "record_outcome",
        "delete_session",
        "memories",
        "usage",
        "devices",
        "mcp_connections",
        "jobs",
        "webhooks",
        "finish_upload",
        "begin_upload",
        "sign_attachment",
        "transcribe",
    ),
    *("create_workspace_ticket", "describe_api", "serve_console"),
)
"""The order of the functions whose routes are described: what a reader needs first comes first."""


def described_functions() -> list[str]:
    """Return the functions that have descriptions, in the order of the document."""
    found = {path.parent.name for form in ("openapi.py", "openapi") for path in FUNCTIONS.glob(f"*/{form}")}
    if missing := found - set(ORDER):
        raise ValueError(f"ORDER does not list {', '.join(sorted(missing))}")
    return [name for name in ORDER if name in found]


def operations_of(function: str) -> list[Operation]:
    """Return the descriptions of a function's routes, in the order of its router."""
    described = FUNCTIONS / function / "openapi"
    modules = [f"openapi.{path.stem}" for path in sorted(described.glob("*.py"))] or ["openapi"]
    members = [member for name in modules for member in vars(import_module(f"functions.{function}.{name}")).values()]
    found = [member for member in members if isinstance(member, Operation)]
    return sorted(found, key=_router_order(function)) if described.is_dir() else found


def _router_order(function: str) -> Callable[[Operation], int]:
    routes = import_module(f"functions.{function}.app").app.routes
    places = {(method, route.path): at for at, route in enumerate(routes) for method in route.methods}
    return lambda operation: places[operation.method.upper(), operation.path]


def operations() -> list[Operation]:
    return [operation for function in described_functions() for operation in operations_of(function)]


def document() -> Document:
    paths: dict[str, Document] = {}
    shared: dict[str, Document] = {}
    for operation in operations():
        paths.setdefault(operation.path, {})[operation.method] = operation.document(
            _problems(operation.refusals, shared)
        )
    return {
        "openapi": "3.1.1",
        "info": {
            "title": "Yarrow",
            "version": _version(),
            "summary": "A serverless backend for agent runs",
            "description": "Submit a run, stream its events as server-sent events, resume with a cursor, cancel it, "
            "read it as history. Routes and methods that are not listed here return 404 ROUTE_NOT_FOUND. A WebSocket "
            "that is one too many for its user is refused with 429 AGENT_WORKSPACE_CONNECTION_LIMIT. The result of a "
            "tool call whose MCP server needs a sign-in of the user has MCP_NOT_CONNECTED, and no response has it.",
            "license": {"name": "MIT", "identifier": "MIT"},
        },
        "servers": [{"url": ".", "description": "The location of this document."}],
        "security": [{"bearer": []}],
        "paths": paths,
        "components": {
            "securitySchemes": {
                "bearer": {
                    "type": "http",
                    "scheme": "bearer",
                    "bearerFormat": "JWT",
                    "description": "A token of the deployment's OpenID provider.",
                },
                "apiKey": {
                    "type": "http",
                    "scheme": "bearer",
                    "bearerFormat": f"{API_KEY_PREFIX}…",
                    "description": "An API key, which acts as the user it was created for.",
                },
            },
            "schemas": schemas(),
            "responses": dict(sorted(shared.items())),
        },
    }


def _version() -> str:
    """Return the version in pyproject.toml; the installed one may be older."""
    project = tomllib.loads((FUNCTIONS.parent / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return str(project["version"])


def _problems(refusals: tuple[Refusal, ...], shared: dict[str, Document]) -> Document:
    """Return a problem+json response per status; those with a single code are shared components."""
    responses = {}
    for status, group in groupby(sorted(refusals, key=_status), key=_status):
        codes = [code for _, code in group]
        responses[str(status)] = _problem(status, codes)
        if len(codes) == 1:
            name = f"{codes[0].name}_{status}"
            shared[name] = responses[str(status)]
            responses[str(status)] = {"$ref": f"#/components/responses/{name}"}
    return responses


def _status(refusal: Refusal) -> int:
    return refusal[0]


def _problem(status: int, codes: list[ProblemCode]) -> Document:
    members = {"status": {"const": status}, "code": {"enum": [code.name for code in codes]}}
    response = {
        "description": "\n".join(f"- `{code.name}`: {code.meaning}" for code in codes),
        "content": {"application/problem+json": {"schema": ref("Problem") | {"properties": members}}},
    }
    if status in (429, 503):
        response["headers"] = {"Retry-After": {"description": "Seconds to wait.", "schema": {"type": "integer"}}}
    return response


def text() -> str:
    return json.dumps(document(), ensure_ascii=False, indent=1) + "\n"


if __name__ == "__main__":
    TARGET.write_text(text(), encoding="utf-8")
