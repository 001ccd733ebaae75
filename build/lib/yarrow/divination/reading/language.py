"""The languages a reading is written in, and which one a locale asks for. Nothing here knows of words or rules."""

from enum import StrEnum


class Language(StrEnum):
    """A language of readings (DIV-32)."""

    SIMPLIFIED = "zh-CN"
    TRADITIONAL = "zh-Hant"
    ENGLISH = "en"


_TRADITIONAL_SUBTAGS = frozenset({"hant", "tw", "hk", "mo"})


def language_for(locale: str | None) -> Language:
    """The language for a BCP 47 locale (`_` allowed for `-`, any case).

    Chinese is Simplified unless the script is Hant or, with no script named, the region is TW, HK or MO. Every other
    locale reads English; no locale at all reads Simplified Chinese, the language of the field.
    """
    subtags = (locale or "").strip().lower().replace("_", "-").split("-")
    if subtags[0] in ("", "zh", "yue", "cmn"):
        return (
            Language.TRADITIONAL
            if "hans" not in subtags and _TRADITIONAL_SUBTAGS.intersection(subtags)
            else Language.SIMPLIFIED
        )
    return Language.ENGLISH
