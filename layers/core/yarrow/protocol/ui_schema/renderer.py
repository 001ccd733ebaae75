"""The models of UiSchemaRenderer 2.0 (UIS-01 … UIS-03)."""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field
from pydantic.alias_generators import to_camel

from yarrow.formats.omitted import Optional
from yarrow.protocol.ui_schema.hint_models import (
    ButtonStyle,
    IconSource,
    Locale,
    LongText,
    Status,
    Text,
    TextFormat,
    Theme,
    WebAddress,
)

TextRole = Literal["title", "subtitle", "body", "caption", "code"]
Appearance = Literal["card"]


class _Shape(BaseModel):
    model_config = ConfigDict(
        alias_generator=to_camel, populate_by_name=True, serialize_by_alias=True, extra="forbid", frozen=True
    )


class TextNode(_Shape):
    """A text; without `format` it is plain."""

    type: Literal["text"] = "text"
    content: LongText
    role: TextRole = "body"
    format: Optional[TextFormat] = None


class BadgeNode(_Shape):
    """A short label in the colour of a status."""

    type: Literal["badge"] = "badge"
    label: Text
    status: Status


class IconNode(_Shape):
    """The name of an icon, an emoji, or the https address of a picture."""

    type: Literal["icon"] = "icon"
    source: IconSource
    value: Annotated[str, Field(min_length=1, max_length=2_000)]


class ButtonNode(_Shape):
    """A link to an https address."""

    type: Literal["button"] = "button"
    label: Text
    style: ButtonStyle
    url: WebAddress


class StackNode(_Shape):
    """Its children below each other."""

    type: Literal["stack"] = "stack"
    appearance: Optional[Appearance] = None
    children: "tuple[UiNode, ...]"


class GridNode(_Shape):
    """Its children in rows of `columns`."""

    type: Literal["grid"] = "grid"
    appearance: Optional[Appearance] = None
    columns: Optional[Annotated[int, Field(ge=1, le=4)]] = None
    children: "tuple[UiNode, ...]"


UiLayoutNode = Annotated[StackNode | GridNode, Field(discriminator="type")]
UiNode = Annotated[StackNode | GridNode | TextNode | BadgeNode | IconNode | ButtonNode, Field(discriminator="type")]


class Meta(_Shape):
    """Where a card comes from."""

    request_id: Optional[str] = None
    tool_id: Optional[str] = None
    trace_id: Optional[str] = None
    user_id: Optional[str] = None


class UiSchemaRenderer(_Shape):
    """What a client draws (UIS-01)."""

    version: Literal["2.0"] = "2.0"
    locale: Locale
    status: Status
    theme: Theme = "default"
    meta: Optional[Meta] = None
    root: UiLayoutNode

    def document(self) -> dict[str, Any]:
        """Return the schema as JSON."""
        return self.model_dump(mode="json")
