"""Reads an event source mapping of a queue, and a rule that sends to queues."""

from collections.abc import Mapping
from typing import Any

from local.stack import QueueMapping, QueueRule, TemplateError

_UNDERSTOOD = frozenset(
    {
        *("BatchSize", "EventSourceArn", "FunctionName", "FunctionResponseTypes", "MaximumBatchingWindowInSeconds"),
        "ScalingConfig",
    }
)


def read_queue_mapping(name: str, properties: Mapping[str, Any]) -> QueueMapping:
    """Read the mapping with these properties. Raises `TemplateError` for what cannot be served locally."""
    if unknown := sorted(properties.keys() - _UNDERSTOOD):
        raise TemplateError(f"{name}: the property {unknown[0]} is not supported locally")
    if properties.get("FunctionResponseTypes") != ["ReportBatchItemFailures"]:
        raise TemplateError(f"{name}: only functions that report failed items are served locally")
    return QueueMapping(
        queue=properties["EventSourceArn"].rpartition(":")[2],
        function=properties["FunctionName"].rpartition(":")[2],
        batch_size=int(properties.get("BatchSize", 10)),
        concurrency=int(properties.get("ScalingConfig", {}).get("MaximumConcurrency", 10)),
    )


def read_queue_rule(name: str, properties: Mapping[str, Any]) -> QueueRule:
    """Read a rule of a bus of the stack. Raises `TemplateError` for what cannot be served locally."""
    targets = properties["Targets"]
    for target in targets:
        if transformed := sorted(target.keys() - {"Arn", "Id", "RetryPolicy", "DeadLetterConfig"}):
            raise TemplateError(f"{name}: the target's {transformed[0]} is not supported locally")
        if ":sqs:" not in target["Arn"]:
            raise TemplateError(f"{name}: only queues get events of the stack's own buses locally")
    return QueueRule(
        bus=properties["EventBusName"],
        pattern=properties["EventPattern"],
        queues=tuple(target["Arn"].rpartition(":")[2] for target in targets),
    )
