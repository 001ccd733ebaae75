"""Static analysis of the AWS calls that a function can reach, from `functions/<name>/app.py` along every name it uses.

A definition is reached when one that is reached names it. A method is reached when its class is, and something reached
asks any object for an attribute of that name; so is a function of a module that is handed on as an object. This finds
too much rather than too little, except for methods looked up by computed names. Runners are found at run time and named
here; what packages do with a client that they are given is in `OPERATIONS`.
"""

import ast
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Final

from tests.support.paths import ROOT

CORE = ROOT / "layers/core"

OPERATIONS: Final[Mapping[str, Mapping[str, tuple[str, ...]]]] = {
    "dynamodb": {
        "get_item": ("dynamodb:GetItem",),
        "batch_get_item": ("dynamodb:BatchGetItem",),
        "batch_write_item": ("dynamodb:BatchWriteItem",),
        "delete_item": ("dynamodb:DeleteItem",),
        "put_item": ("dynamodb:PutItem",),
        "query": ("dynamodb:Query",),
        "update_item": ("dynamodb:UpdateItem",),
        "transact_write_items": (),  # its parts are `TRANSACTED`
    },
    "s3": {
        "delete_object": ("s3:DeleteObject",),
        "generate_presigned_post": ("s3:PutObject",),
        "generate_presigned_url": ("s3:GetObject",),
        "get_object": ("s3:GetObject", "s3:ListBucket"),  # without which one that is not there is told as forbidden
        "head_object": ("s3:GetObject", "s3:ListBucket"),
        "list_objects_v2": ("s3:ListBucket",),
        "put_object": ("s3:PutObject",),
    },
    "step_functions": {
        "start_execution": ("states:StartExecution",),
        "stop_execution": ("states:StopExecution",),
    },
    "scheduler": {
        "create_schedule": ("iam:PassRole", "scheduler:CreateSchedule"),
        "update_schedule": ("iam:PassRole", "scheduler:UpdateSchedule"),
        "delete_schedule": ("scheduler:DeleteSchedule",),
        "list_schedules": ("scheduler:ListSchedules",),
    },
    "sqs": {"send_message": ("sqs:SendMessage",)},
    "sns": {
        "create_platform_endpoint": ("sns:CreatePlatformEndpoint",),
        "delete_endpoint": ("sns:DeleteEndpoint",),
        "publish": ("sns:Publish",),
        "set_endpoint_attributes": ("sns:SetEndpointAttributes",),
    },
    "event_bridge": {"put_events": ("events:PutEvents",)},
    "connections": {
        "delete_connection": ("execute-api:ManageConnections",),
        "post_to_connection": ("execute-api:ManageConnections",),
    },
    "lambda_": {"invoke_with_response_stream": ("lambda:InvokeFunction",)},
    "secrets_manager": {
        "batch_get_secret_value": ("secretsmanager:BatchGetSecretValue", "secretsmanager:GetSecretValue"),
    },
    "kms": {"decrypt": ("kms:Decrypt",), "encrypt": ("kms:Encrypt",)},
    "transcribe": {
        "delete_transcription_job": ("transcribe:DeleteTranscriptionJob",),
        "get_transcription_job": ("transcribe:GetTranscriptionJob",),
        "start_transcription_job": ("transcribe:StartTranscriptionJob",),
    },
    # pydantic_ai gets the client, and converses.
    "bedrock_runtime": {"": ("bedrock:InvokeModel", "bedrock:InvokeModelWithResponseStream")},
    # They sign requests to CloudWatch's OTLP endpoint.
    "credentials": {"": ("xray:PutSpans", "xray:PutTraceSegments")},
    "bedrock_agent_runtime": {"rerank": ("bedrock:InvokeModel", "bedrock:Rerank"), "retrieve": ("bedrock:Retrieve",)},
}
"""By the function of `store.clients` that gives the client, its operations, and the actions that IAM is asked for."""

TRANSACTED: Final = {
    "check": "dynamodb:ConditionCheckItem",
    "put": "dynamodb:PutItem",
    "update": "dynamodb:UpdateItem",
    "delete": "dynamodb:DeleteItem",
}
"""By the function of `store.table` that makes a part of a transaction, the action that IAM is asked for."""

PARTITIONS: Final = (
    *(
        "ALL_JOBS",
        "API_KEYS",
        "CONNECTION#",
        "COUNTED#",
        "DELIVERIES#",
        "DEPLOYMENT_WEBHOOKS",
        "DEVICE#",
        "DEVICES#",
        "USED#",
        "HOURS#",
        "JOB#",
        "LIMITS#",
        "MCP_CLIENTS#",
        "MCP_CONNECTIONS#",
        "MEMORIES#",
        "QUESTIONS#",
        "OUTCOMES#",
        "RUN#",
        "SESSION#",
        "STATE#",
        "TICKET#",
        "USAGE#",
        "USER#",
        "WAITING_DELIVERIES#",
        "WEBHOOKS#",
        "WORKSPACE#",
    ),
)
"""What partition keys of the table begin with, or are."""

FOUND_AT_RUN_TIME: Final = {"execute_run": ("yarrow.runners",)}
"""The packages of which a function may load any class by name."""

Position = tuple[str, str]
"""A module, and a definition in it; of a class's member `Class.member`."""


class _Module:
    """The definitions of a module by name, what its names import, and what it does when it is imported."""

    def __init__(self, path: Path) -> None:
        self.definitions: dict[str, ast.AST] = {}
        self.imports: dict[str, str] = {}
        self.body: list[ast.stmt] = []
        for statement in ast.parse(path.read_text(encoding="utf-8")).body:
            match statement:
                case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                    self.definitions[statement.name] = statement
                case ast.Import() | ast.ImportFrom():
                    self.imports |= _imported(statement)
                case ast.Assign(targets=[ast.Name(id=name)], value=value):
                    self.definitions[name] = value
                case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value):
                    self.definitions[name] = value
                case ast.If(test=ast.Name(id="TYPE_CHECKING")):
                    pass
                case _:
                    self.body.append(statement)


def _imported(statement: ast.Import | ast.ImportFrom) -> dict[str, str]:
    prefix = f"{statement.module}." if isinstance(statement, ast.ImportFrom) else ""
    return {alias.asname or alias.name: f"{prefix}{alias.name}" for alias in statement.names}


@cache
def _modules() -> dict[str, _Module]:
    packages = ("liuyao", "yarrow", "yarrow_agents")
    folders = (*((CORE, f"{package}/**/*.py") for package in packages), (ROOT, "functions/*/app.py"))
    return {
        ".".join(path.relative_to(root).with_suffix("").parts).removesuffix(".__init__"): _Module(path)
        for root, pattern in folders
        for path in root.glob(pattern)
    }


def _find(name: str) -> Position | None:
    """What a full name stands for: a definition, or a whole module as `(module, "")`."""
    if name in _modules():
        return name, ""
    module, _, last = name.rpartition(".")
    if module not in _modules():
        return None
    if last in _modules()[module].definitions:
        return module, last
    return _find(_modules()[module].imports[last]) if last in _modules()[module].imports else None


class _Reach:
    """What is reached from some definitions, until nothing more is."""

    def __init__(self) -> None:
        self.reached: dict[Position, ast.AST] = {}
        self._members: dict[Position, ast.AST] = {}
        self._asked_for: set[str] = set()
        self._waiting: list[Position] = []

    def start(self, *places: Position) -> None:
        for module, name in places:
            self._reach(module, name, _modules()[module].definitions[name])
        while self._waiting:
            while self._waiting:
                self._read(*self._waiting.pop())
            for (module, name), node in list(self._members.items()):
                last = name.rpartition(".")[2]
                if last in self._asked_for or last.startswith("__"):
                    self._reach(module, name, node)

    def _reach(self, module: str, name: str, node: ast.AST) -> None:
        if (module, name) not in self.reached:
            self.reached[module, name] = node
            self._waiting.append((module, name))
            for number, statement in enumerate(_modules()[module].body):
                self._reach(module, f"<{number}>", statement)

    def _read(self, module: str, name: str) -> None:
        node = self.reached[module, name]
        imported, own = _local_names(node)
        imports = _modules()[module].imports | imported
        if isinstance(node, ast.ClassDef):
            for item in node.body:
                if isinstance(item, ast.FunctionDef | ast.AsyncFunctionDef):
                    self._members[module, f"{name}.{item.name}"] = item
        for part in _parts(node):
            self._follow(module, part, imports, own)

    def _follow(self, module: str, node: ast.AST, imports: Mapping[str, str], own: frozenset[str]) -> None:
        found = self._meaning(module, node, imports, own)
        if found is None:
            if isinstance(node, ast.Attribute):
                self._asked_for.add(node.attr)
            for part in _parts(node):
                self._follow(module, part, imports, own)
        elif found[1]:
            self._reach(*found, _modules()[found[0]].definitions[found[1]])
        else:  # a module given as an object, whose functions are its methods
            self._members |= {(found[0], name): node for name, node in _modules()[found[0]].definitions.items()}

    def _meaning(self, module: str, node: ast.AST, imports: Mapping[str, str], own: frozenset[str]) -> Position | None:
        match node:
            case ast.Name(id=name, ctx=ast.Load()) if name in imports and name not in own - imports.keys():
                return _find(imports[name])
            case ast.Name(id=name, ctx=ast.Load()) if name in _modules()[module].definitions and name not in own:
                return module, name
            case ast.Attribute(value=value, attr=name):
                base = self._meaning(module, value, imports, own)
                return _find(f"{base[0]}.{name}") if base is not None and not base[1] else None
        return None


# Every function reaches most of the same code.
@cache
def _walk(node: ast.AST) -> tuple[ast.AST, ...]:
    return tuple(ast.walk(node))


@cache
def _local_names(node: ast.AST) -> tuple[dict[str, str], frozenset[str]]:
    """What a function imports itself, and the names that it gives a value."""
    imports: dict[str, str] = {}
    own: set[str] = set()
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        for item in _walk(node):
            match item:
                case ast.Import() | ast.ImportFrom():
                    imports |= _imported(item)
                case ast.Name(id=stored, ctx=ast.Store()) | ast.arg(arg=stored):
                    own.add(stored)
    return imports, frozenset(own)


@cache
def _parts(node: ast.AST) -> tuple[ast.AST, ...]:
    """What a piece of code consists of: no annotations, and of a class no methods."""
    found: list[ast.AST] = []
    for name, value in ast.iter_fields(node):
        for part in value if isinstance(value, list) else [value]:
            method = isinstance(node, ast.ClassDef) and isinstance(part, ast.FunctionDef | ast.AsyncFunctionDef)
            if isinstance(part, ast.AST) and not method and name not in ("annotation", "returns"):
                found.append(part)
    return tuple(found)


@cache
def reached_from(function: str) -> Mapping[Position, ast.AST]:
    """Every definition that the function in `functions/<function>` may use."""
    app = f"functions.{function}.app"
    found = [(app, name) for name in _modules()[app].definitions]
    for package in FOUND_AT_RUN_TIME.get(function, ()):
        for module, content in _modules().items():
            if module == package or module.startswith(f"{package}."):
                found += [
                    (module, name) for name, node in content.definitions.items() if isinstance(node, ast.ClassDef)
                ]
    reach = _Reach()
    reach.start(*found)
    return reach.reached


def operations(function: str) -> set[tuple[str, str]]:
    """The services that the function may call, by the function of `store.clients`, with the operations."""
    found: set[tuple[str, str]] = set()
    for (module, name), node in reached_from(function).items():
        requests = _attributes(node) | _paginated(node) | {""}
        for service in _services(node):
            called = OPERATIONS[service].keys() & requests
            if not called:
                raise LookupError(f"{module}.{name} uses {service} for what is not in OPERATIONS")
            found |= {(service, operation) for operation in called}
    return found


def actions(function: str) -> set[str]:
    needed = {action for service, operation in operations(function) for action in OPERATIONS[service][operation]}
    parts = (name for module, name in reached_from(function) if module == "yarrow.store.table")
    return needed | {TRANSACTED[name] for name in parts if name in TRANSACTED}


def names(function: str, text: str) -> bool:
    """Whether the function reaches code that has exactly this text."""
    return text in _texts(function)


def partitions(function: str) -> set[str]:
    return {partition for partition in PARTITIONS if partition in _texts(function)}


@cache
def _texts(function: str) -> frozenset[str]:
    return frozenset(
        constant.value
        for node in reached_from(function).values()
        for constant in _walk(node)
        if isinstance(constant, ast.Constant) and isinstance(constant.value, str)
    )


@cache
def _attributes(node: ast.AST) -> frozenset[str]:
    return frozenset(item.attr for item in _walk(node) if isinstance(item, ast.Attribute))


@cache
def _services(node: ast.AST) -> frozenset[str]:
    called = (item.func for item in _walk(node) if isinstance(item, ast.Call))
    return frozenset(
        node.attr
        for node in called
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "clients"
    )


@cache
def _paginated(node: ast.AST) -> frozenset[str]:
    return frozenset(
        str(call.args[0].value)
        for call in _walk(node)
        if isinstance(call, ast.Call)
        and isinstance(call.func, ast.Attribute)
        and call.func.attr == "get_paginator"
        and isinstance(call.args[0], ast.Constant)
    )
