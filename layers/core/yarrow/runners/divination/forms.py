"""The forms in which a model gives its words, and how much they may hold. The grade and the plate are not among them.

Source: `divination-run.md` (DIV-28, DIV-30, FUP-04). The JSON schema of a form says no more than every provider can
hold a model to; the bounds are kept when its answer is read.
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
    """A model's words in some form; `answer` is the whole as prose."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    schema_: ClassVar[dict[str, Any]]
    """What a provider holds its model to."""

    answer: _Prose

    @property
    def sentences(self) -> tuple[str, ...]:
        """Everything in it that is prose."""
        return (self.answer,)

    @property
    def terms(self) -> tuple[str, ...]:
        """Everything else."""
        return ()


class AnswerForm(Form):
    """The words of an answer to a follow-up."""

    schema_ = _schema(answer=_TEXT)


class ReadingForm(Form):
    """The words of a reading."""

    schema_ = _schema(conclusion=_TEXTS, focus_points=_TEXTS, advice=_TEXTS, keywords=_TEXTS, answer=_TEXT)

    conclusion: Annotated[tuple[_Point, ...], Field(min_length=1, max_length=4)]
    focus_points: Annotated[tuple[_Point, ...], Field(min_length=1, max_length=8)]
    advice: Annotated[tuple[_Point, ...], Field(min_length=1, max_length=6)]
    keywords: Annotated[tuple[_Keyword, ...], Field(min_length=1, max_length=8)]

    @property
    def sentences(self) -> tuple[str, ...]:
        """Everything in it that is prose."""
        return (*self.conclusion, *self.focus_points, *self.advice, self.answer)

    @property
    def terms(self) -> tuple[str, ...]:
        """Everything else."""
        return self.keywords
