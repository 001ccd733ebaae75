"""The cards of messages: compiled from hints in the user's language (UIS-04)."""

from typing import Any

from yarrow.settings import settings


def ui_schema(agent_output: object) -> dict[str, Any] | None:
    """Compile the schema of a message's output; None without valid hints."""
    from yarrow.packages.card_words import card_words
    from yarrow.protocol.ui_schema import compiler  # here: it has many models, and few messages have cards

    return compiler.ui_schema(agent_output, card_words(), settings.default_locale)
