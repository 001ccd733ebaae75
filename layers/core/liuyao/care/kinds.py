"""The kinds of declined questions, and the cautions (CARE-01 … CARE-04)."""

from enum import StrEnum
from typing import Final


class Kind(StrEnum):
    """Questions without a reading, most serious first. The values are dimensions of a metric."""

    SELF_HARM = "self_harm"
    """Suicide or self-harm, whoever it is about (CARE-01)."""
    VIOLENCE = "violence"
    """Harm to others, or by them (CARE-01)."""
    EMERGENCY = "emergency"
    """An acute emergency: of health, or lost, cut off, in fire, water or gas, or somebody who breaks in (CARE-02)."""
    LIFESPAN = "lifespan"
    """Whether, when or how soon someone will die (CARE-03)."""
    TREATMENT = "treatment"
    """Stopping or changing medicine or treatment (CARE-03)."""
    UNSURE = "unsure"
    """Perhaps one of the others: no reading either (CARE-07)."""


SURE: Final = tuple(kind for kind in Kind if kind is not Kind.UNSURE)
"""The kinds that phrase tables have."""
ACUTE: Final = frozenset({Kind.SELF_HARM, Kind.VIOLENCE, Kind.EMERGENCY})
"""Someone may be in danger now: answered by every agent, whatever was asked of it."""
LASTING: Final = frozenset({Kind.SELF_HARM, Kind.VIOLENCE})
"""After these, only a new cast of a clear matter is read in the conversation."""


class Caution(StrEnum):
    """Topics whose readings carry a caution (CARE-04)."""

    HEALTH = "health"
    PREGNANCY = "pregnancy"
    ILLEGAL = "illegal"
    """What may be a crime, and weapons."""
    LEGAL = "legal"
    STAKES = "stakes"
    """All savings, loans, pledges."""
    FINANCE = "finance"
    """Any other matter of money."""
