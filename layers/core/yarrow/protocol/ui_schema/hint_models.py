"""The models of `agent_output.ui_hints` (UIS-04).

A text is the agent's own, or a word of `words.py`, shown in the language of the message. Everything is bounded, and
unknown members are refused.
"""

import re
from typing import Annotated, Final, Literal

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    StringConstraints,
    ValidationInfo,
    model_validator,
)

from yarrow.formats import foreign_json
from yarrow.protocol.ui_schema.hints import (
    MAX_BUTTONS,
    MAX_BYTES,
    MAX_CARDS,
    MAX_ITEMS,
    MAX_LINES,
    MAX_LONG_TEXT,
    MAX_ROWS,
    MAX_TEXT,
)
from yarrow.protocol.ui_schema.words import WORDS, CardWords

Status = Literal["info", "success", "warning", "error", "pending"]
Theme = Literal["default", "light", "dark"]
TextFormat = Literal["plain", "markdown"]
ButtonStyle = Literal["primary", "secondary", "ghost", "danger"]
IconSource = Literal["icon", "emoji", "url"]

MAX_LOCALE: Final = 35
_LOCALE: Final = re.compile(r"[A-Za-z]{2,8}([-_][A-Za-z0-9]{1,8}){0,6}")


def _is_locale(text: str) -> str:
    if not _LOCALE.fullmatch(text):
        raise ValueError("not a BCP 47 language tag")
    return text


def is_web_address(text: str) -> str:
    """Check an address. Raises ValueError for anything but https, and for spaces and control characters."""
    if not re.fullmatch(r"https://[^\s\x00-\x1f\x7f<>\"\\]+", text):
        raise ValueError("not an https address")
    return text


Locale = Annotated[str, StringConstraints(max_length=MAX_LOCALE), AfterValidator(_is_locale)]
WebAddress = Annotated[str, StringConstraints(max_length=2_000), AfterValidator(is_web_address)]
Text = Annotated[str, StringConstraints(min_length=1, max_length=MAX_TEXT)]
LongText = Annotated[str, StringConstraints(min_length=1, max_length=MAX_LONG_TEXT)]


def _is_known(word: str, info: ValidationInfo) -> str:
    """Check a word against those in the context of the validation, without one against the service's."""
    words = info.context if isinstance(info.context, CardWords) else WORDS
    if word not in words.names:
        raise ValueError("no such word")
    return word


class _Hint(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class Word(_Hint):
    """A text of the service or of a package, in the language of the message; see `words.py`."""

    word: Annotated[str, AfterValidator(_is_known), Field(examples=sorted(WORDS.names))]


class BadgeHint(_Hint):
    """A badge. By default a card with a status has one, with the status in capitals."""

    label: Text | Word
    status: Status = "info"


class RowHint(_Hint):
    """A labelled value."""

    label: Text | Word
    value: Text


class IconHint(_Hint):
    """The name of an icon, an emoji, or the address of a picture."""

    source: IconSource
    value: Text

    @model_validator(mode="after")
    def _is_an_address(self) -> "IconHint":
        if self.source == "url":
            is_web_address(self.value)
        return self


class ButtonHint(_Hint):
    """A link."""

    label: Text
    url: WebAddress
    style: ButtonStyle = "secondary"


_Line = Annotated[str, StringConstraints(max_length=MAX_TEXT)]


class ItemHint(_Hint):
    """What a card shows, in this order: icon, title, badge, subtitle, body, rows, lines, buttons, caption.

    `lines` are shown as code: their spaces and breaks count.
    """

    status: Status | None = None
    icon: IconHint | None = None
    title: Text | Word | None = None
    badge: BadgeHint | None = None
    subtitle: Text | Word | None = None
    body: LongText | None = None
    body_format: TextFormat = "plain"
    rows: Annotated[tuple[RowHint, ...], Field(max_length=MAX_ROWS)] = ()
    lines: Annotated[tuple[_Line, ...], Field(max_length=MAX_LINES)] = ()
    buttons: Annotated[tuple[ButtonHint, ...], Field(max_length=MAX_BUTTONS)] = ()
    caption: Text | None = None


class CardHint(ItemHint):
    """A card; `items` are cards inside it, after its lines."""

    items: Annotated[tuple[ItemHint, ...], Field(max_length=MAX_ITEMS)] = ()


class UiHints(_Hint):
    """`agent_output.ui_hints`. Without `status` it is the gravest of the cards, without `locale` the run's."""

    cards: Annotated[tuple[CardHint, ...], Field(min_length=1, max_length=MAX_CARDS)]
    status: Status | None = None
    locale: Locale | None = None
    theme: Theme = "default"


def read_hints(content: object, words: CardWords = WORDS) -> UiHints | None:
    """Read hints; None if they are malformed, too large, or have a word that is not in `words`."""
    try:
        text = foreign_json.dumps(content)
        return UiHints.model_validate_json(text, context=words) if len(text.encode()) <= MAX_BYTES else None
    except ValueError:
        return None


def is_locale(text: str) -> bool:
    """Return whether hints may have this locale."""
    return len(text) <= MAX_LOCALE and _LOCALE.fullmatch(text) is not None
