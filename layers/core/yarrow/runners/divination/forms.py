"""The form of a model's text: the body of a reading, or the answer to a follow-up.

Source: `divination-run.md` (DIV-28, FUP-04), CARE-09. The JSON schema has only what every provider supports; the
length is validated on reading.
"""

from typing import Annotated, Any, Final

from pydantic import BaseModel, ConfigDict, StringConstraints

_Prose = Annotated[str, StringConstraints(strip_whitespace=True, min_length=4, max_length=4_000)]

SCHEMA: Final[dict[str, Any]] = {
    "type": "object",
    "properties": {"answer": {"type": "string"}},
    "required": ["answer"],
    "additionalProperties": False,
}
"""For the provider."""


class Form(BaseModel):
    """A model's text, as prose."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    answer: _Prose
