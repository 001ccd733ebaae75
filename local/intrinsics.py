"""CloudFormation's `Ref`, `Fn::GetAtt`, `Fn::Sub`, `Fn::Join`, `Fn::Split`, `Fn::If`, conditions, and dynamic
references to secrets in `Fn::Sub`.

Covers the resource types of the local stack; anything else is a `TemplateError`.
"""

import re
from collections.abc import Callable, Mapping
from hashlib import sha256
from typing import Any

from local.stack import ACCOUNT, REGION, TemplateError

STACK_NAME = "yarrow"

_PSEUDO_PARAMETERS = {
    "AWS::AccountId": ACCOUNT,
    "AWS::Partition": "aws",
    "AWS::Region": REGION,
    "AWS::StackName": STACK_NAME,
    "AWS::URLSuffix": "amazonaws.com",
}
_NO_VALUE = object()

_FUNCTION_ARN = f"arn:aws:lambda:{REGION}:{ACCOUNT}:function:{{name}}"

# Resource type -> the property that names it, and the values of Ref ("") and Fn::GetAtt.
_REFERENCES: dict[str, tuple[str, dict[str, str]]] = {
    "AWS::Lambda::Function": ("FunctionName", {"": "{name}", "Arn": _FUNCTION_ARN}),
    "AWS::Lambda::Alias": ("FunctionName", {"": _FUNCTION_ARN}),  # functions have one version here
    "AWS::DynamoDB::Table": (
        "TableName",
        {
            "": "{name}",
            "Arn": f"arn:aws:dynamodb:{REGION}:{ACCOUNT}:table/{{name}}",
            "StreamArn": f"arn:aws:dynamodb:{REGION}:{ACCOUNT}:table/{{name}}/stream/local",
        },
    ),
    "AWS::KMS::Key": ("", {"": "{name}", "Arn": f"arn:aws:kms:{REGION}:{ACCOUNT}:key/{{name}}"}),
    "AWS::S3::Bucket": ("BucketName", {"": "{name}", "Arn": "arn:aws:s3:::{name}"}),
    "AWS::StepFunctions::StateMachine": (
        "StateMachineName",
        {
            "": f"arn:aws:states:{REGION}:{ACCOUNT}:stateMachine:{{name}}",
            "Arn": f"arn:aws:states:{REGION}:{ACCOUNT}:stateMachine:{{name}}",
            "Name": "{name}",
        },
    ),
    "AWS::SQS::Queue": (
        "QueueName",
        {
            "": f"https://sqs.{REGION}.amazonaws.com/{ACCOUNT}/{{name}}",
            "Arn": f"arn:aws:sqs:{REGION}:{ACCOUNT}:{{name}}",
            "QueueName": "{name}",
        },
    ),
    "AWS::Events::EventBus": ("Name", {"": "{name}", "Arn": f"arn:aws:events:{REGION}:{ACCOUNT}:event-bus/{{name}}"}),
    "AWS::Scheduler::Schedule": ("Name", {"": "{name}"}),
    "AWS::Scheduler::ScheduleGroup": (
        "Name",
        {"": "{name}", "Arn": f"arn:aws:scheduler:{REGION}:{ACCOUNT}:schedule-group/{{name}}"},
    ),
    "AWS::SecretsManager::Secret": (
        "Name",
        {"": f"arn:aws:secretsmanager:{REGION}:{ACCOUNT}:secret:{{name}}"},
    ),
    "AWS::ApiGateway::RestApi": ("Name", {"": "local"}),
    "AWS::ApiGatewayV2::Api": ("Name", {"": "local"}),
    "AWS::ApiGatewayV2::Authorizer": ("Name", {"": "{name}"}),
    "AWS::ApiGatewayV2::Integration": ("", {"": "{name}"}),
    "AWS::ApiGatewayV2::Route": ("", {"": "{name}"}),
    "AWS::ApiGatewayV2::Stage": ("", {"": "{name}"}),
    "AWS::Lambda::EventSourceMapping": ("", {"": "{name}"}),
    "AWS::IAM::Role": ("RoleName", {"": "{name}", "Arn": f"arn:aws:iam::{ACCOUNT}:role/{{name}}"}),
}
_SECRET = re.compile(r"\{\{resolve:secretsmanager:([^}]+)\}\}")
_PLACEHOLDER = re.compile(r"\$\{(!?)([^}]+)\}")


class Resolver:
    """Resolves the intrinsic functions of one translated template."""

    def __init__(self, template: Mapping[str, Any], parameters: Mapping[str, str]) -> None:
        """`parameters` override the template's defaults; unknown names and missing values are errors."""
        self._resources: Mapping[str, Any] = template["Resources"]
        self._conditions: Mapping[str, Any] = template.get("Conditions", {})
        declared: Mapping[str, Any] = template.get("Parameters", {})
        if unknown := sorted(parameters.keys() - declared.keys()):
            raise TemplateError(f"the template has no parameter {', '.join(unknown)}")
        values = {name: str(spec["Default"]) for name, spec in declared.items() if "Default" in spec} | dict(parameters)
        if missing := sorted(declared.keys() - values.keys()):
            raise TemplateError(f"no value for the parameter {', '.join(missing)}")
        self._parameters: Mapping[str, str | list[str]] = {
            name: value.split(",") if declared[name].get("Type") == "CommaDelimitedList" else value
            for name, value in values.items()
        }
        self._functions: dict[str, Callable[[Any], Any]] = {
            "Ref": self._ref,
            "Fn::GetAtt": self._get_att,
            "Fn::Sub": self._sub,
            "Fn::Join": lambda argument: argument[0].join(self.resolve(argument[1])),
            "Fn::Split": lambda argument: self.resolve(argument[1]).split(argument[0]),
            "Fn::If": lambda argument: self.resolve(argument[1] if self.holds(argument[0]) else argument[2]),
            "Fn::Equals": lambda argument: self.resolve(argument[0]) == self.resolve(argument[1]),
            "Fn::Not": lambda argument: not self.resolve(argument[0]),
            "Fn::And": lambda argument: all(map(self.resolve, argument)),
            "Fn::Or": lambda argument: any(map(self.resolve, argument)),
            "Condition": self.holds,
        }

    def resolve(self, value: Any) -> Any:
        """Return the value without intrinsic functions; `AWS::NoValue` drops its key or item."""
        match value:
            case dict() if len(value) == 1 and (name := next(iter(value))) in self._functions:
                return self._functions[name](value[name])
            case dict():
                if unknown := [key for key in value if isinstance(key, str) and key.startswith("Fn::")]:
                    raise TemplateError(f"the intrinsic function {unknown[0]} is not supported locally")
                resolved = {key: self.resolve(item) for key, item in value.items()}
                return {key: item for key, item in resolved.items() if item is not _NO_VALUE}
            case list():
                return [item for item in map(self.resolve, value) if item is not _NO_VALUE]
            case _:
                return value

    def holds(self, condition: str) -> bool:
        if condition not in self._conditions:
            raise TemplateError(f"the template has no condition {condition}")
        return bool(self.resolve(self._conditions[condition]))

    def exists(self, logical_id: str) -> bool:
        """Return whether the resource's condition holds, or it has none."""
        condition = self._resources[logical_id].get("Condition")
        return condition is None or self.holds(condition)

    def attribute(self, logical_id: str, attribute: str = "") -> str:
        """Return the value of `Ref` (no attribute) or `Fn::GetAtt` of a resource."""
        resource = self._resources.get(logical_id)
        if resource is None or not self.exists(logical_id):
            raise TemplateError(f"{logical_id} is neither a parameter nor a resource that the stack makes")
        name_property, attributes = _REFERENCES.get(resource["Type"], ("", {}))
        if attribute not in attributes:
            what = f"Fn::GetAtt {logical_id}.{attribute}" if attribute else f"Ref {logical_id}"
            raise TemplateError(f"{what}: {resource['Type']} has no local value for it")
        name = self.resolve(resource.get("Properties", {}).get(name_property)) or f"{STACK_NAME}-{logical_id}"
        if resource["Type"] == "AWS::S3::Bucket":
            name = name.lower()
        return attributes[attribute].format(name=name)

    def _ref(self, name: str) -> Any:
        if name == "AWS::NoValue":
            return _NO_VALUE
        for values in (_PSEUDO_PARAMETERS, self._parameters):
            if name in values:
                return values[name]
        return self.attribute(name)

    def _get_att(self, argument: str | list[str]) -> str:
        logical_id, attribute = argument.split(".", 1) if isinstance(argument, str) else argument
        return self.attribute(logical_id, attribute)

    def _sub(self, argument: str | list[Any]) -> str:
        text, variables = (argument, {}) if isinstance(argument, str) else argument

        def replace(match: re.Match[str]) -> str:
            literal, name = match.groups()
            if literal:
                return "${" + name + "}"
            if name in variables:
                return str(self.resolve(variables[name]))
            return str(self._get_att(name) if "." in name else self._ref(name))

        # Any value serves as a secret here; a hash of its name is stable across starts.
        return _SECRET.sub(lambda match: sha256(match[1].encode()).hexdigest(), _PLACEHOLDER.sub(replace, text))
