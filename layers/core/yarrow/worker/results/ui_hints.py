"""Checks and completes the hints for clients in a message's output (UIS-04). Imported with the first output that has
some.
"""

from typing import Any

from yarrow.packages.card_words import card_words
from yarrow.protocol.ui_schema.hint_models import is_locale, read_hints
from yarrow.protocol.ui_schema.hints import MEMBER


def checked(output: dict[str, Any], locale: str | None) -> tuple[dict[str, Any] | None, bool]:
    """Return the output with valid hints, in the user's locale unless they name one, and whether they were valid.
    Invalid hints are left out, and so is an output that is then empty.
    """
    rest = {name: value for name, value in output.items() if name != MEMBER}
    hints = read_hints(output[MEMBER], card_words())
    if hints is None:
        return rest or None, False
    if hints.locale is None and locale is not None and is_locale(locale):
        hints = hints.model_copy(update={"locale": locale})
    return {**rest, MEMBER: hints.model_dump(mode="json", exclude_defaults=True)}, True
