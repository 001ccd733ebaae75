"""Tokens that a runner reports with its results, as AG-UI counts them (EVT-31).

A runner reports the sum of all that it knows, also of requests to the host's models, which the host has counted: only
what is beyond those is its own.
"""

from collections import Counter
from collections.abc import Mapping
from typing import Any, Final

_COUNTS: Final = {"prompt_tokens": "inputTokens", "completion_tokens": "outputTokens", "total_tokens": "totalTokens"}
"""The SDK's names of counts, and AG-UI's."""


class Usage:
    """The tokens of one run by the SDK's names. `counted` are those of the host's models."""

    def __init__(self) -> None:
        self.counted: Counter[str] = Counter()
        self._reported: Counter[str] = Counter()

    def count(self, usage: Mapping[str, Any] | None) -> None:
        """Add what the host has answered of a request to one of its models."""
        self.counted.update(_counts(usage))

    def report(self, usage: Any) -> None:
        """Add what came with a result before the last."""
        self._reported.update(_counts(None if usage is None else usage.model_dump()))

    def own(self, last: Any) -> list[dict[str, int]]:
        """Return the tokens beyond the host's count, by what the `last` result reports of the whole run, or, if it
        reports nothing, by what came before.
        """
        reported = self._reported if last is None else _counts(last.model_dump())
        own = {name: max(0, reported[sdk] - self.counted[sdk]) for sdk, name in _COUNTS.items() if sdk in reported}
        return [own] if any(own.values()) else []


def _counts(usage: Mapping[str, Any] | None) -> Counter[str]:
    reported = usage or {}
    return Counter({name: count for name in _COUNTS if type(count := reported.get(name)) is int and count >= 0})
