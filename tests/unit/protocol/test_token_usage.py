"""Tokens of models as AG-UI counts them."""

from typing import Any

import pytest
from ag_ui.core import TokenUsage, aggregate_token_usage
from hypothesis import given
from hypothesis import strategies as st

from yarrow.protocol import token_usage
from yarrow.protocol.token_usage import COUNTS, MAX_MODELS, entry, summed

ENTRIES = st.lists(
    st.fixed_dictionaries(
        {},
        optional={
            "provider": st.sampled_from(["a", "b"]),
            "model": st.sampled_from(["x", "y"]),
            **{name: st.integers(0, 10**9) for name in COUNTS},
        },
    ).filter(lambda one: bool(one.keys() & set(COUNTS)))
)


@given(ENTRIES)
def test_sums_are_those_of_the_sdk(entries: list[dict[str, Any]]) -> None:
    """EVT-31."""
    expected = aggregate_token_usage([TokenUsage.model_validate(one) for one in entries])
    found = [TokenUsage.model_validate(one) for one in summed(entries)]
    assert sorted(map(str, found)) == sorted(map(str, expected))


@pytest.mark.parametrize(
    ("member", "expected"),
    [
        ({"model": "m", "inputTokens": 3, "cost": 1.5}, {"model": "m", "inputTokens": 3}),
        ({"model": "m", "inputTokens": -1, "outputTokens": 0}, {"model": "m", "outputTokens": 0}),
        ({"model": "", "provider": 7, "totalTokens": 1}, {"totalTokens": 1}),
        ({"model": "m", "inputTokens": True, "outputTokens": 1.0, "totalTokens": 2**53}, None),
        ({"model": "m"}, None),
        ("m", None),
    ],
)
def test_only_valid_counts_are_taken(member: Any, expected: dict[str, Any] | None) -> None:
    """EVT-31: an entry without any is no usage."""
    assert entry(member) == expected


def test_a_run_has_entries_of_so_many_models_and_counts_that_clients_can_read() -> None:
    """EVT-31."""
    assert len(summed({"model": f"m{number}", "inputTokens": 1} for number in range(MAX_MODELS + 1))) == MAX_MODELS
    (huge,) = summed([{"inputTokens": token_usage._MAX_COUNT}] * 2)
    assert huge == {"inputTokens": 2**53 - 1}
