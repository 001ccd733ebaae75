"""The payloads of `events/` for functions that queues and the table's stream feed: each function has one."""

import json
from typing import Any, Final

import pytest

from local.stack import Stack
from local.table_stream.filters import matches
from local.template import load
from tests.support.functions.payloads import EVENTS
from tests.support.paths import ROOT

PARAMETERS: Final = {
    "OidcIssuer": "https://issuer.example",
    "OidcAudience": "y",
    "TracesEndpoint": "https://traces.example.com/v1/traces",
    "WebPushContact": "mailto:ops@example.com",
}
"""With these the template has every mapping."""


@pytest.fixture(scope="module")
def deployed() -> Stack:
    return load(ROOT / "template.yaml", PARAMETERS)


def records(name: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads((EVENTS / f"{name}.json").read_text(encoding="utf-8"))["Records"]
    return found


def test_each_function_of_a_queue_has_a_payload_with_what_the_queue_gets(deployed: Stack) -> None:
    """EVB-02, EVB-04, EVB-09: an event that the rule of the queue lets through, and no other function has one."""
    names = set()
    for mapping in deployed.queue_mappings:
        names.add(name := f"sqs_{deployed.functions[mapping.function].folder.name}")
        patterns = [rule.pattern for rule in deployed.queue_rules if mapping.queue in rule.queues]
        events = [event for record in records(name) if "detail" in (event := json.loads(record["body"]))]
        assert events
        assert all(matches(pattern, event) for pattern in patterns for event in events)
        assert {record["eventSourceARN"].rpartition("-")[2] for record in records(name)} == {
            mapping.queue.rpartition("-")[2]
        }
    assert names == {path.stem for path in EVENTS.glob("sqs_*.json")}


def test_each_function_of_the_stream_has_a_payload_that_its_filters_let_through(deployed: Stack) -> None:
    """EVB-01, WSP-34."""
    names = set()
    for mapping in deployed.stream_mappings:
        names.add(name := f"dynamodb_{deployed.functions[mapping.function].folder.name}")
        for record in records(name):
            assert any(matches(pattern, record) for pattern in mapping.patterns), name
    assert names == {path.stem for path in EVENTS.glob("dynamodb_*.json")}
