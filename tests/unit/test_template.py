"""The template and the functions say the same: one function per folder, one route per route."""

import importlib
import json
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from graphlib import TopologicalSorter
from pathlib import Path
from typing import Any

import pytest
from starlette.applications import Starlette

from local.stack import IAM, LambdaIntegration, MockIntegration, Stack
from local.template import load, translate
from yarrow.store.artifacts import ARTIFACT_DAYS
from yarrow.web.lambda_http import Streaming

ROOT = Path(__file__).parents[2]
TEMPLATE = ROOT / "template.yaml"
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


# ---- What operations rely on -----------------------------------------------------------------------------------------
PARAMETERS = {"OidcIssuer": "https://issuer.example", "OidcAudience": "yarrow"}


def translated(**parameters: str) -> dict[str, Any]:
    """The resources that CloudFormation is given."""
    resources: dict[str, Any] = translate(TEMPLATE, PARAMETERS | parameters)["Resources"]
    return resources


def parsed(path: Path) -> dict[str, Any]:
    """A file of YAML, with CloudFormation's tags."""
    from samtranslator.yaml_helper import yaml_parse

    content: dict[str, Any] = yaml_parse(path.read_text(encoding="utf-8"))
    return content


@pytest.fixture(scope="module")
def source() -> dict[str, Any]:
    return parsed(TEMPLATE)


@pytest.fixture(scope="module")
def resources() -> dict[str, Any]:
    return translated()


def of_type(resources: dict[str, Any], kind: str) -> dict[str, Any]:
    """The properties of each resource of a type, by name."""
    return {name: each["Properties"] for name, each in resources.items() if each["Type"] == kind}


def test_every_parameter_is_described_and_has_one_place_in_the_form(source: dict[str, Any]) -> None:
    groups = source["Metadata"]["AWS::CloudFormation::Interface"]["ParameterGroups"]
    placed = [name for group in groups for name in group["Parameters"]]
    assert sorted(placed) == sorted(source["Parameters"])
    assert all(each["Description"].endswith((".", ").")) for each in source["Parameters"].values())
    assert all(each["Description"] for each in source["Outputs"].values())


@pytest.mark.parametrize("environment", ["dev", "prod"])
def test_an_environment_sets_parameters_that_there_are(source: dict[str, Any], environment: str) -> None:
    deploy = tomllib.loads((ROOT / "samconfig.toml").read_text(encoding="utf-8"))[environment]["deploy"]["parameters"]
    (file,) = deploy["parameter_overrides"]
    given = parsed(ROOT / file.removeprefix("file://"))
    for name, value in given.items():
        assert value in source["Parameters"][name].get("AllowedValues", [value]), name
    assert (given.get("DeletionProtection") == "true") is (environment == "prod")


def mentioned(value: Any) -> Iterator[str]:
    """The names that a piece of a template refers to."""
    match value:
        case {"Ref": str(name)} | {"Fn::GetAtt": [str(name), *_]}:
            yield name
        case {"Fn::Sub": str(text) | [str(text), _]}:
            yield from (name.partition(".")[0] for name in re.findall(r"\$\{([^!}]+)\}", text))
            yield from mentioned(value["Fn::Sub"][1:] if isinstance(value["Fn::Sub"], list) else [])
        case dict():
            yield from (name for each in value.values() for name in mentioned(each))
        case list():
            yield from (name for each in value for name in mentioned(each))


def test_no_resource_waits_for_itself(resources: dict[str, Any]) -> None:
    """CloudFormation makes what is referred to first. The linter looks for circles among what SAM is given only."""
    order = TopologicalSorter(
        {name: [other for other in mentioned(each) if other in resources] for name, each in resources.items()}
    )
    order.prepare()


def test_whoever_calls_a_function_calls_its_alias(resources: dict[str, Any]) -> None:
    """So that traffic moves, and goes back, by moving the alias."""
    called = [
        *(each["FunctionName"]["Ref"] for each in of_type(resources, "AWS::Lambda::Permission").values()),
        *(
            target["Arn"]["Ref"]
            for each in of_type(resources, "AWS::Events::Rule").values()
            for target in each["Targets"]
        ),
        resources["RunMachine"]["Properties"]["DefinitionSubstitutions"]["ExecuteRunFunctionArn"]["Ref"],
    ]
    assert set(called) == set(of_type(resources, "AWS::Lambda::Alias"))


def test_new_code_and_a_new_release_make_new_versions(resources: dict[str, Any], tmp_path: Path) -> None:
    """All code is in the layer; and of parameters SAM sees nothing, so that a version changes with Release."""
    text = TEMPLATE.read_text(encoding="utf-8")
    changed = tmp_path / "template.yaml"
    changed.write_text(text.replace("ContentUri: layers/core\n", "ContentUri: layers/other\n"), encoding="utf-8")
    versions = of_type(resources, "AWS::Lambda::Version")
    assert not versions.keys() & of_type(translate(changed, PARAMETERS)["Resources"], "AWS::Lambda::Version").keys()
    assert all(each["Description"] == {"Ref": "Release"} for each in versions.values())
    functions = of_type(resources, "AWS::Lambda::Function")
    assert all(each["Environment"]["Variables"]["RELEASE"] == {"Ref": "Release"} for each in functions.values())


def test_a_gradual_deployment_goes_back_when_an_alarm_rings(resources: dict[str, Any]) -> None:
    for group in of_type(translated(Deployment="Canary10Percent5Minutes"), "AWS::CodeDeploy::DeploymentGroup").values():
        condition, alarms, none = group["AlarmConfiguration"]["Fn::If"]
        assert (condition, none) == ("RollsBack", {})
        assert {each["Name"]["Ref"] for each in alarms["Alarms"]} == {"ApiFailing", "RunsFailing"}
        assert "DEPLOYMENT_STOP_ON_ALARM" in group["AutoRollbackConfiguration"]["Events"]
    assert len(of_type(resources, "AWS::CodeDeploy::DeploymentGroup")) == len(FOLDERS)


def test_every_function_is_traced_logged_and_on_arm(resources: dict[str, Any]) -> None:
    for name, function in of_type(resources, "AWS::Lambda::Function").items():
        assert function["TracingConfig"] == {"Mode": "Active"}, name
        assert function["LoggingConfig"] == {"LogGroup": {"Ref": "FunctionLogs"}}, name
        assert function["Architectures"] == ["arm64"], name
        streams = "AWS_LAMBDA_EXEC_WRAPPER" in function["Environment"]["Variables"]
        assert (function["SnapStart"] == {"ApplyOn": "None"}) is streams, name


def test_logs_are_kept_as_long_as_told_and_hold_no_secrets(resources: dict[str, Any]) -> None:
    """SEC-05."""
    groups = of_type(resources, "AWS::Logs::LogGroup")
    assert set(groups) == {"FunctionLogs", "ExecutionLogs", "AccessLogs"}
    assert all(each["RetentionInDays"] == {"Ref": "LogRetentionDays"} for each in groups.values())
    logging = resources["RunMachine"]["Properties"]["LoggingConfiguration"]
    assert (logging["Level"], logging["IncludeExecutionData"]) == ("ERROR", False)
    for stage in of_type(resources, "AWS::ApiGateway::Stage").values():
        _, setting, _ = stage["AccessLogSetting"]["Fn::If"]
        line: dict[str, str] = json.loads(setting["Format"])
        shown = set(line.values())
        assert not {each for each in shown if re.search(r"header|querystring|\.path$|principal|claims|url", each)}
        assert {"$context.requestId", "$context.resourcePath", "$context.status"} <= shown


def test_what_users_own_outlives_the_stack(resources: dict[str, Any]) -> None:
    kept = {name for name, each in resources.items() if each.get("UpdateReplacePolicy") == "Retain"}
    assert kept == {"Table", "Inputs", "UserPool", "DataKey"}
    assert all(resources[name]["DeletionPolicy"] == "Retain" for name in kept)
    table, bucket = resources["Table"]["Properties"], resources["Inputs"]["Properties"]
    assert table["PointInTimeRecoverySpecification"] == {"PointInTimeRecoveryEnabled": True}
    assert set(bucket["PublicAccessBlockConfiguration"].values()) == {True}
    rules = {each["Prefix"]: each for each in bucket["LifecycleConfiguration"]["Rules"]}
    assert rules[""]["AbortIncompleteMultipartUpload"] == {"DaysAfterInitiation": 1}
    assert "ExpirationInDays" not in rules[""]
    assert rules["artifacts/"]["ExpirationInDays"] > ARTIFACT_DAYS


def test_an_end_that_the_backstop_cannot_deal_with_is_put_aside(resources: dict[str, Any]) -> None:
    """RUN-27: whether it was not delivered or not dealt with."""
    queue = {"Fn::GetAtt": ["UndeliveredEnds", "Arn"]}
    (rule,) = of_type(resources, "AWS::Events::Rule").values()
    (target,) = rule["Targets"]
    assert target["DeadLetterConfig"] == {"Arn": queue}
    (invocation,) = of_type(resources, "AWS::Lambda::EventInvokeConfig").values()
    assert invocation["DestinationConfig"]["OnFailure"] == {"Destination": queue}


def test_every_alarm_is_told_and_shown(resources: dict[str, Any]) -> None:
    alarms = of_type(resources, "AWS::CloudWatch::Alarm")
    for name, alarm in alarms.items():
        assert alarm["AlarmActions"] == alarm["OKActions"] == [{"Ref": "AlarmTopic"}], name
        assert alarm["TreatMissingData"] == "notBreaching", name
        assert name in (ROOT / "docs/operations.md").read_text(encoding="utf-8"), name
    body = resources["Dashboard"]["Properties"]["DashboardBody"]["Fn::Sub"]
    widgets = json.loads(body.replace("${AWS::", "${"))["widgets"]
    assert {each.removeprefix("${").removesuffix(".Arn}") for each in widgets[0]["properties"]["alarms"]} == set(alarms)


def test_alarms_watch_every_function(resources: dict[str, Any]) -> None:
    watched = [
        dimension["Value"]["Ref"]
        for name in ("FunctionsFailing", "UploadsFailing")
        for metric in resources[name]["Properties"]["Metrics"][1:]
        for dimension in metric["MetricStat"]["Metric"]["Dimensions"]
    ]
    assert sorted(watched) == sorted(of_type(resources, "AWS::Lambda::Function"))


def test_stages_have_the_limits_that_are_given(resources: dict[str, Any]) -> None:
    for stage in of_type(resources, "AWS::ApiGateway::Stage").values():
        (settings,) = stage["MethodSettings"]
        assert settings["ThrottlingRateLimit"] == {"Ref": "RateLimit"}
        assert settings["ThrottlingBurstLimit"] == {"Ref": "BurstLimit"}
