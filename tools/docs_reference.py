"""Pages of the documentation that are made of what they describe: the HTTP API, parameters, the command.

`tools/docs_site.py` adds them to the site; they are not kept in the repository. Sources: `template.yaml`, the parser of
the terminal command, and `openapi.json` of `functions/describe_api`.
"""

import argparse
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import yaml

from yarrow_client.cli.parser import parser
from yarrow_client.cli.words import Words

ROOT: Final = Path(__file__).parent.parent
HTTP_API: Final = "docs/reference/http-api.md"
PARAMETERS: Final = "docs/reference/parameters.md"
COMMAND: Final = "docs/reference/command.md"

_METHODS: Final = ("get", "post", "put", "patch", "delete", "head")
_EXAMPLE_DEPTH: Final = 6

_ABOUT_HTTP: Final = """\
This page is made of `GET /openapi.json`, which a deployment serves and tools read. Bodies are JSON unless a row says
otherwise; errors are [problem details](../errors.md) with a registered `code`. A request carries `Authorization:
Bearer …`, a user's token, or an [API key](../identity.md#api-keys) where the operation takes keys."""
_ABOUT_PARAMETERS: Final = """\
What `sam deploy --parameter-overrides Name=value` takes, in the groups of the CloudFormation console. This page is made
of `template.yaml`. [Operations](../operations.md) says when to change one, and what limits cost."""

_GROUPS: Final = (
    ("Runs", "/api/v1/agent/runs"),
    ("AG-UI", "/send-message"),
    ("Agents", "/api/v1/agents"),
    ("Questions", "/api/v1/agent/interrupts"),
    ("Sessions", "/api/v1/agent/history", "/api/v1/agent/sessions"),
    ("Memories", "/api/v1/memories"),
    ("Pictures and voice", "/api/v1/agent/attachments", "/api/v1/agent/transcribe"),
    ("Workspaces", "/api/v1/workspace"),
    ("Jobs", "/api/v1/automation"),
    ("Notifications", "/api/v1/devices"),
    ("Usage", "/api/v1/usage"),
    ("Operations", "/api/v1/operations"),
    ("Webhooks", "/api/v1/webhooks"),
    ("MCP server", "/mcp", "/.well-known/oauth-protected-resource"),
    ("Connections to MCP servers", "/api/v1/mcp-connections"),
    ("The service itself", "/"),
)
"""What the operations are about, by the beginnings of their paths; the first that fits."""

Json = Mapping[str, Any]


def pages() -> dict[str, str]:
    """Return the made pages by their paths in the repository's layout, as Markdown."""
    api = json.loads((ROOT / "functions/describe_api/openapi.json").read_text(encoding="utf-8"))
    return {HTTP_API: http_api(api), PARAMETERS: parameters(template()), COMMAND: command()}


# The HTTP API


def http_api(api: Json) -> str:
    """Describe every operation: what it does, its parameters, a request, its answers."""
    lines = [
        "# HTTP API",
        "",
        f"{api['info']['description']}",
        "",
        _ABOUT_HTTP,
        "",
    ]
    groups = _grouped(api)
    for title, operations in groups.items():
        lines += ["", *_operations_table(title, operations)]
    for title, operations in groups.items():
        lines += ["", f"## {title}"]
        for path, method, operation in operations:
            lines += _operation(api, path, method, operation)
    return "\n".join(lines) + "\n"


def _operations(api: Json) -> Iterator[tuple[str, str, Json]]:
    for path, item in api["paths"].items():
        for method in _METHODS:
            if method in item:
                shared = [*item.get("parameters", ()), *item[method].get("parameters", ())]
                yield path, method, {**item[method], "parameters": shared}


def _grouped(api: Json) -> dict[str, list[tuple[str, str, Json]]]:
    groups: dict[str, list[tuple[str, str, Json]]] = {title: [] for title, *_ in _GROUPS}
    for path, method, operation in _operations(api):
        title = next(title for title, *paths in _GROUPS if path.startswith(tuple(paths)))
        groups[title].append((path, method, operation))
    return {title: operations for title, operations in groups.items() if operations}


def _operations_table(title: str, operations: Sequence[tuple[str, str, Json]]) -> Iterator[str]:
    yield from (f"| {title} | |", "|---|---|")
    for path, method, operation in operations:
        yield f"| [{cell(operation['summary'])}](#{operation['operationId']}) | `{method.upper()} {path}` |"


def _operation(api: Json, path: str, method: str, operation: Json) -> Iterator[str]:
    yield from ("", f'<a id="{operation["operationId"]}"></a>', "", f"### {operation['summary']}", "")
    yield from (f"`{method.upper()} {path}`", "")
    if text := operation.get("description"):
        yield from (text, "")
    yield from (_who(api, operation), "")
    if rows := [_resolved(api, one) for one in operation["parameters"]]:
        yield from ("| parameter | in | what it is |", "|---|---|---|")
        for one in rows:
            needed = " (required)" if one.get("required") else ""
            text = f"{cell(one.get('description', ''))}{needed}{limits(one['schema'])}"
            yield f"| `{one['name']}` | {one['in']} | {text} |"
        yield ""
    yield from _request(api, path, method, operation)
    yield from _responses(api, operation)


def _who(api: Json, operation: Json) -> str:
    schemes = [name for one in operation.get("security", api.get("security", ())) for name in one]
    if not schemes:
        return "Anybody may call it."
    described = {name: _resolved(api, api["components"]["securitySchemes"][name]) for name in dict.fromkeys(schemes)}
    return "Takes " + " or ".join(_scheme(name, one) for name, one in described.items()) + "."


def _scheme(name: str, scheme: Json) -> str:
    return "an API key" if "key" in name.lower() or scheme.get("type") == "apiKey" else "a user's token"


def _request(api: Json, path: str, method: str, operation: Json) -> Iterator[str]:
    body = operation.get("requestBody")
    if body is None:
        return
    for media, content in _resolved(api, body)["content"].items():
        schema = _resolved(api, content.get("schema", {}))
        if fields := list(_fields(api, schema)):
            yield from (f"Body, `{media}`:", "", "| member | type | what it is |", "|---|---|---|", *fields, "")
        example = _example(api, content)
        if example is not None and "json" in media:
            yield from (f'??? example "A request: `{method.upper()} {path}`"', "", *_fenced(example, indent="    "), "")


def _responses(api: Json, operation: Json) -> Iterator[str]:
    yield from ("| status | answer |", "|---|---|")
    examples: list[tuple[str, Any]] = []
    for status, response in operation["responses"].items():
        found = _resolved(api, response)
        yield f"| {status} | {cell(found.get('description', ''))} |"
        for media, content in found.get("content", {}).items():
            example = _example(api, content) if status.startswith("2") and "json" in media else None
            if example is not None:
                examples.append((status, example))
    yield ""
    for status, example in examples:
        yield from (f'??? example "The answer {status}"', "", *_fenced(example, indent="    "), "")


def _fields(api: Json, schema: Json) -> Iterator[str]:
    needed = set(schema.get("required", ()))
    for name, described in schema.get("properties", {}).items():
        one = _resolved(api, described)
        own = "" if isinstance(described, bool) else described.get("description", "")
        text = cell(own or one.get("description", ""))
        yield f"| `{name}`{'' if name in needed else ' (optional)'} | {type_of(api, described)} | {text}{limits(one)} |"


def type_of(api: Json, schema: Json | bool) -> str:
    if isinstance(schema, bool):
        return "any"
    if "$ref" in schema:
        name = schema["$ref"].rsplit("/", 1)[-1]
        found = _resolved(api, schema)
        return name if found.get("type") in (None, "object") else type_of(api, found)
    if "const" in schema:
        return f"`{json.dumps(schema['const'], ensure_ascii=False)}`"
    if "enum" in schema:
        return ", ".join(f"`{value}`" for value in schema["enum"])
    several = schema.get("anyOf") or schema.get("oneOf")
    if several:
        return " or ".join(dict.fromkeys(type_of(api, one) for one in several))
    if schema.get("type") == "array":
        return f"array of {type_of(api, schema.get('items', {}))}"
    kind = schema.get("type", "any")
    return " or ".join(kind) if isinstance(kind, list) else str(kind)


def limits(schema: Json) -> str:
    named = (
        ("maxLength", "at most {} characters"),
        ("maxItems", "at most {} items"),
        ("minimum", "from {}"),
        ("maximum", "to {}"),
        ("default", "default `{}`"),
    )
    found = [form.format(schema[name]) for name, form in named if schema.get(name) not in (None, "", [], {})]
    return f"; {', '.join(found)}" if found else ""


def _example(api: Json, content: Json) -> Any:
    """Return the first example of a body; one made of its schema's own examples if it has none."""
    if "example" in content:
        return content["example"]
    for one in content.get("examples", {}).values():
        return _resolved(api, one).get("value")
    return _made(api, content.get("schema", {}), 0)


def _made(api: Json, schema: Json | bool, depth: int) -> Any:
    """Return a value of a schema: its example or default, the first of its choices, or its type's plainest value."""
    one = _resolved(api, schema)
    for name in ("examples", "enum", "anyOf", "oneOf"):
        if one.get(name):
            first = one[name][0]
            return _made(api, first, depth) if name in ("anyOf", "oneOf") else first
    for name in ("example", "const", "default"):
        if name in one:
            return one[name]
    kind = one.get("type")
    if kind == "object" or "properties" in one:
        if depth >= _EXAMPLE_DEPTH:
            return {}
        wanted = one.get("required") or list(one.get("properties", {}))
        return {
            name: _made(api, one["properties"][name], depth + 1) for name in wanted if name in one.get("properties", {})
        }
    if kind == "array":
        return [] if depth >= _EXAMPLE_DEPTH else [_made(api, one.get("items", {}), depth + 1)]
    return {
        "string": _string(one),
        "integer": one.get("minimum", 1),
        "number": one.get("minimum", 1),
        "boolean": True,
    }.get(str(kind))


def _string(schema: Json) -> str:
    formats = {
        "date-time": "2026-04-03T12:30:00Z",
        "date": "2026-04-03",
        "uri": "https://example.com/",
        "uuid": "550e8400-e29b-41d4-a716-446655440000",
    }
    return formats.get(schema.get("format", ""), "…")


def _resolved(api: Json, value: Json | bool) -> Json:
    """Follow references. A schema may be `true`: anything."""
    found: Any = value
    while not isinstance(found, bool) and "$ref" in found:
        path = found["$ref"].removeprefix("#/").split("/")
        found = api
        for part in path:
            found = found[part.replace("~1", "/").replace("~0", "~")]
    return {} if isinstance(found, bool) else found


def _fenced(value: Any, indent: str) -> Iterator[str]:
    text = json.dumps(value, ensure_ascii=False, indent=2)
    yield f"{indent}```json"
    yield from (f"{indent}{line}" for line in text.splitlines())
    yield f"{indent}```"


def cell(text: str) -> str:
    """Return text for a cell of a table: one line, a list's items after one another."""
    joined = re.sub(r"\s*\n[-*] ", "<br>", "\n" + text.strip())
    return re.sub(r"\s*\n\s*", " ", joined.removeprefix("<br>")).replace("|", r"\|").strip()


# The parameters


class _Loader(yaml.SafeLoader):
    """Reads a template; what CloudFormation would compute stays away."""


_Loader.add_multi_constructor("!", lambda *_: None)


def template() -> Json:
    """Read `template.yaml` without its functions of CloudFormation."""
    found: Json = yaml.load((ROOT / "template.yaml").read_text(encoding="utf-8"), _Loader)  # noqa: S506  a SafeLoader
    return found


def parameters(stack: Json) -> str:
    """List every parameter of a deployment, in the groups in which the console of CloudFormation shows them."""
    interface = stack["Metadata"]["AWS::CloudFormation::Interface"]
    lines = [
        "# Parameters",
        "",
        _ABOUT_PARAMETERS,
    ]
    for group in interface["ParameterGroups"]:
        lines += ["", f"## {group['Label']['default']}", "", "| parameter | default | what it is |", "|---|---|---|"]
        for name in group["Parameters"]:
            one = stack["Parameters"][name]
            default = (
                f"`{one['Default']}`" if str(one.get("Default", "")) else ("none" if "Default" in one else "required")
            )
            lines.append(f"| `{name}` | {default} | {cell(one.get('Description', ''))}{_values(one)} |")
    return "\n".join(lines) + "\n"


def _values(parameter: Json) -> str:
    if values := parameter.get("AllowedValues"):
        return "; " + ", ".join(f"`{value}`" for value in values)
    low, high = parameter.get("MinValue"), parameter.get("MaxValue")
    if low is not None and high is not None:
        return f"; {low:,} to {high:,}"
    return "" if low is None else f"; from {low:,}"


# The terminal command


def command() -> str:
    """Show the help of the terminal command and of each of its commands."""
    whole = parser(Words("en"))
    lines = [
        "# Terminal command",
        "",
        "`make run` and `pip install 'yarrow-client[cli]'` install `yarrow`. This page is its own help.",
        "",
    ]
    lines += ["```console", whole.format_help().rstrip(), "```"]
    for action in whole._actions:  # argparse names its commands nowhere else
        if isinstance(action, argparse._SubParsersAction):
            for name, one in action.choices.items():
                lines += ["", f"## yarrow {name}", "", "```console", one.format_help().rstrip(), "```"]
    return "\n".join(lines) + "\n"
