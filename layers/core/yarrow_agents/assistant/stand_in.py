"""The script that stands in for the assistant's model: requests for a cast, and words that get no reading (CARE-07)."""

from yarrow.protocol.runner.stand_in import StandIn


def _care(text: str, locale: str) -> str | None:
    """Return the answer to words that get no reading, including those that only may be grave; None for others."""
    from liuyao.care import assess  # not at a function's start
    from liuyao.care.replies import reply

    kind = assess([text]).kind
    return None if kind is None else reply(kind, text, locale, None, is_new=True)


STAND_IN = StandIn(
    reply=_care,
    requests=(
        ("cast_hexagram", "question", r"(?:please )?cast a hexagram(?: for me)?[ \t]*[:,][ \t]*"),
        ("cast_hexagram", "question", r"[请請]?(?:[帮幫為为给給]我)?(?:起|占|卜|算)[一个個]?卦[：:，,][ \t]*"),
    ),
)
