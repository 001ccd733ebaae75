"""What each function imports and makes before its first request, which is what its cold start costs. How long that
takes, and beside what, `tests/bench/bench_cold_start.py` measures; here is nothing timed, but counted. Modules are
counted beside those of boto3 with a DynamoDB client, for both numbers go with the versions of packages."""

import ast
import json
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Final

import pytest

from tests.support.paths import ROOT
from tests.support.reachable_calls import actions

FUNCTIONS = sorted(path.parent.name for path in (ROOT / "functions").glob("*/app.py"))
REFERENCE = "import boto3; boto3.client('dynamodb', region_name='eu-west-1')"

NEVER = frozenset(
    {
        "aws_xray_sdk",
        "boto3",
        "httpx",
        "langbot_plugin",
        "local",
        "moto",
        "openai",
        "puremagic",
        "pydantic_ai",
        "sqlite3",
        "tests",
        "liuyao",
        "yarrow.services.models.lexical",
        "yarrow.runs.agui.join_snapshot",
        "yarrow.protocol.files.multipart",
        "yarrow_agents.assistant",
        "yarrow_agents.divination",
        "yarrow_agents.guided_cast",
        "yarrow.runners.langbot",
    }
)
"""What no function imports before it knows that a request needs it."""

DEAR = frozenset(
    {
        "botocore.session",
        "cryptography",
        "jwt",
        "pydantic",
        "starlette",
        "yaml",
        "yarrow.services.api",
        "yarrow.services.models",
        "yarrow.worker.orchestrator",
        "yarrow.worker.results.payloads",
        "yarrow.runs.submit_run",
        "yarrow.agents.system_agents",
        "yarrow.services.tools",
        "yarrow.protocol.run_input.messages",
        "yarrow.protocol.run_input.body",
        "yarrow.protocol.runner.models",
        "yarrow.protocol.runner.api",
        "yarrow.protocol.runner.manifest",
    }
)
"""What takes some milliseconds each, and not every function needs."""

WEB = frozenset({"botocore.session", "starlette"})
SUBMITS = WEB | {
    "yarrow.runs.submit_run",
    "yarrow.protocol.run_input.messages",
    "yarrow.protocol.run_input.body",
}
WORKSPACES = frozenset(
    {
        *("botocore.session", "pydantic"),
        *("yarrow.protocol.run_input.messages", "yarrow.protocol.run_input.body"),
    }
)
TICKETS = WEB | WORKSPACES
POLICIES = frozenset(
    {
        *("pydantic", "yaml", "yarrow.agents.system_agents", "yarrow.services.tools"),
        *("yarrow.protocol.run_input.messages", "yarrow.protocol.run_input.body"),
        *("yarrow.protocol.runner.models", "yarrow.protocol.runner.api", "yarrow.protocol.runner.manifest"),
    }
)
"""What says what agents may do."""
ANSWERS_RUNNERS = frozenset(
    {"pydantic", "yarrow.services.api", "yarrow.services.models", "yarrow.services.tools", "yarrow.protocol.runner.api"}
)


@dataclass(frozen=True)
class Budget:
    """What a function may import: of what is dear, these parts; so many modules for each of the reference; so many
    models of ours, each of which pydantic builds for a third of a millisecond."""

    parts: frozenset[str]
    modules: float
    models: int


BUDGETS: Final = {
    "agents": Budget(WEB | POLICIES, 1.6, 111),
    "authorize": Budget(frozenset({"cryptography", "jwt"}), 0.76, 0),
    "authorize_workspace": Budget(frozenset({"botocore.session", "cryptography", "jwt"}), 1.18, 0),
    "begin_upload": Budget(WEB | {"pydantic"}, 1.45, 1),
    "interrupts": Budget(SUBMITS | {"pydantic"}, 1.53, 3),
    "expire_question": Budget(SUBMITS | {"pydantic"}, 1.34, 3),
    "jobs": Budget(SUBMITS | {"pydantic"}, 1.59, 9),
    "probe": Budget(frozenset({"botocore.session"}), 1.2, 0),
    "repair_schedules": Budget(WEB | {"pydantic"}, 1.2, 9),
    "start_job": Budget(SUBMITS | {"pydantic"}, 1.34, 9),
    "cancel_run": Budget(WEB, 1.31, 0),
    "connect_workspace": Budget(WORKSPACES, 1.25, 13),
    "create_workspace_ticket": Budget(TICKETS, 1.43, 3),
    "delete_session": Budget(WEB, 1.31, 0),
    "deliver_webhooks": Budget(frozenset({"botocore.session"}), 1.6, 0),
    "describe_api": Budget(frozenset(), 0.23, 0),
    "disconnect_workspace": Budget(WORKSPACES, 1.25, 13),
    "end_run": Budget(frozenset({"botocore.session"}), 1.08, 0),
    "execute_run": Budget(DEAR - {"cryptography", "jwt", "starlette", "yarrow.runs.submit_run"}, 1.74, 162),
    "export_traces": Budget(frozenset({"botocore.session"}), 1.27, 0),
    "finish_upload": Budget(WEB | {"pydantic"}, 1.45, 1),
    "get_history": Budget(WEB, 1.34, 0),
    "mcp": Budget(SUBMITS, 1.5, 0),
    "memories": Budget(WEB, 1.27, 0),
    "publish_events": Budget(frozenset({"botocore.session"}), 1.1, 0),
    "usage": Budget(WEB, 1.3, 0),
    "send_notifications": Budget(frozenset({"botocore.session", "cryptography"}), 1.8, 0),
    "mcp_connections": Budget(WEB | POLICIES, 1.9, 110),
    "devices": Budget(WEB | {"pydantic", "cryptography"}, 1.7, 8),
    "webhooks": Budget(WEB | {"pydantic"}, 1.5, 4),
    "record_outcome": Budget(WEB | {"pydantic"}, 1.45, 1),
    "runner_api": Budget(WEB | ANSWERS_RUNNERS, 1.62, 79),
    "send_message": Budget(SUBMITS | {"pydantic"}, 1.57, 6),
    "serve_console": Budget(WEB, 1.22, 0),
    "sign_attachment": Budget(WEB, 1.26, 0),
    "stream_events": Budget(WEB, 1.34, 0),
    "submit_run": Budget(SUBMITS, 1.37, 0),
    "transcribe": Budget(WEB, 1.25, 0),
    "workspace_command": Budget(WORKSPACES | {"yarrow.runs.submit_run"}, 1.42, 13),
    "workspace_push": Budget(WORKSPACES | {"yarrow.runs.submit_run"}, 1.4, 13),
}


def app_of(function: str) -> ast.Module:
    return ast.parse((ROOT / "functions" / function / "app.py").read_text("utf-8"))


def handler_of(function: str) -> str:
    """What makes its `handler`, if it is made of an app."""
    assigned = [node for node in app_of(function).body if isinstance(node, ast.Assign)]
    made = [ast.unparse(node.value) for node in assigned if ast.unparse(node.targets[0]) == "handler"]
    return made[0].partition("(app)")[0] if made else ""


IN_LAMBDA: Final = {
    "AWS_LAMBDA_RUNTIME_API": "127.0.0.1:1",
    "AWS_REGION": "eu-west-1",
    "AWS_DEFAULT_REGION": "eu-west-1",
    "TRANSCRIBER": "amazon",
    "WORKSPACE_ENDPOINT": "https://example.execute-api.eu-west-1.amazonaws.com/live",
}
SERVICES: Final = {
    "dynamodb": "dynamodb",
    "events": "event_bridge",
    "execute-api": "connections",
    "scheduler": "scheduler",
    "sqs": "sqs",
    "states": "step_functions",
}
"""The client of each service of IAM's that is made at the start."""

FILES = frozenset({"begin_upload", "finish_upload", "sign_attachment", "transcribe"})
"""Functions whose every request is about a file; others look at pictures now and then."""

LATER: Final = {
    "authorize": {"dynamodb"},
    "end_run": {"step_functions"},
    "execute_run": {"step_functions"},
}
"""What a function needs for few requests: those with an API key, and runs that take more than one turn."""


@dataclass(frozen=True)
class Imported:
    """After a statement: every module that is loaded, how many models of ours, and whether garbage is looked for less
    often than before, and not among what is loaded; of a function also the clients that it has made, on this machine
    and in Lambda."""

    modules: frozenset[str]
    models: int
    collects_less: bool
    clients: frozenset[str]
    clients_in_lambda: frozenset[str]
    anyio_backend_in_lambda: bool


_COUNT = """
import gc
thresholds = gc.get_threshold()
{statement}
collects_less = gc.isenabled() and gc.get_threshold() != thresholds and gc.get_freeze_count() > 10_000
import importlib, json, os, sys
modules = sorted(sys.modules)
def below(kind):
    for model in kind.__subclasses__():
        yield model
        yield from below(model)
pydantic = sys.modules.get("pydantic.main")
all_models = set(below(pydantic.BaseModel)) if pydantic else set()
models = {{model for model in all_models if model.__module__.startswith(("yarrow", "liuyao"))}}
def made():
    names = ("connections", "dynamodb", "event_bridge", "lambda", "s3", "scheduler", "sqs")
    names += ("step_functions", "transcribe")
    clients = sys.modules.get("yarrow.store.clients")
    return [name for name in names if clients and getattr(clients, "_" + name).cache_info().currsize]
here = made()
os.environ |= {environment}
if {function!r}:
    # As Lambda starts it, but for the imports, which are there already.
    vars(sys.modules["yarrow.settings"].settings).clear()
    importlib.reload(sys.modules["functions.{function}.app"])
print(json.dumps([modules, len(models), collects_less, here, made(), "anyio._backends._asyncio" in sys.modules]))
"""


@cache
def after(statement: str, function: str = "") -> Imported:
    code = _COUNT.format(statement=statement, function=function, environment=IN_LAMBDA)
    command = [sys.executable, "-c", code]
    done = subprocess.run(
        command, cwd=ROOT, env={"PATH": "", "DEFAULT_AGENT": "divination"}, capture_output=True, text=True, check=True
    )
    modules, models, collects_less, here, in_lambda, *has_backend = json.loads(done.stdout)
    return Imported(frozenset(modules), models, collects_less, frozenset(here), frozenset(in_lambda), *has_backend)


def imported(function: str) -> Imported:
    """What is there when the function has been imported and nothing was asked of it."""
    return after(f"import functions.{function}.app", function)


def is_room(name: str) -> bool:
    return name.startswith(("yarrow", "liuyao")) and (ROOT / "layers/core" / name.replace(".", "/")).is_dir()


def test_every_function_has_its_budget() -> None:
    assert sorted(BUDGETS) == FUNCTIONS


@pytest.mark.parametrize("function", FUNCTIONS)
def test_a_function_imports_no_more_than_it_needs(function: str) -> None:
    """A cold start pays for its own work alone."""
    assert imported(function).modules & NEVER == set()
    assert imported(function).modules & DEAR <= BUDGETS[function].parts


@pytest.mark.parametrize("function", FUNCTIONS)
def test_a_function_keeps_its_budget_beside_a_bare_client(function: str) -> None:
    """Times go with these two numbers; what they come to is in `tests/bench/bench_cold_start.py`.

    Rooms are not counted: their `__init__` holds a docstring.
    """
    modules = [name for name in imported(function).modules if not is_room(name)]
    assert len(modules) <= BUDGETS[function].modules * len(after(REFERENCE).modules)
    assert imported(function).models <= BUDGETS[function].models


@pytest.mark.parametrize("statement", ["import yarrow.sdk", "import yarrow.store.clients, yarrow.web.app"])
def test_what_others_import_leaves_their_garbage_collector_alone(statement: str) -> None:
    assert not after(statement).collects_less


@pytest.mark.parametrize("function", FUNCTIONS)
def test_a_function_looks_less_often_for_garbage(function: str) -> None:
    """And not at all among what it imported."""
    assert imported(function).collects_less


@pytest.mark.parametrize("function", FUNCTIONS)
def test_a_function_looks_for_no_garbage_while_it_is_imported(function: str) -> None:
    """It takes an eighth off a cold start, most of which is imports."""
    docstring, first, second, *_, last = app_of(function).body
    assert isinstance(docstring, ast.Expr)
    names = "pause_garbage_collection, resume_garbage_collection"
    assert ast.unparse(first) == f"from yarrow.web.cold_start import {names}"
    assert ast.unparse(second) == "pause_garbage_collection()"
    assert ast.unparse(last) == "resume_garbage_collection()"


CORE: Final = ROOT / "layers/core"
ONE_OF_TWO: Final = {("yarrow.media.transcription.choice", "yarrow.media.transcription.amazon")}
"""Imports of the alternative that a deployment has; here it is the one of the environment."""


def late_imports() -> Iterator[tuple[str, str]]:
    """Each import in a function of the core: the module that has it, and the one that it imports."""
    for path in CORE.rglob("*.py"):
        module = ".".join(path.relative_to(CORE).with_suffix("").parts)
        tree = ast.parse(path.read_text("utf-8"))
        functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
        for node in (node for function in functions for node in ast.walk(function)):
            if isinstance(node, ast.Import):
                yield from ((module, alias.name) for alias in node.names)
            elif isinstance(node, ast.ImportFrom):
                for alias in node.names:
                    below = CORE / f"{node.module}.{alias.name}".replace(".", "/")
                    is_module = below.with_suffix(".py").exists() or below.is_dir()
                    yield module, f"{node.module}.{alias.name}" if is_module else str(node.module)


def test_an_import_in_a_function_spares_a_cold_start() -> None:
    """Whoever imports the module when it starts needs what the function imports only later, or not at all."""
    for module, late in set(late_imports()) - ONE_OF_TWO:
        starts = [function for function in FUNCTIONS if module in imported(function).modules]
        assert not starts or any(late not in imported(function).modules for function in starts), (module, late)


def test_the_rules_of_an_agents_input_are_imported_without_the_agent() -> None:
    """What a function needs to accept a run is a module beside the runner, and no model."""
    accepts = "import functions.submit_run.app"
    rules = "from yarrow.agents.bindings import deployed; [each.rules for each in deployed().values()]"
    imported_then = after(f"{accepts}; {rules}")
    own = {name for name in imported_then.modules if name.startswith(("yarrow.runners.", "yarrow_agents.", "liuyao"))}
    agents = ("assistant", "divination", "guided_cast")
    known = {
        "yarrow.runners.input_discovery",
        "yarrow_agents.divination.error_codes",
        "yarrow_agents.help_lines",
        *(f"yarrow_agents.{name}" for name in agents),
    }
    assert own == known | {f"yarrow_agents.{name}.input_rules" for name in agents}
    assert imported_then.models == imported("submit_run").models


def test_the_budget_allows_nothing_that_no_function_imports() -> None:
    """A package that was renamed, or is gone, would be watched in vain."""
    assert frozenset().union(*(imported(function).modules for function in FUNCTIONS)) >= DEAR


@pytest.mark.parametrize("function", FUNCTIONS)
def test_a_function_makes_the_clients_of_its_requests_as_it_starts(function: str) -> None:
    """Neither one too few, nor one that it does not use."""
    services = {action.partition(":")[0] for action in actions(function)}
    needed = {client for service, client in SERVICES.items() if service in services}
    files = {"s3"} if function in FILES else set()
    assert imported(function).clients_in_lambda == needed - LATER.get(function, set()) | files


@pytest.mark.parametrize("function", FUNCTIONS)
def test_elsewhere_clients_are_made_by_the_first_use(function: str) -> None:
    """On one machine there is no endpoint yet when functions are imported; in tests moto comes after them."""
    assert imported(function).clients == set()


@pytest.mark.parametrize("function", FUNCTIONS)
def test_a_function_that_streams_loads_the_event_loop_as_it_starts(function: str) -> None:
    """anyio would do it in the first request, when the function has a part of a CPU. Others do without."""
    found = imported(function)
    assert "anyio._backends._asyncio" not in found.modules
    assert found.anyio_backend_in_lambda == (handler_of(function) == "Streaming")


@pytest.mark.parametrize("function", [function for function in FUNCTIONS if handler_of(function) == "buffered"])
def test_a_buffered_function_needs_no_thread(function: str) -> None:
    """Starlette would run a plain function in a thread of anyio's, which each event would have to start."""
    routes = ROOT / f"layers/core/yarrow/routes/{function}.py"
    module = ast.parse(routes.read_text("utf-8")) if routes.exists() else app_of(function)
    calls = [node for node in ast.walk(module) if isinstance(node, ast.Call) and ast.unparse(node.func) == "Route"]
    endpoints = {ast.unparse(call.args[1]) for call in calls}
    asynchronous = {node.name for node in module.body if isinstance(node, ast.AsyncFunctionDef)}
    assert endpoints
    assert endpoints <= asynchronous
    assert not any(name in ast.unparse(module) for name in ("run_in_threadpool", "to_thread"))
