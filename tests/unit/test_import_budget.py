"""What each function imports before its first request, which is what its cold start costs. How long that takes, and
beside what, `tests/bench/bench_cold_start.py` measures; here is nothing timed."""

import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FUNCTIONS = sorted(path.parent.name for path in (ROOT / "functions").glob("*/app.py"))

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
        "yarrow.protocol.forms",
        "yarrow.runners.assistant",
        "yarrow.runners.divination",
        "yarrow.runners.langbot",
    }
)
"""What no function imports before it knows that a request needs it."""

DEAR = frozenset(
    {
        "boto3",
        "cryptography",
        "jwt",
        "pydantic",
        "starlette",
        "yaml",
        "yarrow.host.api",
        "yarrow.host.models",
        "yarrow.host.orchestrator",
        "yarrow.host.submission",
        "yarrow.host.system_agents",
        "yarrow.host.tools",
        "yarrow.protocol.events",
        "yarrow.protocol.messages",
        "yarrow.protocol.run_input",
        "yarrow.protocol.runner",
        "yarrow.protocol.runner_api",
    }
)
"""What takes some milliseconds each, and not every function needs."""

WEB = frozenset({"boto3", "starlette"})
EVENTS = frozenset({"pydantic", "yarrow.protocol.events", "yarrow.protocol.messages"})
INPUT = frozenset({"pydantic", "yarrow.protocol.messages", "yarrow.protocol.run_input"})
SUBMITS = WEB | EVENTS | INPUT | {"yaml", "yarrow.host.submission", "yarrow.host.system_agents"}
ANSWERS_RUNNERS = {
    "yarrow.host.api",
    "yarrow.host.models",
    "yarrow.host.tools",
    "yarrow.protocol.runner",
    "yarrow.protocol.runner_api",
}
WORKS = DEAR - {"cryptography", "jwt", "starlette", "yarrow.host.submission"}

BUDGET: dict[str, frozenset[str]] = {
    "authorize": frozenset({"cryptography", "jwt"}),
    "begin_upload": WEB | {"pydantic"},
    "cancel_run": WEB | EVENTS,
    "delete_session": WEB | EVENTS,
    "describe_api": frozenset(),
    "end_run": WORKS,
    "execute_run": WORKS,
    "finish_upload": WEB | {"pydantic"},
    "get_history": WEB | {"pydantic"},
    "runner_api": WEB | INPUT | ANSWERS_RUNNERS,
    "send_message": SUBMITS,
    "sign_attachment": WEB | {"pydantic"},
    "stream_events": WEB | EVENTS | INPUT,
    "submit_run": SUBMITS,
    "transcribe": WEB,
}


@cache
def imported(function: str) -> frozenset[str]:
    """Every module that is there when the function has been imported and nothing was asked of it."""
    code = f"import sys, functions.{function}.app; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    return frozenset(done.stdout.split())


def test_every_function_has_its_budget() -> None:
    assert sorted(BUDGET) == FUNCTIONS


@pytest.mark.parametrize("function", FUNCTIONS)
def test_a_function_imports_no_more_than_it_needs(function: str) -> None:
    """A cold start pays for its own work alone."""
    assert imported(function) & NEVER == set()
    assert imported(function) & DEAR <= BUDGET[function]


def test_the_budget_allows_nothing_that_no_function_imports() -> None:
    """A package that was renamed, or is gone, would be watched in vain."""
    assert frozenset().union(*(imported(function) for function in FUNCTIONS)) >= DEAR
