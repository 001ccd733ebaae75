"""The template stays within limits of AWS that show only when it is deployed: sizes of variables, lengths of names."""

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest

from local import intrinsics
from local.intrinsics import Resolver
from local.translation import translate
from tests.support.paths import ROOT

TEMPLATE = ROOT / "template.yaml"
MOST_OF_NAME = 54
"""Characters of a stack's name (docs/operations.md)."""

VARIABLES = 4096
"""Bytes that Lambda takes as variables of a function, measured as JSON."""

FILTERS = 5
"""Of an event source mapping, unless AWS grants an account more."""

_URL = "https://example.com/"
AT_MOST: dict[str, tuple[str, str, str]] = {
    "AgentsLayer": ("arn:aws:lambda:us-east-1:123456789012:layer:a:1", "", ""),
    "AnthropicApiKey": ("", "a", ""),
    "ConsoleClientId": ("", "a", ""),
    "ConsoleColor": ("#", "a", ""),
    "ConsoleLogo": (_URL, "a", ""),
    "ConsoleName": ("", "字", ""),
    "ConsoleUrl": (_URL, "a", "/"),
    "CorsOrigin": ("https://", "a", ""),
    **{
        f"{name}ApplicationArn": (f"arn:aws:sns:us-east-1:123456789012:app/{platform}/", "a", "")
        for name, platform in (("Apns", "APNS"), ("ApnsSandbox", "APNS_SANDBOX"), ("Fcm", "GCM"))
    },
    "AguiAgent": ("", "a", ""),
    "DefaultAgent": ("", "a", ""),
    "DefaultLocale": ("aaaaaaaa-aaaaaaaa-aaaaaaaa-", "a", ""),
    "DomainName": ("a." * 70, "a", ""),
    "GoogleApiKey": ("", "a", ""),
    "HelpLines": ("{", "字", "}"),
    "KnowledgeBases": ("{", "字", "}"),
    "Models": ("{", '"', "}"),
    "ModelPrices": ("{", '"', "}"),
    "OidcAudience": ("", "a", ""),
    "OidcIssuer": (_URL, "a", ""),
    "OperatorScope": ("", "a", ""),
    "OpenAiApiKey": ("", "a", ""),
    "OpenAiBaseUrl": (_URL, "a", ""),
    "ProbeApiKey": ("", "a", ""),
    "Release": ("", "a", ""),
    "RemoteRunners": ("arn:aws:lambda:us-east-1:123456789012:function:", "a", ""),
    "RestoredTable": ("", "a", ""),
    "WebPushContact": ("mailto:", "a", ""),
    "WebPushServices": ("a.", "a", ""),
    "TracesEndpoint": (_URL, "a", ""),
    "WorkspaceDomainName": ("a." * 70, "a", ""),
}
"""By parameter that becomes a variable: how its longest value begins, the character that fills it, how it ends. The
filling takes the most bytes that its pattern, and what it is for, allow: 3 of Chinese, 2 of a quote in JSON."""


def longest(name: str, spec: dict[str, Any]) -> str:
    """The longest value that a parameter takes."""
    if "AllowedValues" in spec:
        return max(map(str, spec["AllowedValues"]), key=len)
    if spec["Type"] == "Number":
        return str(spec.get("MaxValue", 10**15))
    before, filling, after = AT_MOST[name]
    if not filling:
        return before
    counted = re.search(r"at most (\d+) characters together", spec["Description"])
    most = int(counted[1]) if counted else spec["MaxLength"]
    value = before + filling * (most - len(before) - len(after)) + after
    assert len(value) == most
    assert counted or re.fullmatch(spec.get("AllowedPattern", ".*"), value), name
    return value


class Named(Resolver):
    """Gives what CloudFormation names itself the longest names."""

    def attribute(self, logical_id: str, attribute: str = "") -> str:
        ids = {"Inputs": "i" * 63, "UserPool": "u" * 55, "UserPoolClient": "c" * 26, "UserPoolDomain": "d" * 20}
        return ids.get(logical_id) or super().attribute(logical_id, attribute)


def of_type(resources: dict[str, Any], kind: str) -> dict[str, Any]:
    return {name: resource["Properties"] for name, resource in resources.items() if resource["Type"] == kind}


def refs(value: Any) -> Iterator[str]:
    """The names that a piece of a template refers to."""
    match value:
        case {"Ref": str(name)}:
            yield name
        case {"Fn::Sub": str(text) | [str(text), _]}:
            yield from re.findall(r"\$\{([^!}.]+)", text)
            yield from refs(value["Fn::Sub"][1:] if isinstance(value["Fn::Sub"], list) else [])
        case dict():
            yield from (name for member in value.values() for name in refs(member))
        case list():
            yield from (name for item in value for name in refs(item))


@pytest.fixture(scope="module")
def template() -> dict[str, Any]:
    return translate(TEMPLATE, {})


@pytest.fixture
def longest_name(monkeypatch: pytest.MonkeyPatch) -> str:
    """Return a stack of the longest name, in the region with the longest one."""
    name = "n" * MOST_OF_NAME
    monkeypatch.setattr(intrinsics, "STACK_NAME", name)
    for key, value in (("AWS::StackName", name), ("AWS::Region", "ap-southeast-1")):
        monkeypatch.setitem(intrinsics._PSEUDO_PARAMETERS, key, value)
    return name


@pytest.mark.parametrize("own_pool", [False, True])
def test_with_every_parameter_as_long_as_it_may_be_lambda_takes_the_variables(
    template: dict[str, Any], longest_name: str, own_pool: bool
) -> None:
    """CMP-11: else a deployment fails for a long list of help lines, while the stack is being updated."""
    functions = of_type(template["Resources"], "AWS::Lambda::Function")
    named = {name for function in functions.values() for name in refs(function["Environment"])}
    parameters = {name: longest(name, template["Parameters"][name]) for name in named & template["Parameters"].keys()}
    if own_pool:
        parameters |= {"OidcIssuer": "", "OidcAudience": ""}
    parameters["AgentsLayer"] = longest("AgentsLayer", {"Type": "String"})
    resolver = Named(template, parameters)
    sizes = {}
    for name, function in functions.items():
        variables = resolver.resolve(function["Environment"]["Variables"])
        sizes[name] = len(json.dumps(variables, ensure_ascii=False, separators=(",", ":")).encode())
    assert {name: size for name, size in sizes.items() if size > VARIABLES} == {}
    assert sizes["ExecuteRunFunction"] > VARIABLES * 0.8  # the parameters are as long as they may be


NAMES = {
    ("AWS::ApiGateway::RestApi", "Name"): 1024,
    ("AWS::ApiGatewayV2::Api", "Name"): 128,
    ("AWS::CloudWatch::Dashboard", "DashboardName"): 255,
    ("AWS::Cognito::UserPool", "UserPoolName"): 128,
    ("AWS::Events::EventBus", "Name"): 256,
    ("AWS::KMS::Alias", "AliasName"): 256,
    ("AWS::Lambda::Function", "FunctionName"): 64,
    ("AWS::Lambda::LayerVersion", "LayerName"): 140,
    ("AWS::Logs::LogGroup", "LogGroupName"): 512,
    ("AWS::Logs::QueryDefinition", "Name"): 255,
    ("AWS::SNS::Topic", "DisplayName"): 100,
    ("AWS::Scheduler::ScheduleGroup", "Name"): 64,
    ("AWS::StepFunctions::StateMachine", "StateMachineName"): 80,
}
"""By property that is made of the stack's name, how many characters its service takes. Other names CloudFormation makes
and shortens itself."""


def of_stack(resources: dict[str, Any]) -> Iterator[tuple[str, tuple[str, str], Any]]:
    """The resources, and their properties, that are named after the stack."""
    for name, resource in resources.items():
        for key, value in resource.get("Properties", {}).items():
            if key.endswith("Name") and "AWS::StackName" in refs(value):
                yield name, (resource["Type"], key), value


def test_names_made_of_the_longest_name_of_a_stack_fit(template: dict[str, Any], longest_name: str) -> None:
    resolver = Resolver(template, {})
    found = list(of_stack(template["Resources"]))
    assert {kind for _, kind, _ in found} == NAMES.keys()
    room = []
    for name, kind, value in found:
        text = json.dumps(value).replace("AWS::StackId", "AWS::StackName")
        made = "x" * 36 if "Fn::Split" in text else ""
        plain = re.sub(r"\$\{Id\}", made, value["Fn::Sub"][0]) if made else value
        physical = resolver.resolve({"Fn::Sub": plain} if made else plain)
        assert len(physical) <= NAMES[kind], name
        room.append(NAMES[kind] - len(physical))
    assert min(room) == 0  # the limit is no lower than it needs to be


def test_a_stack_of_a_longer_name_is_refused(template: dict[str, Any]) -> None:
    """By Systems Manager, before anything that stores data: PutParameter compares the value with the pattern."""
    (found,) = of_type(template["Resources"], "AWS::SSM::Parameter").values()
    assert found["Value"] == {"Ref": "AWS::StackName"}
    assert re.fullmatch(found["AllowedPattern"], "n" * MOST_OF_NAME)
    assert not re.fullmatch(found["AllowedPattern"], "n" * (MOST_OF_NAME + 1))
    waiting = {
        name
        for name, resource in template["Resources"].items()
        if "StackNameOfAtMost54Characters" in json.dumps(resource)
    }
    assert waiting >= {"Table", "JobSchedules"}
    page = (ROOT / "docs/operations.md").read_text(encoding="utf-8")
    assert f"A stack name has at most {MOST_OF_NAME} characters" in page


def test_no_mapping_has_more_filters_than_accounts_may_have(template: dict[str, Any]) -> None:
    """Lambda Developer Guide, "Control which events Lambda sends": a mapping with more is not created."""
    mappings = of_type(template["Resources"], "AWS::Lambda::EventSourceMapping")
    counted = {name: len(one.get("FilterCriteria", {}).get("Filters", ())) for name, one in mappings.items()}
    assert max(counted.values()) > 1
    assert {name for name, filters in counted.items() if filters > FILTERS} == set()
