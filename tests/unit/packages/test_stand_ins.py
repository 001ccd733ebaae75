"""What packages add to the script that stands in for a model, and what they cannot."""

from collections.abc import Iterator

import pytest

from tests.support.log_lines import LogLines
from yarrow.packages import declared, stand_ins
from yarrow.protocol.runner.stand_in import StandIn


@pytest.fixture(autouse=True)
def fresh() -> Iterator[None]:
    stand_ins.stand_ins.cache_clear()
    yield
    stand_ins.stand_ins.cache_clear()


def test_a_package_adds_replies_and_requests_and_a_broken_one_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """RNR-03: as with runners, its failure is told and concerns nobody else."""
    tea = StandIn(reply=lambda text, locale: f"{locale}: tea" if "tea" in text else None)

    def broken() -> object:
        raise ImportError("no kettle")

    loaders = [("broken", broken), ("none", lambda: "tea"), ("tea", lambda: tea)]
    monkeypatch.setattr(declared, "loaders", lambda group: iter(loaders) if group == "yarrow.stand_ins" else iter(()))
    with LogLines.captured() as log:
        assert stand_ins.stand_ins() == (tea,)
    assert [(record["entry_point"], record["reason"]) for record in log.records] == [
        ("broken", "ImportError: no kettle"),
        ("none", "not a StandIn"),
    ]


def test_the_bundled_agents_have_one() -> None:
    assert {tool for item in stand_ins.stand_ins() for tool, _, _ in item.requests} == {"cast_hexagram"}
