"""The tokens of a run in its trace.

A backend adds the tokens of all spans. So the span of the run has under the conventions' names only those that no span
of a model has, which its runner has reported; all of them are in Yarrow's own attributes.
"""

from typing import Final

from yarrow.store.runner.steps import TOKENS
from yarrow.traces import semantic_conventions as names
from yarrow.traces.stored_run import StoredRun

_ATTRIBUTES: Final = {
    "inputTokens": names.INPUT_TOKENS,
    "outputTokens": names.OUTPUT_TOKENS,
    "cachedInputTokens": names.CACHE_READ_TOKENS,
    "cacheWriteInputTokens": names.CACHE_WRITE_TOKENS,
    "reasoningTokens": names.REASONING_TOKENS,
}
"""By the count that AG-UI names."""


def own_tokens(stored: StoredRun) -> dict[str, int]:
    """Return the tokens that are in no step of the run."""
    found: dict[str, int] = {}
    for count, attribute in _ATTRIBUTES.items():
        in_steps = sum(getattr(step, TOKENS[count]) or 0 for step in stored.own_steps)
        if (rest := _total(stored, count) - in_steps) > 0:
            found[attribute] = rest
    return found


def sums(stored: StoredRun) -> dict[str, int]:
    """Return all tokens of the run."""
    return {name: total for count, name in names.ALL_TOKENS.items() if (total := _total(stored, count))}


def _total(stored: StoredRun, count: str) -> int:
    return sum(int(entry.get(count, 0)) for entry in stored.last_event.get("usage", ()))
