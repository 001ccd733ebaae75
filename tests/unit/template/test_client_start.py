"""Which AWS clients a function makes as Lambda starts it: those that its requests need, so that none waits for them."""

import json
import subprocess
import sys
from functools import cache

import pytest

from tests.support.paths import ROOT
from tests.support.reachable_calls import actions

FUNCTIONS = sorted(path.parent.name for path in (ROOT / "functions").glob("*/app.py"))
IN_LAMBDA = {"AWS_LAMBDA_RUNTIME_API": "127.0.0.1:1", "AWS_REGION": "eu-west-1", "AWS_DEFAULT_REGION": "eu-west-1"}
SERVICES = {"dynamodb": "dynamodb", "states": "step_functions"}
"""The client of each service of IAM's that is made at the start."""

FILES = frozenset({"begin_upload", "finish_upload", "sign_attachment", "transcribe"})
"""Functions whose every request is about a file; others look at pictures now and then."""

LATER = {"authorize": {"dynamodb"}}
"""What a function needs for few requests: here those with an API key."""

_MADE = """
import json
import functions.{}.app
from yarrow.store import clients
kept = {{name: getattr(clients, "_" + name) for name in ("dynamodb", "step_functions", "s3", "lambda", "transcribe")}}
print(json.dumps([name for name, make in kept.items() if make.cache_info().currsize]))
"""


@cache
def made(function: str, *, in_lambda: bool) -> set[str]:
    """The clients that are there once the function is imported."""
    done = subprocess.run(
        [sys.executable, "-c", _MADE.format(function)],
        cwd=ROOT,
        env={"PATH": "", "TRANSCRIBER": "amazon", **(IN_LAMBDA if in_lambda else {})},
        capture_output=True,
        text=True,
        check=True,
    )
    return set(json.loads(done.stdout))


@pytest.mark.parametrize("function", FUNCTIONS)
def test_a_function_makes_the_clients_of_its_requests_as_it_starts(function: str) -> None:
    """Neither one too few, nor one that it does not use."""
    services = {action.partition(":")[0] for action in actions(function)}
    needed = {client for service, client in SERVICES.items() if service in services}
    files = {"s3"} if function in FILES else set()
    assert made(function, in_lambda=True) == needed - LATER.get(function, set()) | files


@pytest.mark.parametrize("function", ["submit_run", "stream_events"])
def test_elsewhere_they_are_made_by_the_first_use(function: str) -> None:
    """On one machine there is no endpoint yet when functions are imported; in tests moto comes after them."""
    assert made(function, in_lambda=False) == set()
