"""What each function imports before its first request, which is what its cold start costs. How long that takes, and
beside what, `tests/bench/bench_cold_start.py` measures; here is nothing timed, but counted. Modules are counted beside
those of boto3 with a DynamoDB client, for both numbers go with the versions of packages."""

import ast
import json
import subprocess
import sys
from dataclasses import dataclass
from functools import cache
from typing import Final

import pytest

from tests.support.paths import ROOT

FUNCTIONS = sorted(path.parent.name for path in (ROOT / "functions").glob("*/app.py"))
REFERENCE = "import boto3; boto3.client('dynamodb', region_name='eu-west-1')"

NEVER = frozenset(
    {
        "aws_xray_sdk",
        "httpx",
        "langbot_plugin",
        "local",
        "moto",
        "openai",
        "puremagic",
        "pydantic_ai",
        "sqlite3",
        "tests",
        "yarrow.divination",
        "yarrow.services.models.lexical",
        "yarrow.runs.agui.join_snapshot",
        "yarrow.protocol.files.multipart",
        "yarrow.runners.assistant",
        "yarrow.runners.divination",
        "yarrow.runners.langbot",
    }
)
"""What no function imports before it knows that a request needs it."""

DEAR = frozenset(
    {
        "boto3",
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
        "yarrow.protocol.events.divination",
        "yarrow.protocol.events.events",
        "yarrow.protocol.run_input.messages",
        "yarrow.protocol.run_input.body",
        "yarrow.protocol.runner.models",
        "yarrow.protocol.runner.api",
        "yarrow.protocol.runner.manifest",
    }
)
"""What takes some milliseconds each, and not every function needs."""

WEB = frozenset({"boto3", "botocore.session", "starlette"})
EVENTS = frozenset(
    {
        "pydantic",
        "yarrow.protocol.events.divination",
        "yarrow.protocol.events.events",
        "yarrow.protocol.run_input.messages",
    }
)
SUBMITS = WEB | {
    "pydantic",
    "yaml",
    "yarrow.runs.submit_run",
    "yarrow.agents.system_agents",
    "yarrow.protocol.run_input.messages",
    "yarrow.protocol.run_input.body",
}
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
    "authorize": Budget(frozenset({"cryptography", "jwt"}), 0.8, 0),
    "begin_upload": Budget(WEB | {"pydantic"}, 1.56, 8),
    "cancel_run": Budget(WEB | EVENTS, 1.58, 52),
    "delete_session": Budget(WEB | EVENTS, 1.58, 52),
    "describe_api": Budget(frozenset(), 0.25, 0),
    "end_run": Budget(EVENTS | {"boto3", "botocore.session"}, 1.36, 52),
    "execute_run": Budget(DEAR - {"cryptography", "jwt", "starlette", "yarrow.runs.submit_run"}, 1.73, 175),
    "finish_upload": Budget(WEB | {"pydantic"}, 1.56, 8),
    "get_history": Budget(WEB | {"pydantic"}, 1.56, 16),
    "runner_api": Budget(WEB | ANSWERS_RUNNERS, 1.69, 60),
    "send_message": Budget(SUBMITS, 1.69, 44),
    "sign_attachment": Budget(WEB | {"pydantic"}, 1.53, 8),
    "stream_events": Budget(WEB | {"pydantic"}, 1.57, 4),
    "submit_run": Budget(SUBMITS, 1.66, 44),
    "transcribe": Budget(WEB, 1.41, 0),
}


@dataclass(frozen=True)
class Imported:
    """Every module that is there when a statement was done, and how many models of ours."""

    modules: frozenset[str]
    models: int


_COUNT = """
import json, sys
{}
def below(kind):
    for each in kind.__subclasses__():
        yield each
        yield from below(each)
pydantic = sys.modules.get("pydantic.main")
models = {{each for each in below(pydantic.BaseModel) if each.__module__.startswith("yarrow.")}} if pydantic else ()
print(json.dumps([sorted(sys.modules), len(models)]))
"""


@cache
def after(statement: str) -> Imported:
    code = _COUNT.format(statement)
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    modules, models = json.loads(done.stdout)
    return Imported(frozenset(modules), models)


def imported(function: str) -> Imported:
    """What is there when the function has been imported and nothing was asked of it."""
    return after(f"import functions.{function}.app")


def is_room(name: str) -> bool:
    return name.startswith("yarrow.") and (ROOT / "layers/core" / name.replace(".", "/")).is_dir()


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


@pytest.mark.parametrize(
    ("statement", "is_ours"),
    [
        *((f"import functions.{function}.app", True) for function in FUNCTIONS),
        ("import yarrow.sdk", False),
        ("import yarrow.store.clients, yarrow.web.app", False),
    ],
)
def test_only_functions_of_ours_look_less_often_for_garbage(statement: str, is_ours: bool) -> None:
    """It takes a seventh off a cold start; what others do in their processes is theirs to say."""
    code = f"import gc; was = gc.get_threshold(); {statement}; print(gc.get_threshold() != was)"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout == f"{is_ours}\n"


@pytest.mark.parametrize("function", FUNCTIONS)
def test_a_function_looks_less_often_for_garbage_before_its_other_imports(function: str) -> None:
    """Most of a cold start is imports."""
    docstring, first, second, *_ = ast.parse((ROOT / "functions" / function / "app.py").read_text("utf-8")).body
    assert isinstance(docstring, ast.Expr)
    assert ast.unparse(first) == "from yarrow.web.cold_start import collect_garbage_less_often"
    assert ast.unparse(second) == "collect_garbage_less_often()"


def test_the_rules_of_an_agents_input_are_imported_without_the_agent() -> None:
    """What a function needs to accept a run is a module beside the runner, and no model."""
    accepts = "import functions.submit_run.app"
    rules = "from yarrow.agents.bindings import deployed; [each.rules for each in deployed().values()]"
    imported_then = after(f"{accepts}; {rules}")
    own = {name for name in imported_then.modules if name.startswith(("yarrow.runners.", "yarrow.divination"))}
    agents = ("assistant", "divination")
    known = {"yarrow.runners.input_discovery", *(f"yarrow.runners.{name}" for name in agents)}
    assert own == known | {f"yarrow.runners.{name}.input_rules" for name in agents}
    assert imported_then.models == after(accepts).models


def test_the_budget_allows_nothing_that_no_function_imports() -> None:
    """A package that was renamed, or is gone, would be watched in vain."""
    assert frozenset().union(*(imported(function).modules for function in FUNCTIONS)) >= DEAR
