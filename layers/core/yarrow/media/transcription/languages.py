"""The languages of speech recognition, by locale."""

from collections.abc import Mapping
from typing import Final

_VARIANTS: Final[Mapping[str, tuple[str, ...]]] = {
    "af": ("af-ZA",),
    "ar": ("ar-SA", "ar-AE"),
    "ca": ("ca-ES",),
    "cs": ("cs-CZ",),
    "da": ("da-DK",),
    "de": ("de-DE", "de-CH"),
    "el": ("el-GR",),
    "en": ("en-US", "en-AU", "en-GB", "en-IE", "en-IN", "en-NZ", "en-ZA"),
    "es": ("es-ES", "es-MX", "es-US"),
    "fa": ("fa-IR",),
    "fi": ("fi-FI",),
    "fr": ("fr-FR", "fr-CA"),
    "he": ("he-IL",),
    "hi": ("hi-IN",),
    "hu": ("hu-HU",),
    "id": ("id-ID",),
    "it": ("it-IT",),
    "ja": ("ja-JP",),
    "ko": ("ko-KR",),
    "ms": ("ms-MY",),
    "nl": ("nl-NL",),
    "no": ("no-NO",),
    "pl": ("pl-PL",),
    "pt": ("pt-PT", "pt-BR"),
    "ro": ("ro-RO",),
    "ru": ("ru-RU",),
    "sv": ("sv-SE",),
    "ta": ("ta-IN",),
    "te": ("te-IN",),
    "th": ("th-TH",),
    "tl": ("tl-PH",),
    "tr": ("tr-TR",),
    "uk": ("uk-UA",),
    "vi": ("vi-VN",),
    "zh": ("zh-CN", "zh-TW", "zh-HK"),
}
"""Amazon Transcribe's codes by language, the default first."""

_SAME: Final = {"cmn": "zh-CN", "fil": "tl-PH", "nb": "no-NO", "nn": "no-NO", "yue": "zh-HK", "zh-hant": "zh-TW"}
"""Aliases, with a script where it decides."""

SPOKEN: Final = frozenset(code for variants in _VARIANTS.values() for code in variants)


def language_of(locale: str | None, default: str) -> str | None:
    """Return the code for a BCP 47 locale (`_` for `-`, any case), or without one the default; None if unsupported."""
    subtags = (locale or default).strip().lower().replace("_", "-").split("-")
    variants = _VARIANTS.get(subtags[0], ())
    for code in variants:
        if code[-2:].lower() in subtags[1:]:
            return code
    return _SAME.get("-".join(subtags[:2])) or _SAME.get(subtags[0]) or next(iter(variants), None)
