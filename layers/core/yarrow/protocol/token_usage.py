"""Tokens of models as AG-UI counts them: `usage` of RUN_FINISHED and RUN_ERROR (EVT-31).

Source: `TokenUsage` of AG-UI 1.0. Details are parts of the totals: cached tokens of the input, reasoning of the output.
A count that nobody reported is left out, which is not zero.
"""

from collections.abc import Iterable, Mapping
from typing import Any, Final

COUNTS: Final = (
    "inputTokens",
    "outputTokens",
    "totalTokens",
    "reasoningTokens",
    "cachedInputTokens",
    "cacheWriteInputTokens",
)

MAX_MODELS: Final = 50
"""Entries of a run; the counts of further models are left out."""

_LABELS: Final = ("provider", "model")
_MAX_LABEL: Final = 256
_MAX_COUNT: Final = 2**53 - 1

Entry = dict[str, Any]


def entry(member: Any) -> Entry | None:
    """Return the known members of one that a runner reports; None without a valid count."""
    if not isinstance(member, Mapping):
        return None
    labels = {
        name: label for name in _LABELS if isinstance(label := member.get(name), str) and 0 < len(label) <= _MAX_LABEL
    }
    counts = {name: count for name in COUNTS if _is_count(count := member.get(name))}
    return labels | counts if counts else None


def _is_count(value: Any) -> bool:
    return type(value) is int and 0 <= value <= _MAX_COUNT


def tokens_of(entries: Iterable[Entry]) -> int:
    """Return the tokens of all entries, in and out; the total of one that has neither."""
    return sum(
        one.get("inputTokens", 0) + one.get("outputTokens", 0)
        if "inputTokens" in one or "outputTokens" in one
        else one.get("totalTokens", 0)
        for one in entries
    )


def summed(entries: Iterable[Entry]) -> tuple[Entry, ...]:
    """Return the sums, an entry for each provider and model, in the order in which they come."""
    sums: dict[tuple[Any, Any], Entry] = {}
    for one in entries:
        key = one.get("provider"), one.get("model")
        if key not in sums:
            if len(sums) == MAX_MODELS:
                continue
            sums[key] = {name: one[name] for name in _LABELS if name in one}
        into = sums[key]
        for name in COUNTS:
            if name in one:
                into[name] = min(_MAX_COUNT, into.get(name, 0) + one[name])
    return tuple(sums.values())
