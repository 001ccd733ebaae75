"""What an artifact must be before it is stored."""

from typing import Any

import pytest

from yarrow.protocol.runner.api import AgentAPIException
from yarrow.store import artifacts


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        ({"mime_type": "text"}, "invalid_argument"),
        ({"mime_type": "text/plain\r\nX-Evil: 1"}, "invalid_argument"),
        ({"mime_type": "text/plain; boundary=x"}, "invalid_argument"),
        ({"name": ""}, "invalid_argument"),
        ({"name": "x" * 256}, "invalid_argument"),
        ({"name": "a\nb"}, "invalid_argument"),
        ({"metadata": {"a": float("nan")}}, "invalid_argument"),
        ({"metadata": {"a": "x" * 16_384}}, "payload_too_large"),
    ],
)
def test_a_malformed_artifact_is_refused(arguments: dict[str, Any], code: str) -> None:
    """RNR-38, RNR-59: before anything is stored."""
    right = {"artifact_type": "file", "mime_type": "text/plain", "name": "a.txt", "data": b""}
    with pytest.raises(AgentAPIException) as caught:
        artifacts.create(
            artifacts.new_id(),
            thread_id="t",
            user_id="alice",
            run_key="run-1",
            runner_id="plugin:a/b/c",
            **right | arguments,
        )
    assert caught.value.error.code == code
