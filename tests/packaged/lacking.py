"""What the emulator lacks of what Yarrow uses, and how the template is changed for it.

`docs/decisions/second-emulator.md` has the same table: `python -m tests.packaged.lacking` prints it.
"""

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

Template = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Lack:
    """A `feature` of AWS, the `reason` it cannot be tried, and what is done `instead`.

    `change`, if the template must be changed for it, returns the number of changed places.
    """

    feature: str
    reason: str
    instead: str
    change: Callable[[Template, "Addresses"], int] | None = None


@dataclass(frozen=True, slots=True)
class Addresses:
    """Base URLs on this machine, and the folder of the AgentsLayer, without a slash at the end."""

    emulator: str
    issuer: str
    agents_layer: str


def adapted(template: Template, addresses: Addresses) -> tuple[Template, dict[str, int]]:
    """Return a copy that the emulator deploys, and by feature the number of changed places."""
    changed: Template = json.loads(json.dumps(template))
    return changed, {lack.feature: lack.change(changed, addresses) for lack in LACKS if lack.change}


def table() -> str:
    """Return the table of the documentation, in Markdown."""
    rows = [f"| {lack.feature} | {lack.reason} | {lack.instead} |" for lack in LACKS]
    return "\n".join(["| AWS | the emulator | so the test |", "|---|---|---|", *rows, ""])


def _without_deployments(template: Template, _: Addresses) -> int:
    for resource in template["Resources"].values():
        if resource["Type"] == "AWS::Lambda::Alias":
            resource.pop("UpdatePolicy", None)
    return _remove(template, lambda resource: resource["Type"].startswith("AWS::CodeDeploy::"))


def _without_metric_math(template: Template, _: Addresses) -> int:
    return _remove(
        template, lambda item: item["Type"] == "AWS::CloudWatch::Alarm" and "Metrics" in item.get("Properties", {})
    )


def _without_dashboard(template: Template, _: Addresses) -> int:
    return _remove(template, lambda resource: resource["Type"] == "AWS::CloudWatch::Dashboard")


def _without_saved_queries(template: Template, _: Addresses) -> int:
    return _remove(template, lambda resource: resource["Type"] == "AWS::Logs::QueryDefinition")


def _without_storage_integration(template: Template, _: Addresses) -> int:
    removed = 0
    for paths in _paths(template):
        for methods in paths.values():
            for method, operation in list(methods.items()):
                if ":s3:path/" in json.dumps(operation.get("x-amazon-apigateway-integration", {})):
                    del methods[method]
                    removed += 1
    return removed


def _with_gateway_responses(template: Template, _: Addresses) -> int:
    """Make resources of what the description of an API says, before the API is deployed."""
    resources, made = template["Resources"], dict[str, list[str]]()
    for api in [name for name, resource in resources.items() if resource["Type"] == "AWS::ApiGateway::RestApi"]:
        described = resources[api]["Properties"]["Body"].pop("x-amazon-apigateway-gateway-responses", {})
        for kind, response in described.items():
            made.setdefault(api, []).append(name := f"{api}Answers{kind.title().replace('_', '')}")
            optional = {
                "StatusCode": response.get("statusCode"),
                "ResponseParameters": response.get("responseParameters"),
                "ResponseTemplates": response.get("responseTemplates"),
            }
            properties = {"RestApiId": {"Ref": api}, "ResponseType": kind}
            properties |= {name: value for name, value in optional.items() if value is not None}
            resources[name] = {"Type": "AWS::ApiGateway::GatewayResponse", "Properties": properties}
    for resource in resources.values():
        if resource["Type"] == "AWS::ApiGateway::Deployment":
            resource["DependsOn"] = made.get(resource["Properties"]["RestApiId"]["Ref"], [])
    return sum(map(len, made.values()))


def _buffered(template: Template, _: Addresses) -> int:
    found = 0
    for paths in _paths(template):
        for methods in paths.values():
            for operation in methods.values():
                integration = operation.get("x-amazon-apigateway-integration", {})
                if integration.pop("responseTransferMode", None):
                    integration["uri"] = json.loads(
                        re.sub(
                            r"2021-11-15(/functions/[^\"]+)/response-streaming-invocations",
                            r"2015-03-31\1/invocations",
                            json.dumps(integration["uri"]),
                        )
                    )
                    found += 1
    return found


def _named_identity_sources(template: Template, _: Addresses) -> int:
    found = [
        resource for resource in template["Resources"].values() if resource["Type"] == "AWS::ApiGatewayV2::Authorizer"
    ]
    for authorizer in found:
        authorizer["Properties"].setdefault("IdentitySource", [])
    return len(found)


def _own_issuer(template: Template, addresses: Addresses) -> int:
    return _replace(template, re.compile(r"https://cognito-idp\.\$\{AWS::Region\}[^\"]*"), addresses.issuer)


def _own_addresses(template: Template, addresses: Addresses) -> int:
    host = addresses.emulator.partition("://")[2]
    api = re.compile(r"(http|ws)(?:s?)://\$\{(\w+)\}\.execute-api\.\$\{AWS::Region\}\.\$\{AWS::URLSuffix\}/live")
    return _replace(template, api, rf"\1://{host}/_aws/execute-api/${{\2}}/live")


def _agents_of_this_machine(template: Template, addresses: Addresses) -> int:
    return _replace(template, re.compile(r"/opt(?=/system_agents\.yaml)"), addresses.agents_layer)


def _paths(template: Template) -> list[dict[str, dict[str, Any]]]:
    apis = [resource for resource in template["Resources"].values() if resource["Type"] == "AWS::ApiGateway::RestApi"]
    return [item["Properties"]["Body"]["paths"] for item in apis]


def _replace(template: Template, pattern: re.Pattern[str], by: str) -> int:
    text, count = pattern.subn(by, json.dumps(template))
    template.clear()
    template.update(json.loads(text))
    return count


def _remove(template: Template, wanted: Callable[[Mapping[str, Any]], bool]) -> int:
    """Remove resources, the outputs that name them, and what waits for them."""
    resources = template["Resources"]
    gone = {name for name, resource in resources.items() if wanted(resource)}
    for name in gone:
        del resources[name]
    outputs = template["Outputs"]
    for output in [name for name, output in outputs.items() if _names(output) & gone]:
        del outputs[output]
    for resource in resources.values():
        before = resource.get("DependsOn", [])
        before = [before] if isinstance(before, str) else before
        if gone & set(before):
            resource["DependsOn"] = [name for name in before if name not in gone]
    return len(gone)


def _names(value: Any) -> set[str]:
    """The logical ids that a value refers to, and maybe other words."""
    return set(re.findall(r"\w+", json.dumps(value)))


LACKS: Final = (
    Lack(
        "CodeDeploy",
        "has no `AWS::CodeDeploy`",
        "takes the deployment groups out; aliases move at once",
        _without_deployments,
    ),
    Lack(
        "alarms over metric math or Metrics Insights",
        "refuses alarms over more than one metric",
        "takes them out; the others are made",
        _without_metric_math,
    ),
    Lack("the dashboard", "has none of the alarms above, which it names", "takes it out", _without_dashboard),
    Lack("saved queries of logs", "has no `AWS::Logs::QueryDefinition`", "takes them out", _without_saved_queries),
    Lack(
        "API Gateway: an integration with S3",
        "answers 504",
        "takes the two routes out; pictures are sent by a signed form, and a recording is put where API Gateway would",
        _without_storage_integration,
    ),
    Lack(
        "API Gateway: response streaming",
        "does not know a function's streaming URI",
        "gives the buffered one; a stream comes whole when its run has ended",
        _buffered,
    ),
    Lack(
        "API Gateway: gateway responses in a description",
        "reads them as resources only",
        "makes resources of them",
        _with_gateway_responses,
    ),
    Lack(
        "API Gateway: other members of an integration in a description",
        "reads the type and the URI only, so preflights have no headers and nothing checks required parameters",
        "leaves both to the local stack's tests",
    ),
    Lack(
        "API Gateway: a WebSocket authorizer without identity source",
        "answers 401 without an `Authorization` header, unless the list of sources is there",
        "writes the empty list",
        _named_identity_sources,
    ),
    Lack(
        "API Gateway: addresses of APIs",
        "serves them below its own address",
        "gives functions and outputs that one",
        _own_addresses,
    ),
    Lack(
        "API Gateway: an update of an API's description",
        "makes another API, at another address",
        "lets clients go on at that one",
    ),
    Lack(
        "Cognito: the issuer's address",
        "signs tokens as `cognito-idp.<region>.amazonaws.com`, which is AWS",
        "makes the pool, and signs in at an issuer on this machine",
        _own_issuer,
    ),
    Lack(
        "EventBridge Scheduler: `<aws.scheduler.scheduled-time>`",
        "delivers these words",
        "writes the time into the schedule before it fires",
    ),
    Lack("EventBridge Scheduler: time zones", "fires by UTC", "has its job in UTC"),
    Lack("Amazon Transcribe", "hears nothing and makes a text up", "expects some text"),
    Lack(
        "Lambda: the folder `/opt`",
        "unpacks layers elsewhere, and has Python find their modules",
        "names the list of agents by its place on this machine",
        _agents_of_this_machine,
    ),
    Lack(
        "IAM",
        "checks rights on other resources than AWS, such as every schedule in the group `default`",
        "leaves the checks off, and rights to `tests/unit/template/test_least_privilege.py`",
    ),
)

if __name__ == "__main__":
    print(table(), end="")
