"""How many tokens the models may cost a run. Not who pays for them, nor what they cost."""

from yarrow.protocol.runner_api import AgentAPIException, ModelUsage


def estimated(text: str) -> int:
    """About how many tokens a text is, where nobody has counted: four bytes of UTF-8 each."""
    return -(-len(text.encode()) // 4)


class TokenBudget:
    """Counts the tokens of every request of a run, in and out. The request that spends the last ones is answered."""

    def __init__(self, tokens: int) -> None:
        self._tokens = tokens
        self._total = ModelUsage()

    def admit(self) -> None:
        """Raise `rate_limited` when nothing is left (RNR-52)."""
        if self._total.input_tokens + self._total.output_tokens >= self._tokens:
            raise AgentAPIException("rate_limited", "The run has used all the model tokens it may use.")

    def spend(self, usage: ModelUsage) -> None:
        """Count a request that was made."""
        self._total = ModelUsage(
            input_tokens=self._total.input_tokens + usage.input_tokens,
            output_tokens=self._total.output_tokens + usage.output_tokens,
        )

    def total(self) -> ModelUsage:
        """What the run has spent so far."""
        return self._total
