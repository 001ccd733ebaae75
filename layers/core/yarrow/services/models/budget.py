"""How much of models a run may use: so many calls, and so many tokens. Not who pays for them, nor what they cost."""

from typing import Final, Protocol

from yarrow.protocol.runner.api import AgentAPIException, ModelUsage

MODEL_CALLS: Final = 300
MODEL_TOKENS: Final = 500_000
"""What one run may use."""


def estimated(text: str) -> int:
    """About how many tokens a text is, where nobody has counted: four bytes of UTF-8 each."""
    return -(-len(text.encode()) // 4)


def used_up() -> AgentAPIException:
    """Nothing is left, and nothing will be (RNR-52)."""
    return AgentAPIException("rate_limited", "The run has used all the model calls or tokens it may use.")


class Budget(Protocol):
    """Counts the calls of a run's models, and the tokens of each, in and out. The call that spends the last ones is
    answered.
    """

    async def admit(self) -> None:
        """Count a call, or raise `rate_limited` when nothing is left (RNR-52)."""
        ...

    def spend(self, usage: ModelUsage, /) -> None:
        """Count what a call has used."""
        ...


class TokenBudget:
    """The budget of a run whose calls are all made in this process."""

    def __init__(self, tokens: int = MODEL_TOKENS, calls: int = MODEL_CALLS) -> None:
        self._tokens = tokens
        self._calls = calls
        self._total = ModelUsage()

    async def admit(self) -> None:
        """As Budget has it."""
        if not self._calls or self._total.input_tokens + self._total.output_tokens >= self._tokens:
            raise used_up()
        self._calls -= 1

    def spend(self, usage: ModelUsage) -> None:
        """As Budget has it."""
        self._total = ModelUsage(
            input_tokens=self._total.input_tokens + usage.input_tokens,
            output_tokens=self._total.output_tokens + usage.output_tokens,
        )

    def total(self) -> ModelUsage:
        """What the run has spent so far."""
        return self._total
