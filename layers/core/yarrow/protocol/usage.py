"""Response of `GET /api/v1/usage` (EVB-05), tokens of a run, and the prices of models."""

from msgspec import Struct

from yarrow.protocol.response_body import Body


class TokenCounts(Body, frozen=True, kw_only=True):
    """What a run used of one model, as AG-UI counts tokens; a count that nobody reported is absent."""

    provider: str | None = None
    model: str | None = None
    input_tokens: int | None = None
    output_tokens: int | None = None
    total_tokens: int | None = None
    reasoning_tokens: int | None = None
    cached_input_tokens: int | None = None
    cache_write_input_tokens: int | None = None


class UsageItem(Body, frozen=True, kw_only=True):
    """What runs of an agent that ended on this day (UTC) used of a model; without `model`, runs that used none.

    `runs` has each run once: with the model that it used first. Cached tokens and those written to a cache are part of
    `inputTokens`, reasoning is part of `outputTokens`; what nobody reported is absent. `cost` is by the deployment's
    prices, in its currency, and absent for a model without a price.
    """

    day: str
    agent: str
    model: str | None = None
    provider: str | None = None
    user_id: str | None = None
    """In the list of all users."""
    api_key: str | None = None
    """The id of the API key by which the runs were submitted; absent for those of tokens."""
    runs: int
    input_tokens: int | None = None
    output_tokens: int | None = None
    reasoning_tokens: int | None = None
    cached_input_tokens: int | None = None
    cache_write_input_tokens: int | None = None
    cost: float | None = None


class RecognisedSpeech(Body, frozen=True, kw_only=True):
    """The speech that was recognised for the user on a day."""

    day: str
    seconds: int


class LimitsLeft(Body, frozen=True, kw_only=True):
    """What the user may still use; a limit that the deployment does not have is absent."""

    tokens_today: int | None = None
    speech_seconds_today: int | None = None
    runs_this_minute: int | None = None


class Usage(Body, frozen=True, kw_only=True):
    """A page of sums, the oldest day first. `speech` and `left` are on the first page of the user's own."""

    days: tuple[UsageItem, ...]
    speech: tuple[RecognisedSpeech, ...] | None = None
    left: LimitsLeft | None = None
    currency: str | None = None
    """Of each `cost`; absent without prices."""
    has_more: bool
    next: str | None = None


class ModelPrice(Struct, frozen=True, kw_only=True, rename="camel", forbid_unknown_fields=True):
    """Prices of a million tokens. Without prices of their own, cached and cache-written ones cost as input does."""

    input: float
    output: float
    cached_input: float | None = None
    cache_write: float | None = None


class ModelPrices(Struct, frozen=True, kw_only=True, rename="camel", forbid_unknown_fields=True):
    """The parameter `ModelPrices`: by the names that `Models` or a runner gives the models."""

    currency: str = "USD"
    models: dict[str, ModelPrice] = {}
