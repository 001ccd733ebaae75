"""What may be kept as state: JSON that can be read back, up to a size. Nothing else gets as far as the table."""

from typing import Any

import pytest

from yarrow.protocol.runner.api import AgentAPIException
from yarrow.store.runner import persistent_state
from yarrow.store.runner.persistent_state import VALUE_BYTES, StateSpace

SPACE = StateSpace("plugin:acme/demo/main", "binding-1", "conversation", "550e8400-e29b-41d4-a716-446655440000")

DEEP: list[Any] = []
for _ in range(300):
    DEEP = [DEEP]


@pytest.mark.parametrize("value", [float("nan"), float("inf"), {1, 2}, b"bytes", "\ud800", DEEP, {1: "a", "1": "b"}])
def test_what_could_not_be_read_back_is_not_kept(value: Any) -> None:
    """RNR-36."""
    with pytest.raises(AgentAPIException) as caught:
        persistent_state.set_value(SPACE, "k", value)
    assert caught.value.error.code == "invalid_argument"


def test_a_large_value_is_refused() -> None:
    """RNR-36: The bytes of its JSON count."""
    with pytest.raises(AgentAPIException) as caught:
        persistent_state.set_value(SPACE, "k", "x" * (VALUE_BYTES - 1))
    assert caught.value.error.code == "payload_too_large"
