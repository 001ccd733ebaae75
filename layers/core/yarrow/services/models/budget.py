"""Limits of one run on model calls and tokens."""

from collections.abc import Iterable
from typing import Final, Protocol

from yarrow.protocol.runner.api import AgentAPIException, ModelUsage
from yarrow.store.runs import ModelUse

MODEL_CALLS: Final = 300
MODEL_TOKENS: Final = 500_000


def estimated(text: str) -> int:
    """Estimate the tokens of a text: one per four bytes of UTF-8."""
    return -(-len(text.encode()) // 4)


def used_up() -> AgentAPIException:
    """Return the error of an exhausted budget; it is not retryable (RNR-52)."""
    return AgentAPIException("rate_limited", "The run has reached its limit of model calls or tokens.")


class Budget(Protocol):
    """Counts a run's model calls and tokens (in and out). The call that exceeds the limit is still answered."""

    async def admit(self) -> None:
        """Count a call, or raise `rate_limited` (RNR-52)."""
        ...

    def spend(self, usage: ModelUsage, /) -> None: ...


class TokenBudget:
    def __init__(self, tokens: int = MODEL_TOKENS, calls: int = MODEL_CALLS) -> None:
        self._tokens = tokens
        self._most = self._calls = calls
        self._total = ModelUsage()

    async def admit(self) -> None:
        if not self._calls or self._total.input_tokens + self._total.output_tokens >= self._tokens:
            raise used_up()
        self._calls -= 1

    def spend(self, usage: ModelUsage) -> None:
        self._total = ModelUsage(
            input_tokens=self._total.input_tokens + usage.input_tokens,
            output_tokens=self._total.output_tokens + usage.output_tokens,
        )

    def count(self, earlier: Iterable[ModelUsage]) -> None:
        """Count calls that earlier workers of the run made."""
        for usage in earlier:
            self._calls = max(0, self._calls - 1)
            self.spend(usage)

    def count_at_least(self, used: ModelUse) -> None:
        """Count what the run had used at the end of a turn, with calls that were cut off and are no steps."""
        self._calls = min(self._calls, self._most - used.calls)
        missing = used.tokens - self._total.input_tokens - self._total.output_tokens
        self.spend(ModelUsage(input_tokens=max(0, missing)))

    def used(self) -> ModelUse:
        return ModelUse(self._most - self._calls, self._total.input_tokens + self._total.output_tokens)

    def total(self) -> ModelUsage:
        return self._total
