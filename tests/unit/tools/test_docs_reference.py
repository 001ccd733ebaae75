"""The made pages of the documentation: nothing of what they describe is left out."""

import json
import re
from typing import Any

import pytest

from tests.support.paths import ROOT
from tools import docs_reference

API: dict[str, Any] = json.loads((ROOT / "functions/describe_api/openapi.json").read_text(encoding="utf-8"))
OPERATIONS = [
    (path, method, operation["operationId"])
    for path, item in API["paths"].items()
    for method, operation in item.items()
    if isinstance(operation, dict) and "operationId" in operation
]
HTTP = docs_reference.http_api(API)


@pytest.mark.parametrize(("path", "method", "name"), OPERATIONS, ids=[name for *_, name in OPERATIONS])
def test_an_operation_has_its_row_and_its_section(path: str, method: str, name: str) -> None:
    assert f"](#{name}) | `{method.upper()} {path}` |" in HTTP
    assert f'<a id="{name}"></a>' in HTTP
    section = HTTP.split(f'<a id="{name}"></a>')[1].split("<a id=")[0]
    operation = API["paths"][path][method]
    for status in operation["responses"]:
        assert f"\n| {status} | " in section
    for parameter in operation.get("parameters", ()):
        assert f"| `{parameter.get('name', parameter)}` |" in section


@pytest.mark.parametrize(
    ("path", "method", "name"),
    [row for row in OPERATIONS if "json" in json.dumps(API["paths"][row[0]][row[1]].get("requestBody", {}))],
    ids=lambda value: str(value),
)
def test_a_body_has_an_example_that_is_json(path: str, method: str, name: str) -> None:
    section = HTTP.split(f'<a id="{name}"></a>')[1].split("<a id=")[0]
    examples = re.findall(r"^    ```json\n(.*?)^    ```", section, re.MULTILINE | re.DOTALL)
    assert examples
    assert all(isinstance(json.loads(example), dict | list) for example in examples)


def test_no_cell_breaks_its_table() -> None:
    """A line of a table has as many cells as its head, however its texts are written."""
    width = 0
    for line in HTTP.splitlines():
        if line.startswith("|---"):
            width = line.count("|")
        elif line.startswith("|") and width:
            assert len(re.findall(r"(?<!\\)\|", line)) == width, line
        elif not line.startswith("|"):
            width = 0


def test_every_parameter_of_the_template_is_listed_once() -> None:
    stack = docs_reference.template()
    page = docs_reference.parameters(stack)
    names = re.findall(r"^\| `(\w+)` \|", page, re.MULTILINE)
    assert sorted(names) == sorted(stack["Parameters"])


def test_every_command_of_the_terminal_is_shown() -> None:
    page = docs_reference.command()
    listed = re.findall(r"^    (\w+) {2,}\S", page.split("```")[1], re.MULTILINE)
    assert listed
    assert [f"yarrow {name}" for name in listed] == re.findall(r"^## (yarrow \w+)", page, re.MULTILINE)


def test_a_schema_that_refers_to_itself_makes_an_example() -> None:
    node = {"type": "object", "required": ["child"], "properties": {"child": {"$ref": "#/components/schemas/Node"}}}
    operation = {
        "operationId": "grow",
        "summary": "Grow",
        "requestBody": {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/Node"}}}},
        "responses": {"200": {"description": "Done."}},
    }
    api = {
        "info": {"description": "A tree."},
        "paths": {"/tree": {"post": operation}},
        "components": {"schemas": {"Node": node}, "securitySchemes": {}},
    }
    assert '"child": {' in docs_reference.http_api(api)
