"""What a tool keeps once a run: the first value stays, for this run and what it is for."""

from typing import Any

import pytest

from yarrow.store import table
from yarrow.store.runner import kept_once

pytestmark = [pytest.mark.usefixtures("aws"), pytest.mark.memory]

FIRST: dict[str, Any] = {"hours": [3, 0, -1], "port": "汉堡", "at": {"deep": [True, 2]}}


def test_a_worker_that_takes_over_has_what_the_first_one_kept() -> None:
    """Numbers too come back as they were."""
    assert kept_once.keep("run", "TIDE", "Hamburg", FIRST) == FIRST
    again = kept_once.keep("run", "TIDE", "Hamburg", {"hours": [9]})
    assert again == FIRST
    assert type(again["hours"][0]) is int


def test_other_runs_kinds_and_names_have_their_own() -> None:
    kept_once.keep("run", "TIDE", "Hamburg", FIRST)
    for run, kind, of in (("other", "TIDE", "Hamburg"), ("run", "WIND", "Hamburg"), ("run", "TIDE", "Bergen")):
        assert kept_once.keep(run, kind, of, {"hours": [9]}) == {"hours": [9]}


@pytest.mark.parametrize("kind", ["EVENT", "INPUT", "RUN", "GRANT", "TOKEN", "tide", "TIDE#1", ""])
def test_a_kind_of_the_platform_or_an_odd_one_is_refused(kind: str) -> None:
    """SEC-03: a tool does not reach what else a run has."""
    with pytest.raises(ValueError, match="not a valid kind"):
        kept_once.keep("run", kind, "Hamburg", FIRST)
    assert table.get(table.run_key_of("run", kind or "RUN")) is None


@pytest.mark.parametrize("member", ["pk", "sk", "expires_at"])
def test_a_member_that_the_item_needs_is_refused(member: str) -> None:
    with pytest.raises(ValueError, match="name of a key"):
        kept_once.keep("run", "TIDE", "Hamburg", {member: "x"})
