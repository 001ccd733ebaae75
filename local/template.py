"""Reads a SAM template into a `Stack`, offline.

It raises `TemplateError` for anything that cannot be served locally.
"""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from local.api_gateway.definition import read_authorizers, read_gateway_responses, read_routes
from local.api_gateway.websocket_definition import read_web_socket_api
from local.intrinsics import Resolver
from local.queues.definition import read_queue_mapping, read_queue_rule
from local.scheduler.definition import read_schedule
from local.stack import (
    IAM,
    Api,
    Function,
    QueueMapping,
    QueueRule,
    Rule,
    Stack,
    StateMachine,
    StreamMapping,
    TableDefinition,
    TemplateError,
    WebSocketApi,
)
from local.table_stream.definition import read_stream_mapping
from local.translation import translate

# Types without a local counterpart: permissions, keys, packaging, deployment, monitoring, sign-in.
_WITHOUT_LOCAL_MEANING = frozenset(
    {
        "AWS::ApiGateway::BasePathMapping",
        "AWS::ApiGateway::Deployment",
        "AWS::ApiGateway::DomainName",
        "AWS::ApiGateway::Stage",
        "AWS::ApiGatewayV2::ApiMapping",
        "AWS::ApiGatewayV2::DomainName",
        "AWS::Backup::BackupPlan",
        "AWS::Backup::BackupSelection",
        "AWS::Backup::BackupVault",
        "AWS::Budgets::Budget",
        "AWS::CloudWatch::Alarm",
        "AWS::CloudWatch::Dashboard",
        "AWS::CodeDeploy::Application",
        "AWS::CodeDeploy::DeploymentGroup",
        "AWS::Cognito::UserPool",
        "AWS::Cognito::UserPoolClient",
        "AWS::Cognito::UserPoolDomain",
        "AWS::IAM::Policy",
        "AWS::IAM::Role",
        "AWS::KMS::Alias",
        "AWS::KMS::Key",
        "AWS::Lambda::Alias",
        "AWS::Lambda::EventInvokeConfig",
        "AWS::Lambda::LayerVersion",
        "AWS::Lambda::Permission",
        "AWS::Lambda::Version",
        "AWS::Logs::LogGroup",
        "AWS::Logs::QueryDefinition",
        "AWS::Route53::RecordSet",
        "AWS::S3::BucketPolicy",
        "AWS::SNS::Subscription",
        "AWS::SNS::Topic",
        "AWS::SNS::TopicPolicy",
        "AWS::SSM::Parameter",
        "AWS::SQS::QueuePolicy",
        "AWS::SecretsManager::Secret",
        "AWS::WAFv2::WebACLAssociation",
    }
)
_UNDERSTOOD = frozenset(
    {
        "AWS::ApiGateway::RestApi",
        "AWS::ApiGatewayV2::Api",
        "AWS::ApiGatewayV2::Authorizer",
        "AWS::ApiGatewayV2::Integration",
        "AWS::ApiGatewayV2::Route",
        "AWS::ApiGatewayV2::Stage",
        "AWS::DynamoDB::Table",
        "AWS::Events::EventBus",
        "AWS::Events::Rule",
        "AWS::Lambda::EventSourceMapping",
        "AWS::Lambda::Function",
        "AWS::S3::Bucket",
        "AWS::SQS::Queue",
        "AWS::Scheduler::Schedule",
        "AWS::Scheduler::ScheduleGroup",
        "AWS::StepFunctions::StateMachine",
    }
)
_TABLE_ARGUMENTS = frozenset(
    {
        "AttributeDefinitions",
        "BillingMode",
        "GlobalSecondaryIndexes",
        "KeySchema",
        "LocalSecondaryIndexes",
        "StreamSpecification",
    }
)
_TABLE_SETTINGS_IGNORED = frozenset(
    {
        "DeletionProtectionEnabled",
        "PointInTimeRecoverySpecification",
        "SSESpecification",
        "TableName",
        "Tags",
        "TimeToLiveSpecification",
    }
)


def load(path: Path, parameters: Mapping[str, str]) -> Stack:
    """Load the stack of the template at `path`; its paths are relative to its folder.

    Raises `TemplateError` for anything invalid or unsupported.
    """
    return _Reader(path.parent, translate(path, parameters), parameters).stack()


def load_functions(path: Path, parameters: Mapping[str, str]) -> Mapping[str, Function]:
    """Load the functions of a template that is deployed beside the stack. Raises as `load`."""
    return _Reader(path.parent, translate(path, parameters), parameters).functions()


class _Reader:
    def __init__(self, root: Path, template: Mapping[str, Any], parameters: Mapping[str, str]) -> None:
        self._root = root
        self._resources: Mapping[str, Any] = template["Resources"]
        self._resolver = Resolver(template, parameters)

    def functions(self) -> Mapping[str, Function]:
        for logical_id, resource in self._resources.items():
            if resource["Type"] not in _UNDERSTOOD | _WITHOUT_LOCAL_MEANING:
                raise TemplateError(f"{logical_id}: {resource['Type']} has no local counterpart")
        return {function.name: function for function in map(self._function, self._of("AWS::Lambda::Function"))}

    def stack(self) -> Stack:
        functions = self.functions()
        apis = list(map(self._api, self._of("AWS::ApiGateway::RestApi")))
        internal = [api for api in apis if all(route.authorizer == IAM for route in api.routes)]
        if len(apis) - len(internal) != 1 or len(internal) > 1:
            raise TemplateError("the local gateway serves one API for clients, and one at most for roles")
        (api,) = (api for api in apis if api not in internal)
        rules, queue_rules = self._rules()
        routes = [route for api in apis for route in api.routes]
        used = [route.integration.function for route in routes if hasattr(route.integration, "function")]
        used += [authorizer.function for authorizer in api.authorizers.values()]
        used += [target for rule in rules for target in rule.targets]
        web_socket_api = self._web_socket_api()
        if web_socket_api is not None:
            used += [*web_socket_api.routes.values(), *filter(None, [web_socket_api.authorizer])]
        mappings, queue_mappings = self._mappings()
        used += [mapping.function for mapping in mappings] + [mapping.function for mapping in queue_mappings]
        schedules = tuple(read_schedule(*item) for item in self._by_ref("AWS::Scheduler::Schedule").items())
        used += [schedule["Target"]["Arn"].rpartition(":")[2] for schedule in schedules]
        if missing := sorted(set(used) - functions.keys()):
            raise TemplateError(f"the template has no function {missing[0]}")
        return Stack(
            functions=functions,
            api=api,
            tables=tuple(map(self._table, self._of("AWS::DynamoDB::Table"))),
            buckets=tuple(map(self._resolver.attribute, self._of("AWS::S3::Bucket"))),
            state_machines=tuple(map(self._state_machine, self._of("AWS::StepFunctions::StateMachine"))),
            rules=rules,
            internal_api=next(iter(internal), None),
            web_socket_api=web_socket_api,
            stream_mappings=mappings,
            queues=self._names("AWS::SQS::Queue", "QueueName"),
            queue_mappings=queue_mappings,
            queue_rules=queue_rules,
            event_buses=self._names("AWS::Events::EventBus"),
            schedule_groups=self._names("AWS::Scheduler::ScheduleGroup"),
            schedules=schedules,
            bucket_cors={
                name: tuple(properties["CorsConfiguration"]["CorsRules"])
                for name, properties in self._by_ref("AWS::S3::Bucket").items()
                if "CorsConfiguration" in properties
            },
        )

    def _of(self, kind: str) -> Iterator[str]:
        for logical_id, resource in self._resources.items():
            if resource["Type"] == kind and self._resolver.exists(logical_id):
                yield logical_id

    def _properties(self, logical_id: str) -> Mapping[str, Any]:
        properties: Mapping[str, Any] = self._resources[logical_id].get("Properties", {})
        return properties

    def _function(self, logical_id: str) -> Function:
        properties = self._properties(logical_id)
        environment = self._resolver.resolve(properties.get("Environment", {}).get("Variables", {}))
        reserved = {name: value for name, value in properties.items() if name == "ReservedConcurrentExecutions"}
        return Function(
            name=self._resolver.attribute(logical_id),
            arn=self._resolver.attribute(logical_id, "Arn"),
            folder=self._root / properties["Code"]["S3Key"],
            handler=properties["Handler"],
            environment={name: str(value) for name, value in environment.items()},
            timeout=int(self._resolver.resolve(properties.get("Timeout", 3))),
            memory=int(self._resolver.resolve(properties.get("MemorySize", 128))),
            concurrency=next((int(value) for value in self._resolver.resolve(reserved).values()), None),
        )

    def _api(self, logical_id: str) -> Api:
        stages = [self._properties(stage) for stage in self._of("AWS::ApiGateway::Stage")]
        own = next(stage for stage in stages if stage["RestApiId"] == {"Ref": logical_id})
        body = self._resolver.resolve(self._properties(logical_id)["Body"])
        return Api(
            id=self._resolver.attribute(logical_id),
            stage=self._resolver.resolve(own["StageName"]),
            routes=read_routes(body),
            authorizers=read_authorizers(body),
            gateway_responses=read_gateway_responses(body),
            binary_media_types=tuple(body.get("x-amazon-apigateway-binary-media-types", ())),
        )

    def _web_socket_api(self) -> WebSocketApi | None:
        apis = list(self._of("AWS::ApiGatewayV2::Api"))
        if len(apis) > 1:
            raise TemplateError("the local gateway serves one WebSocket API")
        parts = (self._by_ref(f"AWS::ApiGatewayV2::{kind}") for kind in ("Stage", "Route", "Integration", "Authorizer"))
        return read_web_socket_api(self._resolver.attribute(apis[0]), *parts) if apis else None

    def _mappings(self) -> tuple[tuple[StreamMapping, ...], tuple[QueueMapping, ...]]:
        """Return the event source mappings of streams, and those of queues."""
        found = self._by_ref("AWS::Lambda::EventSourceMapping").items()
        of_queues = {name for name, properties in found if ":sqs:" in properties["EventSourceArn"]}
        return (
            tuple(read_stream_mapping(name, properties) for name, properties in found if name not in of_queues),
            tuple(read_queue_mapping(name, properties) for name, properties in found if name in of_queues),
        )

    def _rules(self) -> tuple[tuple[Rule, ...], tuple[QueueRule, ...]]:
        """Return the rules of the default event bus, and those of the stack's own buses."""
        own: list[QueueRule] = []
        others: list[Rule] = []
        for logical_id in self._of("AWS::Events::Rule"):
            properties = self._resolver.resolve(self._properties(logical_id))
            if "EventPattern" not in properties:
                raise TemplateError(f"{logical_id}: only rules with an event pattern work locally")
            if properties.get("EventBusName", "default") == "default":
                others.append(_rule(logical_id, properties))
            else:
                own.append(read_queue_rule(logical_id, properties))
        return tuple(others), tuple(own)

    def _by_ref(self, kind: str) -> dict[str, Any]:
        """Return the resolved properties of all resources of a type, by the value of their `Ref`."""
        return {
            self._resolver.attribute(name): self._resolver.resolve(self._properties(name)) for name in self._of(kind)
        }

    def _names(self, kind: str, attribute: str = "") -> tuple[str, ...]:
        return tuple(self._resolver.attribute(logical_id, attribute) for logical_id in self._of(kind))

    def _table(self, logical_id: str) -> TableDefinition:
        properties = self._resolver.resolve(self._properties(logical_id))
        if unknown := sorted(properties.keys() - _TABLE_ARGUMENTS - _TABLE_SETTINGS_IGNORED):
            raise TemplateError(f"{logical_id}: the table property {unknown[0]} is not supported locally")
        ttl = properties.get("TimeToLiveSpecification", {})
        definition = {name: value for name, value in properties.items() if name in _TABLE_ARGUMENTS}
        if stream := definition.get("StreamSpecification"):
            definition["StreamSpecification"] = {"StreamEnabled": True, **stream}
        return TableDefinition(
            definition=definition | {"TableName": self._resolver.attribute(logical_id)},
            ttl_attribute=ttl["AttributeName"] if ttl.get("Enabled") else None,
        )

    def _state_machine(self, logical_id: str) -> StateMachine:
        properties = self._properties(logical_id)
        if properties.get("StateMachineType", "STANDARD") != "STANDARD":
            raise TemplateError(f"{logical_id}: only standard state machines run locally")
        definition = (self._root / properties["DefinitionS3Location"]["Key"]).read_text(encoding="utf-8")
        for name, value in self._resolver.resolve(properties.get("DefinitionSubstitutions", {})).items():
            definition = definition.replace("${" + name + "}", str(value))
        if '"JSONata"' in definition:
            raise TemplateError(f"{logical_id}: the emulator runs JSONPath state machines only")
        return StateMachine(
            name=self._resolver.attribute(logical_id, "Name"),
            arn=self._resolver.attribute(logical_id),
            definition=json.dumps(json.loads(definition)),
        )


def _rule(name: str, properties: Mapping[str, Any]) -> Rule:
    for target in properties["Targets"]:
        if transformed := sorted(target.keys() - {"Arn", "Id", "RetryPolicy", "DeadLetterConfig"}):
            raise TemplateError(f"{name}: the target's {transformed[0]} is not supported locally")
    arns = [target["Arn"] for target in properties["Targets"]]
    if other := [arn for arn in arns if ":function:" not in arn]:
        raise TemplateError(f"{name}: the target {other[0]} is not a function")
    return Rule(name=name, pattern=properties["EventPattern"], targets=tuple(arn.rpartition(":")[2] for arn in arns))
