"""The forms of a model's text, without grade and plate.

Source: `divination-run.md` (DIV-28, DIV-30, FUP-04). The JSON schemas have only what every provider supports; lengths
are validated on reading.
"""

from typing import Annotated, Any, ClassVar, Final

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

_Point = Annotated[str, StringConstraints(strip_whitespace=True, min_length=2, max_length=800)]
_Keyword = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=80)]
_Prose = Annotated[str, StringConstraints(strip_whitespace=True, min_length=4, max_length=4_000)]

_TEXT: Final = {"type": "string"}
_TEXTS: Final = {"type": "array", "items": _TEXT}


def _schema(**properties: dict[str, Any]) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": [*properties], "additionalProperties": False}


class Form(BaseModel):
    """A model's text; `answer` is the whole as prose."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    schema_: ClassVar[dict[str, Any]]
    """For the provider."""

    answer: _Prose

    @property
    def sentences(self) -> tuple[str, ...]:
        """The prose members."""
        return (self.answer,)

    @property
    def terms(self) -> tuple[str, ...]:
        """The other members."""
        return ()


class AnswerForm(Form):
    """An answer to a follow-up."""

    schema_ = _schema(answer=_TEXT)


class ReadingForm(Form):
    """A reading."""

    schema_ = _schema(conclusion=_TEXTS, focus_points=_TEXTS, advice=_TEXTS, keywords=_TEXTS, answer=_TEXT)

    conclusion: Annotated[tuple[_Point, ...], Field(min_length=1, max_length=4)]
    focus_points: Annotated[tuple[_Point, ...], Field(min_length=1, max_length=8)]
    advice: Annotated[tuple[_Point, ...], Field(min_length=1, max_length=6)]
    keywords: Annotated[tuple[_Keyword, ...], Field(min_length=1, max_length=8)]

    @property
    def sentences(self) -> tuple[str, ...]:
        return (*self.conclusion, *self.focus_points, *self.advice, self.answer)

    @property
    def terms(self) -> tuple[str, ...]:
        return self.keywords
