"""The languages of readings, and the choice by locale."""

from enum import StrEnum


class Language(StrEnum):
    """A language of readings (DIV-32)."""

    SIMPLIFIED = "zh-CN"
    TRADITIONAL = "zh-Hant"
    ENGLISH = "en"


_TRADITIONAL_SUBTAGS = frozenset({"hant", "tw", "hk", "mo"})


def language_for(locale: str | None) -> Language:
    """Return the language for a BCP 47 locale (`_` allowed for `-`, any case).

    Chinese is Simplified unless the script is Hant or, without a script, the region is TW, HK or MO. Other locales get
    English; no locale gets Simplified Chinese.
    """
    subtags = (locale or "").strip().lower().replace("_", "-").split("-")
    if subtags[0] in ("", "zh", "yue", "cmn"):
        return (
            Language.TRADITIONAL
            if "hans" not in subtags and _TRADITIONAL_SUBTAGS.intersection(subtags)
            else Language.SIMPLIFIED
        )
    return Language.ENGLISH
