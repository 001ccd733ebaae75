"""What of queues is served locally, and what stops the start (EVB-04)."""

from typing import Any

import pytest

from local.queues.definition import read_queue_mapping, read_queue_rule
from local.stack import QueueMapping, QueueRule, TemplateError

MAPPING: dict[str, Any] = {
    "EventSourceArn": "arn:aws:sqs:us-east-1:123456789012:letters",
    "FunctionName": "arn:aws:lambda:us-east-1:123456789012:function:read",
    "FunctionResponseTypes": ["ReportBatchItemFailures"],
    "BatchSize": 5,
    "ScalingConfig": {"MaximumConcurrency": 3},
}
RULE: dict[str, Any] = {
    "EventBusName": "events",
    "EventPattern": {"source": ["yarrow"]},
    "Targets": [{"Id": "1", "Arn": MAPPING["EventSourceArn"], "DeadLetterConfig": {"Arn": "a"}}],
}


def test_a_mapping_is_read() -> None:
    assert read_queue_mapping("m", MAPPING) == QueueMapping("letters", "read", 5, 3)


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"FilterCriteria": {}}, "property FilterCriteria is not supported"),
        ({"FunctionResponseTypes": []}, "only functions that report failed items"),
    ],
)
def test_a_mapping_that_is_not_understood_stops_the_start(change: dict[str, Any], complaint: str) -> None:
    with pytest.raises(TemplateError, match=complaint):
        read_queue_mapping("m", MAPPING | change)


def test_a_rule_is_read() -> None:
    assert read_queue_rule("r", RULE) == QueueRule("events", {"source": ["yarrow"]}, ("letters",))


@pytest.mark.parametrize(
    ("target", "complaint"),
    [
        ({"Id": "1", "Arn": "arn:aws:sqs:a:1:q", "InputPath": "$.detail"}, "the target's InputPath"),
        ({"Id": "1", "Arn": "arn:aws:lambda:a:1:function:f"}, "only queues get events"),
    ],
)
def test_a_rule_that_is_not_understood_stops_the_start(target: dict[str, str], complaint: str) -> None:
    with pytest.raises(TemplateError, match=complaint):
        read_queue_rule("r", RULE | {"Targets": [target]})
