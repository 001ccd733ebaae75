"""Interactions as runners of the LangBot SDK request them: a form, a choice or a confirmation (ASK-05).

Source: `runner/interaction.py` of `langbot-plugin` 0.7.18. The request is the payload of a result `action.requested`;
its submission comes as `input.interaction` of a further run, whose event is `interaction.submitted`.
"""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, JsonValue, StringConstraints, model_validator

FieldType = Literal["text", "textarea", "select", "multiselect", "number", "boolean", "file"]

_Id = Annotated[str, StringConstraints(min_length=1, max_length=128)]
_Label = Annotated[str, StringConstraints(min_length=1, max_length=512)]


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class InteractionOption(_Part):
    value: _Label
    label: _Label
    description: Annotated[str, StringConstraints(max_length=2_000)] | None = None


class InteractionField(_Part):
    """A field of a form."""

    id: _Id
    label: _Label
    type: FieldType
    required: bool = False
    options: Annotated[tuple[InteractionOption, ...], Field(max_length=100)] = ()
    placeholder: Annotated[str, StringConstraints(max_length=1_000)] | None = None
    default: JsonValue = None

    @model_validator(mode="after")
    def _has_its_options(self) -> "InteractionField":
        is_select = self.type in ("select", "multiselect")
        values = [option.value for option in self.options]
        if is_select != bool(values) or len(set(values)) < len(values):
            raise ValueError("a select has options with different values, and no other field has any")
        return self


class InteractionAction(_Part):
    """A way to submit."""

    id: _Id
    label: _Label
    style: Literal["default", "primary", "danger"] = "default"


class InteractionRequest(_Part):
    """What the user is asked. `expires_at` is in seconds since the epoch."""

    interaction_id: Annotated[str, StringConstraints(min_length=1, max_length=255)]
    kind: Literal["form", "confirmation", "choice"] = "form"
    title: Annotated[str, StringConstraints(min_length=1, max_length=1_000)]
    description: Annotated[str, StringConstraints(max_length=10_000)] | None = None
    fields: Annotated[tuple[InteractionField, ...], Field(max_length=50)] = ()
    actions: Annotated[tuple[InteractionAction, ...], Field(max_length=20)] = ()
    expires_at: int | None = None
    fallback_text: Annotated[str, StringConstraints(min_length=1, max_length=20_000)]

    @model_validator(mode="after")
    def _names_are_different(self) -> "InteractionRequest":
        for ids in ([field.id for field in self.fields], [action.id for action in self.actions]):
            if len(set(ids)) < len(ids):
                raise ValueError("two fields or actions have the same id")
        return self


class InteractionSubmission(_Part):
    """What the user has submitted. `submitted_at` is in seconds since the epoch."""

    interaction_id: str
    action_id: str | None = None
    values: dict[str, Any] = {}
    submitted_at: int | None = None
