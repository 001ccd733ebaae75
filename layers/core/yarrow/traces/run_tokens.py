"""The tokens of a run in its trace.

A backend adds the tokens of all spans. So the span of the run has under the conventions' names only those that no span
of a model has, which its runner has reported; all of them are in Yarrow's own attributes.
"""

from typing import Final

from yarrow.traces import semantic_conventions as names
from yarrow.traces.stored_run import StoredRun

_NAMES: Final = {
    "inputTokens": (names.INPUT_TOKENS, "input_tokens"),
    "outputTokens": (names.OUTPUT_TOKENS, "output_tokens"),
    "cachedInputTokens": (names.CACHE_READ_TOKENS, "cached_input_tokens"),
    "cacheWriteInputTokens": (names.CACHE_WRITE_TOKENS, "cache_write_tokens"),
    "reasoningTokens": (names.REASONING_TOKENS, "reasoning_tokens"),
}
"""The attribute and the field of a step, by the count that AG-UI names."""


def own_tokens(stored: StoredRun) -> dict[str, int]:
    """Return the tokens that are in no step of the run."""
    found: dict[str, int] = {}
    for count, (attribute, field) in _NAMES.items():
        in_steps = sum(getattr(step, field) or 0 for step in stored.own_steps)
        if (rest := _total(stored, count) - in_steps) > 0:
            found[attribute] = rest
    return found


def sums(stored: StoredRun) -> dict[str, int]:
    """Return all tokens of the run."""
    return {name: total for count, name in names.ALL_TOKENS.items() if (total := _total(stored, count))}


def _total(stored: StoredRun, count: str) -> int:
    return sum(int(entry.get(count, 0)) for entry in stored.last_event.get("usage", ()))
