"""Which answers are readings, by the rules of packages."""

from collections.abc import Iterator

import pytest

from tests.support.log_lines import LogLines
from yarrow.packages import declared, outcomes
from yarrow.protocol.runner.outcome import OutcomeRule


@pytest.fixture(autouse=True)
def fresh() -> Iterator[None]:
    outcomes._rules.cache_clear()
    yield
    outcomes._rules.cache_clear()


def test_the_rule_of_any_package_makes_an_answer_a_reading(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is no rule is left out, and logged."""
    rule = OutcomeRule(lambda output: "forecast" in output)
    loaders = [("none", lambda: len), ("weather", lambda: rule)]
    monkeypatch.setattr(declared, "loaders", lambda group: iter(loaders) if group == "yarrow.outcomes" else iter(()))
    with LogLines.captured() as log:
        assert outcomes.is_reading({"forecast": 21})
    assert [(record["entry_point"], record["reason"]) for record in log.records] == [("none", "not a OutcomeRule")]
    assert not outcomes.is_reading({"status": "success"})
    assert not outcomes.is_reading(None)


@pytest.mark.parametrize(
    ("output", "is_reading"),
    [
        ({"status": "success", "divination_derived": {}}, True),
        ({"status": "failed", "divination_derived": {}}, False),
        ({"ui_hints": {"cards": [{"title": {"word": "cast"}}]}}, True),
        ({"ui_hints": {"cards": [{"title": {"word": "event_created"}}]}}, False),
        ({"ui_hints": "none"}, False),
        ({}, False),
    ],
)
def test_the_bundled_agents_have_one(output: dict[str, object], is_reading: bool) -> None:
    assert outcomes.is_reading(output) == is_reading
