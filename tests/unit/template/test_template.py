"""The template and the functions say the same: one function per folder, one route per route."""

import importlib
import json
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from copy import deepcopy
from graphlib import TopologicalSorter
from pathlib import Path
from typing import Any

import pytest
from starlette.applications import Starlette
from starlette.routing import Route

from local import translation
from local.api_gateway.proxy_event import ProxyCall
from local.api_gateway.responses import ResponseType, render
from local.intrinsics import Resolver
from local.stack import IAM, LambdaIntegration, MockIntegration, Stack
from local.template import load
from local.translation import translate
from tests.support.paths import ROOT
from tests.support.state_machine import MACHINE, TURN_MACHINE
from yarrow.settings import Settings
from yarrow.store.artifacts import ARTIFACT_DAYS
from yarrow.web.lambda_http import Streaming

TEMPLATE = ROOT / "template.yaml"
FOLDERS = sorted(path.parent for path in ROOT.glob("functions/*/app.py"))
UNREAD = {("GET", "/openapi.json")}
FOR_ANYONE = {
    *UNREAD,
    ("GET", "/"),
    ("GET", "/console/{proxy+}"),
    ("GET", "/.well-known/oauth-protected-resource/mcp"),
}


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
        if api is not None
        for route in api.routes
        if isinstance(route.integration, LambdaIntegration) and route.integration.function == name
    }
    served = getattr(app, "app", None)
    routes = [route for route in served.routes if isinstance(route, Route)] if isinstance(served, Starlette) else []
    answered = {
        (method, route.path.replace(":path}", "+}"))
        for route in routes
        for method in route.methods or set()
        if method != "HEAD" or (method, route.path) in integrations
    }
    assert answered == set(integrations) - UNREAD  # which is answered without looking at the request
    assert all(integration.streaming is isinstance(app.handler, Streaming) for integration in integrations.values())


def test_every_route_but_the_description_and_the_console_needs_a_caller(stack: Stack) -> None:
    """SEC-01."""
    for route in stack.api.routes:
        if not isinstance(route.integration, MockIntegration):
            assert (route.authorizer is None) is ((route.method, route.path) in FOR_ANYONE), route.path


@pytest.mark.parametrize("accepted", ["application/json", "application/problem+json", "*/*", "text/html", ""])
def test_what_api_gateway_answers_is_a_problem_whatever_a_client_accepts(stack: Stack, accepted: str) -> None:
    """ERR-01: the body is chosen by that, the media type is a header of its own."""
    call = ProxyCall("GET", "/", "", {"accept": [accepted]}, "127.0.0.1", 3000, "1.1", request_id="r")
    for kind in ResponseType:
        answer = render(stack.api, call, None, kind)
        assert answer.headers["content-type"] == "application/problem+json"
        assert json.loads(answer.body)["code"], kind
    for response in stack.api.gateway_responses.values():
        assert set(response.templates) == {"application/json", "application/problem+json"}
        assert len(set(response.templates.values())) == 1


def test_the_internal_api_is_for_roles_alone(stack: Stack) -> None:
    """RNR-51: IAM guards every route of it."""
    assert stack.internal_api is not None
    assert {(route.method, route.path, route.authorizer) for route in stack.internal_api.routes} == {
        ("POST", "/internal/runs/{runKey}/actions/{action}", IAM)
    }


def test_remote_runners_are_named_to_the_function_that_runs_them() -> None:
    """RNR-01: none, unless they are given."""
    for arguments, named in (({}, ""), ({"RemoteRunners": "a,b"}, "a,b")):
        deployed = load(
            ROOT / "template.yaml", {"OidcIssuer": "https://issuer.example", "OidcAudience": "y"} | arguments
        )
        (runs,) = (function for function in deployed.functions.values() if function.folder.name == "execute_run")
        assert runs.environment["REMOTE_RUNNERS"] == named


@pytest.mark.parametrize("machine", [MACHINE, TURN_MACHINE], ids=["run", "turn"])
def test_a_state_machine_passes_ids_alone_and_gives_every_task_a_limit(machine: dict[str, Any]) -> None:
    """RUN-27: whatever fails, the run is ended by the machine itself or by the backstop."""
    tasks = {name: state for name, state in machine["States"].items() if state["Type"] == "Task"}
    assert set(tasks) == {"Work", "Fail"}
    for name, state in tasks.items():
        payload = state["Parameters"]["Payload"]
        assert {key.removesuffix(".$") for key in payload} <= {"task", "runKey", "turn", "turnMachine", "error"}
        assert state["Parameters"]["Payload"]["task"] == name.lower()
        assert state["TimeoutSeconds"] < machine["TimeoutSeconds"]
        assert any(
            "Lambda.ServiceException" in retry["ErrorEquals"] or retry["ErrorEquals"] == ["States.ALL"]
            for retry in state["Retry"]
        )
    assert [(item["ErrorEquals"], item["Next"]) for item in tasks["Work"]["Catch"]] == [(["States.ALL"], "Fail")]


def test_a_run_of_one_turn_goes_through_one_state() -> None:
    """STP-06: Step Functions charges for states, so runs that take no turns pay nothing for those that do."""
    assert MACHINE["StartAt"] == "Work"
    assert MACHINE["States"]["Work"]["End"]


def test_a_later_turn_has_the_tasks_of_the_first_after_a_wait() -> None:
    """STP-05: of a day at most, and then the time of all tries."""
    first, later = deepcopy(MACHINE["States"]), deepcopy(TURN_MACHINE["States"])
    assert (TURN_MACHINE["StartAt"], later["Sleep"]["Next"]) == ("Sleep", "Work")
    payloads = [later[name]["Parameters"].pop("Payload") for name in ("Work", "Fail")]
    assert {payload.pop("turn.$") for payload in payloads} == {"$.turn"}
    of_first = [{**first[name]["Parameters"].pop("Payload")} for name in ("Work", "Fail")]
    assert {payload.pop("turn") for payload in of_first} == {0}
    assert payloads == of_first
    assert {name: state for name, state in later.items() if name != "Sleep"} == first
    tries = 3 * first["Work"]["TimeoutSeconds"] + 10 * first["Fail"]["TimeoutSeconds"]
    assert MACHINE["TimeoutSeconds"] > tries
    assert TURN_MACHINE["TimeoutSeconds"] > 24 * 3600 + tries


def test_the_backstop_hears_of_every_way_an_execution_can_stop(stack: Stack) -> None:
    (rule,) = stack.rules
    assert rule.pattern["detail"]["status"] == ["FAILED", "TIMED_OUT", "ABORTED"]
    assert {*rule.pattern["detail"]["stateMachineArn"]} == {machine.arn for machine in stack.state_machines}
    assert len(stack.state_machines) == 2


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
    """Return a file of YAML, with CloudFormation's tags."""
    from samtranslator.yaml_helper import yaml_parse

    content: dict[str, Any] = yaml_parse(path.read_text(encoding="utf-8"))
    return content


@pytest.fixture(scope="module")
def source() -> dict[str, Any]:
    return parsed(TEMPLATE)


@pytest.fixture(scope="module")
def resources() -> dict[str, Any]:
    return translated()


def as_list(value: str | list[str]) -> list[str]:
    return [value] if isinstance(value, str) else value


def of_type(resources: dict[str, Any], kind: str) -> dict[str, Any]:
    """Return the properties of each resource of a type, by name."""
    return {name: resource["Properties"] for name, resource in resources.items() if resource["Type"] == kind}


def test_every_parameter_is_described_and_has_one_place_in_the_form(source: dict[str, Any]) -> None:
    groups = source["Metadata"]["AWS::CloudFormation::Interface"]["ParameterGroups"]
    placed = [name for group in groups for name in group["Parameters"]]
    assert sorted(placed) == sorted(source["Parameters"])
    assert all(parameter["Description"].endswith((".", ").")) for parameter in source["Parameters"].values())
    assert all(output["Description"] for output in source["Outputs"].values())


@pytest.mark.parametrize("environment", ["dev", "prod"])
def test_an_environment_sets_parameters_that_there_are(source: dict[str, Any], environment: str) -> None:
    deploy = tomllib.loads((ROOT / "samconfig.toml").read_text(encoding="utf-8"))[environment]["deploy"]["parameters"]
    (file,) = deploy["parameter_overrides"]
    arguments = parsed(ROOT / file.removeprefix("file://"))
    for name, value in arguments.items():
        assert value in source["Parameters"][name].get("AllowedValues", [value]), name
        assert re.fullmatch(source["Parameters"][name].get("AllowedPattern", ".*"), str(value)), name
    for name in ("DeletionProtection", "ApiAccessLogs"):
        assert (arguments.get(name) == "true") is (environment == "prod"), name
    assert (arguments.get("Deployment", "AllAtOnce") != "AllAtOnce") is (environment == "prod")
    assert f"Environment={environment}" in deploy["tags"]


def test_what_a_parameter_may_be_is_said(source: dict[str, Any]) -> None:
    """By values, a pattern or bounds; a secret may be anything, and is shown nowhere."""
    for name, parameter in source["Parameters"].items():
        if parameter["Type"] == "Number":
            assert "MinValue" in parameter or "AllowedValues" in parameter, name
        elif "NoEcho" not in parameter:
            assert "AllowedValues" in parameter or {"AllowedPattern", "ConstraintDescription"} <= parameter.keys(), name
        if "AllowedPattern" in parameter:
            assert re.fullmatch(parameter["AllowedPattern"], parameter["Default"]), name
    secret = [name for name, parameter in source["Parameters"].items() if "NoEcho" in parameter]
    assert secret == ["OpenAiApiKey", "AnthropicApiKey", "GoogleApiKey", "ProbeApiKey"]


@pytest.mark.parametrize(
    ("name", "value", "allowed"),
    [
        ("CorsOrigin", "https://app.example", True),
        ("CorsOrigin", "http://localhost:5173", True),
        ("CorsOrigin", "https://app.example/", False),
        ("CorsOrigin", "https://a.example'", False),
        ("RemoteRunners", "arn:aws:lambda:eu-west-1:123456789012:function:notes:live", True),
        ("RemoteRunners", "notes", False),
        ("AgentsLayer", "arn:aws:lambda:eu-west-1:123456789012:layer:agents:3", True),
        ("AgentsLayer", "arn:aws:lambda:eu-west-1:123456789012:layer:agents", False),
        ("OpenAiBaseUrl", "http://models.example", False),
        ("OidcIssuer", "https://login.example/realms/a/", True),
        ("CorsHeaders", "X-Tenant,X-Client-Version", True),
        ("CorsHeaders", "X-Tenant, X-Client-Version", False),
        ("CorsHeaders", "X-Tenant'", False),
        ("MailIdentity", "arn:aws:ses:eu-west-1:123456789012:identity/example.com", True),
        ("MailIdentity", "arn:aws:ses:eu-west-1:123456789012:identity/no-reply@example.com", True),
        ("MailIdentity", "example.com", False),
        ("MailFrom", "Yarrow <no-reply@example.com>", True),
        ("MailFrom", "Yarrow", False),
        ("WebAcl", "arn:aws:wafv2:eu-west-1:123456789012:regional/webacl/a/b", True),
        ("WebAcl", "arn:aws:wafv2:us-east-1:123456789012:global/webacl/a/b", False),
    ],
)
def test_a_pattern_takes_what_it_should(source: dict[str, Any], name: str, value: str, allowed: bool) -> None:
    assert bool(re.fullmatch(source["Parameters"][name]["AllowedPattern"], value)) is allowed


def mentioned(value: Any) -> Iterator[str]:
    """The names that a piece of a template refers to."""
    match value:
        case {"Ref": str(name)} | {"Fn::GetAtt": [str(name), *_]}:
            yield name
        case {"Fn::Sub": str(text) | [str(text), _]}:
            yield from (name.partition(".")[0] for name in re.findall(r"\$\{([^!}]+)\}", text))
            yield from mentioned(value["Fn::Sub"][1:] if isinstance(value["Fn::Sub"], list) else [])
        case dict():
            yield from (name for member in value.values() for name in mentioned(member))
        case list():
            yield from (name for item in value for name in mentioned(item))


def test_no_resource_waits_for_itself(resources: dict[str, Any]) -> None:
    """CloudFormation makes what is referred to first. The linter looks for circles among what SAM is given only."""
    order = TopologicalSorter(
        {name: [other for other in mentioned(resource) if other in resources] for name, resource in resources.items()}
    )
    order.prepare()


def test_gradual_deployments_run_side_by_side(resources: dict[str, Any]) -> None:
    """Moving an alias takes as long as the deployment is gradual; one that waits for another doubles it."""
    waiting = {
        name: {*mentioned(resource), *as_list(resource.get("DependsOn", []))} & resources.keys()
        for name, resource in resources.items()
    }

    def awaited(name: str) -> set[str]:
        return waiting[name].union(*map(awaited, waiting[name]))

    aliases = set(of_type(resources, "AWS::Lambda::Alias"))
    assert len(aliases) == len(FOLDERS)
    assert {alias: awaited(alias) & aliases for alias in aliases} == {alias: set() for alias in aliases}


def test_functions_know_the_state_machines_by_their_names(
    stack: Stack, resources: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    (arn,) = {
        function.environment["STATE_MACHINE_ARN"]
        for function in stack.functions.values()
        if "STATE_MACHINE_ARN" in function.environment
    }
    monkeypatch.setenv("STATE_MACHINE_ARN", arn)
    known = Settings()
    assert {known.state_machine_arn, known.turn_machine_arn} == {machine.arn for machine in stack.state_machines}
    for machine in stack.state_machines:
        assert f'"turnMachine": "{known.turn_machine_arn}"' in machine.definition
    names = {name: resources[name]["Properties"]["StateMachineName"] for name in ("RunMachine", "TurnMachine")}
    assert names == {
        "RunMachine": {"Fn::Sub": "${AWS::StackName}-runs"},
        "TurnMachine": {"Fn::Sub": "${AWS::StackName}-turns"},
    }


def test_the_state_machines_and_policies_are_of_any_partition(stack: Stack) -> None:
    """China and GovCloud have partitions of their own."""
    assert all("arn:aws:states:::lambda:invoke" in machine.definition for machine in stack.state_machines)
    for path in (TEMPLATE, *(ROOT / "functions/execute_run").glob("*.asl.json")):
        assert "arn:aws:" not in path.read_text(encoding="utf-8")


def test_whoever_calls_a_function_calls_its_alias(resources: dict[str, Any]) -> None:
    """So that traffic moves, and goes back, by moving the alias."""
    called = [
        *(event["FunctionName"]["Ref"] for event in of_type(resources, "AWS::Lambda::Permission").values()),
        *(
            target["Arn"]["Ref"]
            for event in of_type(resources, "AWS::Events::Rule").values()
            for target in event["Targets"]
            if "Ref" in target["Arn"]  # others send to a queue
        ),
        *(event["Target"]["Arn"]["Ref"] for event in of_type(resources, "AWS::Scheduler::Schedule").values()),
        # Schedules of jobs and timers of questions name the alias, which is not made before them.
        *("StartJobFunctionAliaslive", "ExpireQuestionFunctionAliaslive"),
        *(
            machine["DefinitionSubstitutions"]["ExecuteRunFunctionArn"]["Ref"]
            for machine in (resources[name]["Properties"] for name in ("RunMachine", "TurnMachine"))
        ),
        *(event["FunctionName"]["Ref"] for event in of_type(resources, "AWS::Lambda::EventSourceMapping").values()),
    ]
    assert set(called) == set(of_type(resources, "AWS::Lambda::Alias"))


def test_new_code_and_a_new_release_make_new_versions(resources: dict[str, Any], tmp_path: Path) -> None:
    """All code is in the layer; and of parameters SAM sees nothing, so that a version changes with Release."""
    text = TEMPLATE.read_text(encoding="utf-8")
    changed = tmp_path / "template.yaml"
    changed.write_text(text.replace("ContentUri: layers/core\n", "ContentUri: layers/other\n"), encoding="utf-8")
    versions = of_type(resources, "AWS::Lambda::Version")
    assert not versions.keys() & of_type(translate(changed, PARAMETERS)["Resources"], "AWS::Lambda::Version").keys()
    assert all(version["Description"] == {"Ref": "Release"} for version in versions.values())
    functions = of_type(resources, "AWS::Lambda::Function")
    assert all(function["Environment"]["Variables"]["RELEASE"] == {"Ref": "Release"} for function in functions.values())


def errors_watched(resources: dict[str, Any]) -> dict[str, str]:
    """By function, the alarm that watches its errors alone."""
    return {
        alarm["Dimensions"][0]["Value"]["Ref"]: name
        for name, alarm in of_type(resources, "AWS::CloudWatch::Alarm").items()
        if (alarm.get("Namespace"), alarm.get("MetricName")) == ("AWS/Lambda", "Errors")
    }


def test_a_gradual_deployment_goes_back_when_an_alarm_rings(resources: dict[str, Any]) -> None:
    """The alarm is that of all functions together, or the function's own."""
    watched = errors_watched(resources)
    groups = of_type(translated(Deployment="Canary10Percent5Minutes"), "AWS::CodeDeploy::DeploymentGroup")
    for name, group in groups.items():
        condition, alarms, none = group["AlarmConfiguration"]["Fn::If"]
        assert (condition, none) == ("RollsBack", {})
        own = watched.get(name.removesuffix("DeploymentGroup"))
        outputs = {alarm["Name"]["Ref"] for alarm in alarms["Alarms"]}
        assert outputs == {"ApiFailing", "RequestsFailing", "RunsFailing", own} - {None}, name
        assert "DEPLOYMENT_STOP_ON_ALARM" in group["AutoRollbackConfiguration"]["Events"]
    assert len(of_type(resources, "AWS::CodeDeploy::DeploymentGroup")) == len(FOLDERS)


def test_a_stage_gets_what_parameters_say(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """SAM names a deployment by its body as written: where that refers to a parameter, it needs a new one each time."""
    names = []
    for second in (1, 2):
        monkeypatch.setattr("samtranslator.model.apigateway.time.time", lambda now=second: now)
        monkeypatch.setattr(translation, "FOLDER", tmp_path / str(second))
        names.append(translated())
    for api, resource in of_type(names[0], "AWS::ApiGateway::RestApi").items():
        if set(mentioned(resource["Body"])) & set(parsed(TEMPLATE)["Parameters"]):
            first, second_time = (
                {
                    name
                    for name, event in of_type(one, "AWS::ApiGateway::Deployment").items()
                    if event["RestApiId"] == {"Ref": api}
                }
                for one in names
            )
            assert not first & second_time, api


def test_every_function_is_traced_logged_and_on_arm(resources: dict[str, Any]) -> None:
    for name, function in of_type(resources, "AWS::Lambda::Function").items():
        assert function["TracingConfig"] == {"Mode": "Active"}, name
        assert function["LoggingConfig"] == {"LogGroup": {"Ref": "FunctionLogs"}}, name
        assert function["Architectures"] == ["arm64"], name
        assert function["SnapStart"] == {"ApplyOn": {"Fn::If": ["Snapshots", "PublishedVersions", "None"]}}, name


def test_logs_are_kept_as_long_as_told_and_hold_no_secrets(resources: dict[str, Any]) -> None:
    """SEC-05."""
    groups = of_type(resources, "AWS::Logs::LogGroup")
    assert set(groups) == {"FunctionLogs", "ExecutionLogs", "AccessLogs"}
    for group in groups.values():
        assert group["RetentionInDays"] == {"Ref": "LogRetentionDays"}
        name, values = group["LogGroupName"]["Fn::Sub"]
        assert name.startswith("/aws/vendedlogs/${AWS::StackName}/${Id}/")  # which Step Functions needs no policy for
        assert list(mentioned(values)) == ["AWS::StackId"]  # a group outlives its stack, and shall not bar the next
    for machine in ("RunMachine", "TurnMachine"):
        logging = resources[machine]["Properties"]["LoggingConfiguration"]
        assert (logging["Level"], logging["IncludeExecutionData"]) == ("ERROR", False)
    for stage in of_type(resources, "AWS::ApiGateway::Stage").values():
        _, setting, _ = stage["AccessLogSetting"]["Fn::If"]
        line: dict[str, str] = json.loads(setting["Format"])
        shown = set(line.values())
        assert not {text for text in shown if re.search(r"header|querystring|\.path$|principal|claims|url", text)}
        assert {"$context.requestId", "$context.resourcePath", "$context.status"} <= shown


def test_what_users_own_outlives_the_stack(resources: dict[str, Any]) -> None:
    kept = {name for name, resource in resources.items() if resource.get("UpdateReplacePolicy") == "Retain"}
    logs = {"FunctionLogs", "ExecutionLogs", "AccessLogs"}
    assert (
        kept == {"Table", "Inputs", "InputsTlsOnly", "UserPool", "DataKey", "McpConnectionsKey", "BackupVault"} | logs
    )
    # A first deployment that fails leaves nothing behind that would bar the next one.
    assert {name: resources[name]["DeletionPolicy"] for name in kept} == dict.fromkeys(kept, "RetainExceptOnCreate")
    table, bucket = resources["Table"]["Properties"], resources["Inputs"]["Properties"]
    assert table["PointInTimeRecoverySpecification"] == {"PointInTimeRecoveryEnabled": True}
    assert set(bucket["PublicAccessBlockConfiguration"].values()) == {True}
    rules = {rule["Prefix"]: rule for rule in bucket["LifecycleConfiguration"]["Rules"] if "Prefix" in rule}
    (versions,) = (rule for rule in bucket["LifecycleConfiguration"]["Rules"] if rule.get("Id") == "Versions")
    # What a user has deleted is gone from a versioned bucket, too.
    assert versions["NoncurrentVersionExpiration"]["NoncurrentDays"] == 2
    assert (versions["Prefix"], versions["ExpiredObjectDeleteMarker"]) == ("", True)
    assert rules[""]["AbortIncompleteMultipartUpload"] == {"DaysAfterInitiation": 1}
    assert "ExpirationInDays" not in rules[""]
    assert rules["artifacts/"]["ExpirationInDays"] > ARTIFACT_DAYS


def test_an_update_keeps_the_apis_and_so_their_addresses(resources: dict[str, Any]) -> None:
    """CloudFormation replaces what is renamed. An API's id is in its address, and API Gateway refuses a second
    stage or route of the same name, which an update would make before it deletes the first."""
    assert set(of_type(resources, "AWS::ApiGateway::RestApi")) == {"Api", "RunnerApi"}
    assert set(of_type(resources, "AWS::ApiGateway::Stage")) == {"ApiliveStage", "RunnerApiliveStage"}
    assert set(of_type(resources, "AWS::ApiGatewayV2::Api")) == {"WorkspaceApi"}
    assert set(of_type(resources, "AWS::ApiGatewayV2::Stage")) == {"WorkspaceStage"}
    routes = of_type(resources, "AWS::ApiGatewayV2::Route")
    assert set(routes) == {"ConnectRoute", "DisconnectRoute", "CommandRoute"}


def test_everything_that_can_be_is_reached_by_tls_alone(resources: dict[str, Any]) -> None:
    """SEC-05."""
    kinds = {
        "AWS::S3::BucketPolicy": "AWS::S3::Bucket",
        "AWS::SNS::TopicPolicy": "AWS::SNS::Topic",
        "AWS::SQS::QueuePolicy": "AWS::SQS::Queue",
    }
    for kind, guarded in kinds.items():
        policies = of_type(resources, kind).values()
        for policy in policies:
            denied = [statement for statement in policy["PolicyDocument"]["Statement"] if statement["Effect"] == "Deny"]
            assert [(item["Sid"], item["Principal"], item["Condition"]) for item in denied] == [
                ("TlsOnly", "*", {"Bool": {"aws:SecureTransport": "false"}})
            ]
        named = {
            name
            for policy in policies
            for name in mentioned([policy.get("Queues"), policy.get("Topics"), policy.get("Bucket")])
        }
        assert named == set(of_type(resources, guarded))


def test_with_a_key_of_its_own_everything_that_takes_one_has_it(resources: dict[str, Any]) -> None:
    """SEC-05: the queue keeps ids alone, under SQS's own key."""
    own = {"Fn::If": ["OwnKey", {"Fn::GetAtt": ["DataKey", "Arn"]}, {"Ref": "AWS::NoValue"}]}
    for kind, member in (
        ("AWS::Lambda::Function", "KmsKeyArn"),
        ("AWS::Logs::LogGroup", "KmsKeyId"),
        ("AWS::SecretsManager::Secret", "KmsKeyId"),
        ("AWS::SNS::Topic", "KmsMasterKeyId"),
    ):
        assert all(event[member] == own for event in of_type(resources, kind).values()), kind
    assert resources["Table"]["Properties"]["SSESpecification"]["Fn::If"][0] == "OwnKey"
    (rule,) = resources["Inputs"]["Properties"]["BucketEncryption"]["ServerSideEncryptionConfiguration"]
    assert rule["ServerSideEncryptionByDefault"]["Fn::If"][0] == "OwnKey"


def test_a_restored_table_takes_the_place_of_the_stacks_own_everywhere() -> None:
    """In what functions read, in what they may touch, in alarms and in the dashboard."""
    own = {"Fn::If": ["UsesRestored", {"Ref": "RestoredTable"}, {"Ref": "Table"}]}
    resources = translated()
    resources.pop("Table")
    text = json.dumps(resources)
    assert text.count('{"Ref": "Table"}') == text.count(json.dumps(own))
    assert "${Table}" not in text
    assert '"Fn::Sub": "${Table.' not in text
    restored = load(TEMPLATE, PARAMETERS | {"RestoredTable": "other"})
    assert {function.environment["TABLE_NAME"] for function in restored.functions.values()} == {"other"}


def test_streams_and_runs_can_be_given_executions_of_their_own(resources: dict[str, Any]) -> None:
    """EVT-06: those that clients hold open, and the worker; by default none, for a new account has none to give."""
    functions = of_type(resources, "AWS::Lambda::Function")
    reserved = {
        name: tuple(function["ReservedConcurrentExecutions"]["Fn::If"])
        for name, function in functions.items()
        if "ReservedConcurrentExecutions" in function
    }
    streams = ("ReservesStreams", {"Ref": "StreamConcurrency"}, {"Ref": "AWS::NoValue"})
    runs = ("ReservesRuns", {"Ref": "RunConcurrency"}, {"Ref": "AWS::NoValue"})
    workspaces = ("ReservesWorkspaces", {"Ref": "WorkspaceConcurrency"}, {"Ref": "AWS::NoValue"})
    assert reserved == {
        **dict.fromkeys(["McpFunction", "StreamEventsFunction", "SendMessageFunction"], streams),
        **dict.fromkeys(["WorkspaceCommandFunction", "WorkspacePushFunction"], workspaces),
        "ExecuteRunFunction": runs,
    }


@pytest.mark.parametrize(
    ("value", "policy", "mode"), [("", None, None), ("SecurityPolicy_TLS13_1_2_2021_06",) * 2 + ("STRICT",)]
)
def test_both_apis_take_the_tls_that_they_are_told_to(value: str, policy: str | None, mode: str | None) -> None:
    """SEC-05: API Gateway asks for the access mode with such a policy."""
    template = translate(TEMPLATE, PARAMETERS | {"TlsPolicy": value})
    resolver = Resolver(template, PARAMETERS | {"TlsPolicy": value})
    for api in of_type(template["Resources"], "AWS::ApiGateway::RestApi").values():
        settings = resolver.resolve({name: api[name] for name in ("SecurityPolicy", "EndpointAccessMode")})
        assert (settings.get("SecurityPolicy"), settings.get("EndpointAccessMode")) == (policy, mode)


def test_two_stacks_of_an_account_have_layers_of_their_own(resources: dict[str, Any]) -> None:
    layers = of_type(resources, "AWS::Lambda::LayerVersion").values()
    assert {layer["LayerName"]["Fn::Sub"] for layer in layers} == {
        "${AWS::StackName}-core",
        "${AWS::StackName}-identity",
        "${AWS::StackName}-models",
    }
    assert all(list(mentioned(layer["LayerName"])) == ["AWS::StackName"] for layer in layers)


def test_a_firewall_stands_before_the_clients_api_if_there_is_one(resources: dict[str, Any]) -> None:
    (association,) = of_type(resources, "AWS::WAFv2::WebACLAssociation").values()
    assert set(mentioned(association["ResourceArn"])) >= {"Api", "ApiliveStage"}
    assert resources["Firewall"]["Condition"] == "HasWebAcl"


def test_an_end_that_the_backstop_cannot_deal_with_is_put_aside(resources: dict[str, Any]) -> None:
    """RUN-27: whether it was not delivered or not dealt with."""
    queue = {"Fn::GetAtt": ["UndeliveredEnds", "Arn"]}
    (rule,) = (rule for rule in of_type(resources, "AWS::Events::Rule").values() if "EventBusName" not in rule)
    (target,) = rule["Targets"]
    assert target["DeadLetterConfig"] == {"Arn": queue}
    (invocation,) = (
        event
        for event in of_type(resources, "AWS::Lambda::EventInvokeConfig").values()
        if event["FunctionName"] == {"Ref": "EndRunFunction"}
    )
    assert invocation["DestinationConfig"]["OnFailure"] == {"Destination": queue}


def test_a_slot_that_could_not_be_started_is_put_aside(resources: dict[str, Any], stack: Stack) -> None:
    """AUT-03: whether Scheduler could not deliver it or the function not deal with it; schedules call the alias by the
    name that the function has."""
    queue = {"Fn::GetAtt": ["UndeliveredJobs", "Arn"]}
    (invocation,) = (
        event
        for event in of_type(resources, "AWS::Lambda::EventInvokeConfig").values()
        if event["FunctionName"] == {"Ref": "StartJobFunction"}
    )
    assert invocation["DestinationConfig"]["OnFailure"] == {"Destination": queue}
    named = {
        function.environment["START_JOB_ARN"]
        for function in stack.functions.values()
        if "START_JOB_ARN" in function.environment
    }
    (arn,) = named
    assert arn == f"{stack.functions['yarrow-start-job'].arn}:live"


def test_a_timer_calls_the_function_by_the_name_that_it_has(stack: Stack) -> None:
    """ASK-07: and it is the alias."""
    (arn,) = {
        function.environment["EXPIRE_QUESTION_ARN"]
        for function in stack.functions.values()
        if "EXPIRE_QUESTION_ARN" in function.environment
    }
    assert arn == f"{stack.functions['yarrow-questions'].arn}:live"


def scheduled(resources: dict[str, Any]) -> dict[str, str]:
    """The functions that schedules of the template call, with the names of the schedules."""
    found = {}
    for name, schedule in of_type(resources, "AWS::Scheduler::Schedule").items():
        alias = schedule["Target"]["Arn"]["Ref"]
        found[resources[alias]["Properties"]["FunctionName"]["Ref"]] = name
    return found


def test_what_is_called_asynchronously_puts_aside_what_it_could_not_do(resources: dict[str, Any]) -> None:
    """CMP-11: targets of rules, of schedules and of jobs; in a queue that an alarm watches."""
    rules = of_type(resources, "AWS::Events::Rule").values()
    of_rules = {
        resources[target["Arn"]["Ref"]]["Properties"]["FunctionName"]["Ref"]
        for rule in rules
        for target in rule["Targets"]
        if "Ref" in target["Arn"]
    }
    destinations = {
        event["FunctionName"]["Ref"]: event["DestinationConfig"]["OnFailure"]["Destination"]["Fn::GetAtt"][0]
        for event in of_type(resources, "AWS::Lambda::EventInvokeConfig").values()
        if event["FunctionName"]
        != {"Ref": "ProbeFunction"}  # whose failures an alarm counts; the next call tries again
    }
    assert set(destinations) == of_rules | set(scheduled(resources)) - {"ProbeFunction"} | {
        "StartJobFunction",
        "ExpireQuestionFunction",
    }
    watched = {
        alarm["Dimensions"][0]["Value"]["Fn::GetAtt"][0]
        for alarm in of_type(resources, "AWS::CloudWatch::Alarm").values()
        if alarm.get("Namespace") == "AWS/SQS"
    }
    assert watched == set(of_type(resources, "AWS::SQS::Queue")) >= set(destinations.values())
    for name in set(scheduled(resources).values()) - {"Probing"}:
        target = resources[name]["Properties"]["Target"]
        assert target["DeadLetterConfig"]["Arn"]["Fn::GetAtt"][0] in watched, name


def test_a_scheduled_task_that_does_not_succeed_for_26_hours_rings(resources: dict[str, Any]) -> None:
    """One invocation a day makes too few errors to count, and none if it is not invoked. So an hour without a success
    breaches, with or without data; and each schedule fires as it is made, which ends the alarm of a new stack."""
    alarms = of_type(resources, "AWS::CloudWatch::Alarm")
    overdue = {name for name in alarms if name.endswith("Overdue")}
    assert overdue == {f"{text.removesuffix('Function')}Overdue" for text in scheduled(resources)}
    for function, schedule in scheduled(resources).items():
        alarm = alarms[f"{function.removesuffix('Function')}Overdue"]
        succeeded, *counted = alarm["Metrics"]
        assert succeeded["Expression"] == "invocations - errors"
        stats = {item["Id"]: item["MetricStat"] for item in counted}
        assert {stat["Metric"]["MetricName"] for stat in stats.values()} == {"Invocations", "Errors"}
        for name, stat in stats.items():
            assert stat["Metric"]["MetricName"].lower() == name
            assert stat["Metric"]["Dimensions"] == [{"Name": "FunctionName", "Value": {"Ref": function}}]
            assert stat["Stat"] == "Sum"
        invocations, errors = (stats[name]["Period"] for name in ("invocations", "errors"))
        assert invocations == errors
        if function == "ProbeFunction":
            assert (invocations["Fn::FindInMap"][1], alarm["EvaluationPeriods"]) == ({"Ref": "ProbeMinutes"}, 3)
        else:
            assert (invocations, alarm["EvaluationPeriods"]) == (3600, 26)
        assert alarm.get("DatapointsToAlarm", alarm["EvaluationPeriods"]) == alarm["EvaluationPeriods"]
        assert (alarm["ComparisonOperator"], alarm["Threshold"]) == ("LessThanThreshold", 1)
        assert alarm["TreatMissingData"] == "breaching"
        properties = resources[schedule]["Properties"]
        expression = properties["ScheduleExpression"]
        assert re.fullmatch(r"rate\(.+\)", expression["Fn::Sub"] if isinstance(expression, dict) else expression)
        assert "StartDate" not in properties


def widgets(resources: dict[str, Any]) -> list[dict[str, Any]]:
    """Those of the dashboard, with what they refer to as `${Name}` and `${Name.Attribute}`."""
    body, values = resources["Dashboard"]["Properties"]["DashboardBody"]["Fn::Sub"]
    for name in ("Alarms", "Functions"):
        delimiter, items = values[name]["Fn::Join"]
        named = (item.get("Ref") or ".".join(item["Fn::GetAtt"]) for item in items)
        body = body.replace(f"${{{name}}}", delimiter.join(f"${{{item}}}" for item in named))
    found: list[dict[str, Any]] = json.loads(body.replace("${AWS::", "${"))["widgets"]
    return found


def test_every_alarm_is_told_and_shown(resources: dict[str, Any]) -> None:
    alarms = of_type(resources, "AWS::CloudWatch::Alarm")
    for name, alarm in alarms.items():
        assert alarm["AlarmActions"] == alarm["OKActions"] == [{"Ref": "AlarmTopic"}], name
        assert alarm["TreatMissingData"] == ("breaching" if name.endswith("Overdue") else "notBreaching"), name
    # The names of dashboards are the account's, whatever the region.
    assert resources["Dashboard"]["Properties"]["DashboardName"] == {"Fn::Sub": "${AWS::StackName}-${AWS::Region}"}
    found = widgets(resources)
    places = [(item["x"], item["y"]) for item in found]
    assert len(set(places)) == len(places)
    assert all(item["x"] + item["width"] <= 24 for item in found)
    shown = {alarm.removeprefix("${").removesuffix(".Arn}") for alarm in found[0]["properties"]["alarms"]}
    assert shown == {name for name in alarms if "Condition" not in resources[name]}  # a text cannot leave one out


def test_alarms_watch_every_function_but_the_one_whose_errors_are_refusals(resources: dict[str, Any]) -> None:
    """Each by its own, which says which it is and takes back no deployment but its own."""
    functions = set(of_type(resources, "AWS::Lambda::Function"))
    watched = errors_watched(resources)
    assert set(watched) == functions - {"AuthorizeFunction", "AuthorizeWorkspaceFunction"} - scheduled(resources).keys()
    assert all(alarm == function.removesuffix("Function") + "Failing" for function, alarm in watched.items())
    for name in ("authorize", "authorize_workspace"):
        assert 'Exception("Unauthorized")' in (ROOT / f"functions/{name}/app.py").read_text(encoding="utf-8")


@pytest.mark.parametrize("metric", ["Errors", "Throttles"])
def test_the_dashboard_shows_every_function_by_name(resources: dict[str, Any], metric: str) -> None:
    """A search by a part of a name finds none that has the rest of it."""
    (rows,) = (
        widget["properties"]["metrics"]
        for widget in widgets(resources)
        if widget["properties"].get("metrics", [[]])[0][:3] == ["AWS/Lambda", metric, "FunctionName"]
    )
    assert all(row[:-1] == ["..."] for row in rows[1:])
    shown = [row[-1].removeprefix("${").removesuffix("}") for row in rows]
    assert sorted(shown) == sorted(of_type(resources, "AWS::Lambda::Function"))


def test_the_rate_of_failed_runs_needs_nothing_made_up(resources: dict[str, Any]) -> None:
    """CMP-11: where no run finishes, the metric of those that do has values of 0, and not none."""
    metrics = resources["RunsFailing"]["Properties"]["Metrics"]
    assert {metric["Id"] for metric in metrics if "MetricStat" in metric} == {"failed", "finished"}
    assert "FILL" not in json.dumps(metrics)


DEAR = {
    **dict.fromkeys([("POST", "/api/v1/agent/runs"), ("POST", "/send-message"), ("POST", "/mcp")], "Run"),
    ("POST", "/api/v1/automation/jobs/{jobId}/run"): "Run",
    **dict.fromkeys(
        [
            ("POST", "/api/v1/agent/attachments"),
            ("POST", "/api/v1/agent/attachments/uploads"),
            ("GET", "/api/v1/agent/attachments/uploads/{uploadId}"),
            ("POST", "/api/v1/agent/transcribe"),
            ("GET", "/api/v1/agent/transcribe/{uploadId}"),
        ],
        "Upload",
    ),
}
"""Routes whose requests cost more than a look at the table, and the parameters that limit them."""


def method_of(settings: dict[str, Any]) -> tuple[str, str]:
    return settings["HttpMethod"], "/" + settings["ResourcePath"].removeprefix("/~1").replace("~1", "/")


def test_each_route_has_a_limit_and_what_costs_more_one_of_its_own(stack: Stack, resources: dict[str, Any]) -> None:
    """API Gateway applies the limit of `*` to each method by itself."""
    for stage in of_type(resources, "AWS::ApiGateway::Stage").values():
        limits = {
            method_of(setting): (setting["ThrottlingRateLimit"]["Ref"], setting["ThrottlingBurstLimit"]["Ref"])
            for setting in stage["MethodSettings"]
        }
        assert (stage["MethodSettings"][0]["ResourcePath"], stage["MethodSettings"][0]["HttpMethod"]) == ("/*", "*")
        assert limits.pop(("*", "//*")) == ("RateLimit", "BurstLimit")
        wanted = DEAR if stage["RestApiId"] == {"Ref": "Api"} else {}
        assert limits == {route: (f"{kind}RateLimit", f"{kind}BurstLimit") for route, kind in wanted.items()}
    assert DEAR.keys() <= {(route.method, route.path) for route in stack.api.routes}


def test_only_the_route_that_an_alarm_watches_has_metrics_of_its_own(resources: dict[str, Any]) -> None:
    measured = {
        method_of(setting)
        for stage in of_type(resources, "AWS::ApiGateway::Stage").values()
        for setting in stage["MethodSettings"]
        if setting.get("MetricsEnabled")
    }
    watched = {
        dimension["Name"]: dimension["Value"] for dimension in resources["SubmitSlow"]["Properties"]["Dimensions"]
    }
    assert measured == {(watched["Method"], watched["Resource"])}
