"""Filter patterns match as Lambda's do, as far as they are supported."""

from typing import Any

import pytest

from local.stack import TemplateError
from local.table_stream.filters import check, matches
from local.template import load
from tests.support.paths import ROOT

RECORD = {"eventName": "INSERT", "dynamodb": {"NewImage": {"sk": {"S": "ENTRY#1"}, "n": {"N": "1"}}}}


@pytest.mark.parametrize(
    ("pattern", "matched"),
    [
        ({}, True),
        ({"eventName": ["INSERT"]}, True),
        ({"eventName": ["MODIFY", "INSERT"]}, True),
        ({"eventName": ["MODIFY"]}, False),
        ({"dynamodb": {"NewImage": {"sk": {"S": [{"prefix": "ENTRY#"}]}}}}, True),
        ({"dynamodb": {"NewImage": {"sk": {"S": [{"prefix": "EVENT#"}]}}}}, False),
        ({"dynamodb": {"NewImage": {"n": {"N": [{"exists": True}]}}}}, True),
        ({"dynamodb": {"NewImage": {"n": {"S": [{"exists": True}]}}}}, False),
        ({"dynamodb": {"NewImage": {"m": {"N": [{"exists": True}]}}}}, False),
        ({"dynamodb": {"NewImage": {"m": {"N": [{"exists": False}]}}}}, True),
        ({"eventName": ["INSERT"], "dynamodb": {"OldImage": {"sk": {"S": ["x"]}}}}, False),
    ],
)
def test_a_pattern_matches_records(pattern: dict[str, Any], matched: bool) -> None:
    check(pattern)
    assert matches(pattern, RECORD) is matched


@pytest.mark.parametrize(
    "pattern", [{"a": [{"numeric": ["=", 1]}]}, {"a": "b"}, {"a": {"b": [{"anything-but": ["x"]}]}}]
)
def test_other_rules_stop_the_start(pattern: dict[str, Any]) -> None:
    with pytest.raises(TemplateError):
        check(pattern)


def image(**attributes: str) -> dict[str, Any]:
    return {name: {"S": value} for name, value in attributes.items()}


@pytest.mark.parametrize(
    ("event", "item", "expected"),
    [
        ("INSERT", image(pk="WORKSPACE#k", sk="ENTRY#0000000001"), True),
        ("MODIFY", image(pk="WORKSPACE#k", sk="ENTRY#0000000001"), False),
        ("INSERT", image(pk="WORKSPACE#k", sk="CONNECTION#c"), True),
        ("MODIFY", image(pk="WORKSPACE#k", sk="CONNECTION#c"), False),
        ("INSERT", image(pk="CONNECTION#c", sk="CONNECTION"), False),
        ("INSERT", image(pk="WORKSPACE#k", sk="WORKSPACE"), False),
        ("INSERT", image(pk="RUN#r", sk="EVENT#0000000001.000", workspace="k"), True),
        ("INSERT", image(pk="RUN#r", sk="EVENT#0000000001.000"), False),
        ("INSERT", image(pk="RUN#r", sk="RUN", workspace="k"), False),
        ("MODIFY", image(pk="SESSION#t", sk="SESSION", workspace="k", deleted_at="now"), True),
        ("MODIFY", image(pk="SESSION#t", sk="SESSION", workspace="k"), False),
        ("MODIFY", image(pk="SESSION#t", sk="SESSION", deleted_at="now"), False),
    ],
)
def test_the_push_function_hears_of_what_pages_are_shown(event: str, item: dict[str, Any], expected: bool) -> None:
    """WSP-21, CMP-09: and of nothing else; each record that passes is an invocation's price."""
    assert is_heard("yarrow-WorkspacePushFunction", event, item) is expected


def is_heard(function: str, event: str, item: dict[str, Any]) -> bool:
    """Whether a filter of the function's mapping lets the change through."""
    stack = load(ROOT / "template.yaml", {"OidcIssuer": "https://i.example", "OidcAudience": "y"})
    (mapping,) = (mapping for mapping in stack.stream_mappings if mapping.function == function)
    record = {"eventName": event, "dynamodb": {"NewImage": item}}
    return any(matches(pattern, record) for pattern in mapping.patterns)


@pytest.mark.parametrize(
    ("event", "item", "expected"),
    [
        ("MODIFY", image(pk="RUN#r", sk="RUN", ended_at="now"), True),
        ("MODIFY", image(pk="RUN#r", sk="RUN"), False),
        ("INSERT", image(pk="RUN#r", sk="RUN"), False),
        ("REMOVE", image(pk="RUN#r", sk="RUN", ended_at="now"), False),
        ("INSERT", image(pk="RUN#r", sk="EVENT#0000000002.000"), False),
        ("INSERT", image(pk="QUESTIONS#u", sk="CLOSED#q", answer_status="expired"), True),
        ("MODIFY", image(pk="QUESTIONS#u", sk="OPEN#q", lapsed="true"), True),
        # Five filters have to do: of a question more is heard than is an event.
        ("INSERT", image(pk="QUESTIONS#u", sk="CLOSED#q", answer_status="answered"), True),
        ("REMOVE", image(pk="QUESTIONS#u", sk="OPEN#q"), False),
        ("MODIFY", image(pk="JOB#j", sk="JOB", paused_for="failures"), True),
        ("MODIFY", image(pk="JOB#j", sk="JOB"), False),
    ],
)
def test_the_publishing_function_hears_of_what_may_be_an_event(
    event: str, item: dict[str, Any], expected: bool
) -> None:
    """EVB-01, CMP-09."""
    assert is_heard("yarrow-PublishEventsFunction", event, item) is expected
