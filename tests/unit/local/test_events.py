"""Event patterns match as EventBridge's do, as far as exact values go."""

from typing import Any

import pytest

from local.events import EventBus, matches
from local.functions import LambdaHost
from local.stack import Rule, TemplateError

EVENT = {"source": "aws.states", "resources": ["a", "b"], "detail": {"status": "FAILED", "name": "x"}}


@pytest.mark.parametrize(
    ("pattern", "matched"),
    [
        ({"source": ["aws.states"]}, True),
        ({"source": ["aws.s3", "aws.states"], "detail": {"status": ["FAILED", "ABORTED"]}}, True),
        ({"resources": ["b"]}, True),
        ({"source": ["aws.s3"]}, False),
        ({"source": ["aws.states"], "detail": {"status": ["SUCCEEDED"]}}, False),
        ({"detail": {"missing": ["x"]}}, False),
        ({"source": {"nested": ["x"]}}, False),
        ({"resources": ["c"]}, False),
    ],
)
def test_a_pattern_matches_events(pattern: dict[str, Any], matched: bool) -> None:
    assert matches(pattern, EVENT) is matched


def test_a_pattern_with_filters_is_refused_at_the_start() -> None:
    rule = Rule("Prefixed", {"detail": {"name": [{"prefix": "x"}]}}, ())
    with pytest.raises(TemplateError, match="Prefixed: only exact values"):
        EventBus([rule], LambdaHost({}))
