"""What the tokens of models cost, by the deployment's prices."""

from typing import TYPE_CHECKING, Final

import msgspec

from yarrow.protocol.usage import ModelPrice, ModelPrices
from yarrow.settings import settings

if TYPE_CHECKING:
    from yarrow.protocol.usage import TokenCounts
    from yarrow.store.run_usage import DailyUse

_MILLION: Final = 1_000_000
_PLACES: Final = 9
"""Decimal places of a cost."""


def model_prices() -> ModelPrices:
    """Return the prices of the parameter `ModelPrices`."""
    return msgspec.json.decode(settings.model_prices, type=ModelPrices)


def cost(
    price: ModelPrice | None,
    *,
    input_tokens: int | None,
    output_tokens: int | None,
    cached_input_tokens: int | None,
    cache_write_tokens: int | None,
) -> float | None:
    """Return what these tokens cost, in the currency of the prices; None without a price. Cached tokens and those
    written to a cache are part of the input.
    """
    if price is None:
        return None
    cached, written = cached_input_tokens or 0, cache_write_tokens or 0
    plain = max(0, (input_tokens or 0) - cached - written)
    sums = (
        plain * price.input,
        cached * (price.input if price.cached_input is None else price.cached_input),
        written * (price.input if price.cache_write is None else price.cache_write),
        (output_tokens or 0) * price.output,
    )
    return round(sum(sums) / _MILLION, _PLACES)


def cost_of(used: "DailyUse | TokenCounts", prices: ModelPrices) -> float | None:
    """Return what a run, or the runs of a day, used of a model cost; None for a model without a price."""
    return cost(
        prices.models.get(used.model or ""),
        input_tokens=used.input_tokens,
        output_tokens=used.output_tokens,
        cached_input_tokens=used.cached_input_tokens,
        cache_write_tokens=used.cache_write_input_tokens,
    )
