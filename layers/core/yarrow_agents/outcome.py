"""Which answers are readings, of which a user may record how they turned out."""

from collections.abc import Mapping
from typing import Any, Final

from yarrow.protocol.runner.outcome import OutcomeRule
from yarrow.protocol.ui_schema.hints import MEMBER
from yarrow_agents.cast_card import has_cast


def _is_reading(output: Mapping[str, Any]) -> bool:
    """Whether an output is a reading: of a divination agent, or of the assistant, which shows a cast as a card.

    Follow-ups and declined readings are not.
    """
    return (output.get("status") == "success" and "divination_derived" in output) or has_cast(output.get(MEMBER))


RULE: Final = OutcomeRule(_is_reading)
