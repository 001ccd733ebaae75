"""The template and the functions say the same: one function per folder, one route per route."""

import importlib
import json
import subprocess
import sys
from pathlib import Path

import pytest
from starlette.applications import Starlette

from local.stack import IAM, LambdaIntegration, MockIntegration, Stack
from local.template import load
from yarrow.web.lambda_http import Streaming

ROOT = Path(__file__).parents[2]
FOLDERS = sorted(path.parent for path in ROOT.glob("functions/*/app.py"))
FOR_ANYONE = {("GET", "/openapi.json")}


@pytest.fixture(scope="module")
def stack() -> Stack:
    return load(ROOT / "template.yaml", {"OidcIssuer": "https://issuer.example", "OidcAudience": "yarrow"})


def test_the_transformed_template_holds_one_function_per_folder(stack: Stack) -> None:
    assert sorted(function.folder for function in stack.functions.values()) == FOLDERS


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_a_function_serves_the_routes_the_template_gives_it(stack: Stack, folder: Path) -> None:
    app = importlib.import_module(f"functions.{folder.name}.app")
    (name,) = (function.name for function in stack.functions.values() if function.folder == folder)
    integrations = {
        (route.method, route.path): route.integration
        for api in (stack.api, stack.internal_api)
        for route in api.routes
        if isinstance(route.integration, LambdaIntegration) and route.integration.function == name
    }
    served = getattr(app, "app", None)
    routes = served.routes if isinstance(served, Starlette) else []
    answered = {(method, route.path) for route in routes for method in route.methods - {"HEAD"}}
    assert answered == set(integrations) - FOR_ANYONE  # which is answered without looking at the request
    assert all(each.streaming is isinstance(app.handler, Streaming) for each in integrations.values())


def test_every_route_but_the_description_needs_a_caller(stack: Stack) -> None:
    """SEC-01."""
    for route in stack.api.routes:
        if not isinstance(route.integration, MockIntegration):
            assert (route.authorizer is None) is ((route.method, route.path) in FOR_ANYONE), route.path


def test_the_internal_api_is_for_roles_alone(stack: Stack) -> None:
    """RNR-51: IAM guards every route of it."""
    assert {(route.method, route.path, route.authorizer) for route in stack.internal_api.routes} == {
        ("POST", "/internal/runs/{runKey}/actions/{action}", IAM)
    }


def test_remote_runners_are_named_to_the_function_that_runs_them() -> None:
    """RNR-01: none, unless they are given."""
    for given, named in (({}, ""), ({"RemoteRunners": "a,b"}, "a,b")):
        deployed = load(ROOT / "template.yaml", {"OidcIssuer": "https://issuer.example", "OidcAudience": "y"} | given)
        (runs,) = (each for each in deployed.functions.values() if each.folder.name == "execute_run")
        assert runs.environment["REMOTE_RUNNERS"] == named


def test_the_state_machine_passes_ids_alone_and_gives_every_task_a_limit() -> None:
    """RUN-27: whatever fails, the run is ended by the machine itself or by the backstop."""
    machine = json.loads((ROOT / "functions/execute_run/run.asl.json").read_text())
    tasks = {name: state for name, state in machine["States"].items() if state["Type"] == "Task"}
    assert set(tasks) == {"Work", "Fail"}
    for name, state in tasks.items():
        assert set(state["Parameters"]["Payload"]) <= {"task", "runKey.$", "error.$"}
        assert state["Parameters"]["Payload"]["task"] == name.lower()
        assert state["TimeoutSeconds"] < machine["TimeoutSeconds"]
        assert any(
            "Lambda.ServiceException" in retry["ErrorEquals"] or retry["ErrorEquals"] == ["States.ALL"]
            for retry in state["Retry"]
        )
    assert [(each["ErrorEquals"], each["Next"]) for each in tasks["Work"]["Catch"]] == [(["States.ALL"], "Fail")]


def test_the_backstop_hears_of_every_way_an_execution_can_stop(stack: Stack) -> None:
    (rule,) = stack.rules
    (machine,) = stack.state_machines
    assert rule.pattern["detail"]["status"] == ["FAILED", "TIMED_OUT", "ABORTED"]
    assert rule.pattern["detail"]["stateMachineArn"] == [machine.arn]


def test_the_linter_has_nothing_to_say() -> None:
    command = [
        str(Path(sys.executable).parent / "cfn-lint"),
        "--regions",
        "eu-west-1",
        "--",
        str(ROOT / "template.yaml"),
    ]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
