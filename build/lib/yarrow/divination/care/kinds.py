"""What is noticed in a question, by what is done about it (CARE-01 … CARE-04)."""

from enum import StrEnum


class Kind(StrEnum):
    """What no cast is judged about, gravest first. The values are dimensions of a metric."""

    SELF_HARM = "self_harm"
    """Suicide or self-harm, whoever it is about (CARE-01)."""
    VIOLENCE = "violence"
    """Harm to others, or by them (CARE-01)."""
    EMERGENCY = "emergency"
    """An acute medical emergency (CARE-02)."""
    LIFESPAN = "lifespan"
    """Whether, when or how soon someone will die (CARE-03)."""
    TREATMENT = "treatment"
    """Stopping or changing medicine or treatment (CARE-03)."""


class Caution(StrEnum):
    """What a reading goes with a caution about (CARE-04)."""

    HEALTH = "health"
    PREGNANCY = "pregnancy"
    LEGAL = "legal"
    STAKES = "stakes"
    """All savings, loans, pledges."""
    FINANCE = "finance"
    """Any other matter of money."""
