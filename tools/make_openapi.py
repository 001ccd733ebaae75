"""Generates `functions/describe_api/openapi.json`, the OpenAPI 3.1 description of the HTTP API.

Run `python -m tools.make_openapi` after changing a route, a model or an error code; a test compares the two. Each
operation is described beside its endpoint, in `functions/<name>/openapi.py`; schemas are in `openapi_schemas`.
"""

import json
import tomllib
from importlib import import_module
from itertools import groupby
from pathlib import Path
from typing import Final

from functions.openapi import Document, Operation, Refusal, ref
from tools.openapi_schemas import schemas
from yarrow.protocol.problems import Code
from yarrow.web.tokens import API_KEY_PREFIX

FUNCTIONS: Final = Path(__file__).parent.parent / "functions"
TARGET: Final = FUNCTIONS / "describe_api/openapi.json"
ORDER: Final = (
    *(
        "submit_run",
        "send_message",
        "cancel_run",
        "stream_events",
        "read_stream",
        "read_stream_end",
        "get_history",
        "record_outcome",
        "delete_session",
    ),
    *("list_memories", "delete_memory"),
    *("create_job", "list_jobs", "get_job", "change_job", "delete_job", "run_job", "list_job_runs"),
    *("upload_attachment", "begin_upload", "finish_upload", "sign_attachment"),
    *("upload_recording", "transcribe", "create_workspace_ticket", "describe_api"),
    *("serve_console", "serve_console_file"),
)
"""The order of the operations in the document, by `operation_id`: what a reader needs first comes first."""


def operations_of(function: str) -> list[Operation]:
    """What `functions/<function>/openapi.py` describes."""
    members = vars(import_module(f"functions.{function}.openapi")).values()
    return [each for each in members if isinstance(each, Operation)]


def operations() -> list[Operation]:
    """The operations of all functions."""
    found = [each for path in FUNCTIONS.glob("*/openapi.py") for each in operations_of(path.parent.name)]
    if missing := {each.operation_id for each in found} - set(ORDER):
        raise ValueError(f"ORDER does not list {', '.join(sorted(missing))}")
    return sorted(found, key=lambda each: ORDER.index(each.operation_id))


def document() -> Document:
    """The whole description."""
    paths: dict[str, Document] = {}
    shared: dict[str, Document] = {}
    for each in operations():
        paths.setdefault(each.path, {})[each.method] = each.document(_problems(each.refusals, shared))
    return {
        "openapi": "3.1.1",
        "info": {
            "title": "Yarrow",
            "version": _version(),
            "summary": "A serverless backend for agent runs",
            "description": "Submit a run, stream its events as server-sent events, resume with a cursor, cancel it, "
            "read it as history. Routes and methods that are not listed here return 404 ROUTE_NOT_FOUND. A WebSocket "
            "that is one too many for its user is refused with 429 AGENT_WORKSPACE_CONNECTION_LIMIT.",
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
    """Of the project: an environment may still have an older one installed."""
    project = tomllib.loads((FUNCTIONS.parent / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return str(project["version"])


def _problems(refusals: tuple[Refusal, ...], shared: dict[str, Document]) -> Document:
    """A problem+json response per status; those with a single code are shared components."""
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


def _problem(status: int, codes: list[Code]) -> Document:
    members = {"status": {"const": status}, "code": {"enum": [code.name for code in codes]}}
    response = {
        "description": "\n".join(f"- `{code.name}`: {code.meaning}" for code in codes),
        "content": {"application/problem+json": {"schema": ref("Problem") | {"properties": members}}},
    }
    if status in (429, 503):
        response["headers"] = {"Retry-After": {"description": "Seconds to wait.", "schema": {"type": "integer"}}}
    return response


def text() -> str:
    """The file."""
    return json.dumps(document(), ensure_ascii=False, indent=1) + "\n"


if __name__ == "__main__":
    TARGET.write_text(text(), encoding="utf-8")
