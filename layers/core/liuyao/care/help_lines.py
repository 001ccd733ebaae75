"""Help lines by region, and the region of a locale. A deployment may replace any region (`HelpLines`).

The numbers are defaults that nobody has checked against the services themselves. Numbers change: whoever runs a
deployment must check those of its users' regions before users see them.
"""

from collections.abc import Mapping
from typing import Any, Final

from liuyao.care.help_lines_parameter import DEFAULT, HelpLine, RegionalHelp, read


def _region(emergency: str, *lines: tuple[str, str]) -> RegionalHelp:
    return RegionalHelp(tuple(emergency.split()), tuple(HelpLine(*line) for line in lines))


REGIONS: Final[Mapping[str, RegionalHelp]] = {
    "CN": _region("120 110", ("全国心理援助热线", "12356")),
    "TW": _region("119 110", ("衛福部安心專線", "1925"), ("生命線", "1995"), ("張老師", "1980")),
    "HK": _region("999", ("情緒通", "18111"), ("撒瑪利亞防止自殺會", "2389 2222")),
    "MO": _region("999", ("明愛生命熱線", "2852 5222")),
    "SG": _region("995 999", ("Samaritans of Singapore", "1767"), ("national mindline", "1771")),
    "MY": _region("999", ("Talian HEAL", "15555"), ("Befrienders", "03-7627 2929")),
    "US": _region("911", ("988 Suicide & Crisis Lifeline", "988")),
    "CA": _region("911", ("Suicide Crisis Helpline", "988")),
    "GB": _region("999", ("Samaritans", "116 123")),
    "IE": _region("112", ("Samaritans", "116 123")),
    "AU": _region("000", ("Lifeline", "13 11 14")),
    "NZ": _region("111", ("Need to Talk?", "1737")),
    "JP": _region("119 110", ("よりそいホットライン", "0120-279-338"), ("いのちの電話", "0120-783-556")),
    "KR": _region("119 112", ("자살예방 상담전화", "109")),
    "DE": _region("112 110", ("TelefonSeelsorge", "0800 111 0 111")),
    "AT": _region("144 133", ("TelefonSeelsorge", "142")),
    "CH": _region("144 117", ("Die Dargebotene Hand / La Main Tendue", "143")),
    "FR": _region("15 112", ("Numéro national de prévention du suicide", "3114")),
    "BE": _region("112", ("Zelfmoordlijn", "1813"), ("Centre de prévention du suicide", "0800 32 123")),
    "NL": _region("112", ("113 Zelfmoordpreventie", "113")),
    "ES": _region("112", ("Línea 024", "024")),
    "IT": _region("112", ("Telefono Amico", "02 2327 2327")),
    "SE": _region("112", ("Mind Självmordslinjen", "90101")),
    "NO": _region("113 112", ("Mental Helse", "116 123")),
    "DK": _region("112", ("Livslinien", "70 201 201")),
    "FI": _region("112", ("MIELI", "09 2525 0111")),
    "PL": _region("112", ("Telefon zaufania", "116 123")),
    "IN": _region("112", ("Tele-MANAS", "14416")),
    "PH": _region("911", ("NCMH Crisis Hotline", "1553")),
    "TH": _region("1669 191", ("สายด่วนสุขภาพจิต", "1323")),
    "BR": _region("192 190", ("CVV", "188")),
    "MX": _region("911", ("Línea de la Vida", "800 911 2000")),
    "ZA": _region("10177 10111", ("SADAG Suicide Crisis Line", "0800 567 567")),
    "IL": _region("101 100", ("ERAN", "1201")),
    "RU": _region("112"),
    "UA": _region("112 103", ("Lifeline Ukraine", "7333")),
    "TR": _region("112"),
    "GR": _region("112", ("Γραμμή Παρέμβασης για την Αυτοκτονία", "1018")),
    "CZ": _region("112", ("Linka první psychické pomoci", "116 123")),
    "HU": _region("112", ("Magyar Lelki Elsősegély", "116 123")),
    "RO": _region("112"),
    "BD": _region("999"),
    "ID": _region("112"),
    "VN": _region("115"),
    "IR": _region("115"),
}

_OF_LANGUAGE: Final = {
    "zh": "CN",
    "cmn": "CN",
    "yue": "HK",
    "en": "US",
    "ja": "JP",
    "ko": "KR",
    "de": "DE",
    "fr": "FR",
    "nl": "NL",
    "es": "ES",
    "it": "IT",
    "sv": "SE",
    "nb": "NO",
    "no": "NO",
    "da": "DK",
    "fi": "FI",
    "pl": "PL",
    "hi": "IN",
    "ms": "MY",
    "th": "TH",
    "he": "IL",
    "pt": "BR",
    "ru": "RU",
    "uk": "UA",
    "tr": "TR",
    "el": "GR",
    "cs": "CZ",
    "hu": "HU",
    "ro": "RO",
    "bn": "BD",
    "id": "ID",
    "vi": "VN",
    "fa": "IR",
    "ta": "IN",
    "tl": "PH",
}
"""The default region of a language: the one with most speakers."""


def for_deployment(locale: str | None, replaced: Any) -> tuple[RegionalHelp, ...]:
    """The same as `for_locale`, of the regions that a deployment replaces, as JSON has them; None for none."""
    return for_locale(locale, read(replaced or {}))


def for_locale(locale: str | None, replaced: Mapping[str, RegionalHelp]) -> tuple[RegionalHelp, ...]:
    """The help lines of a BCP 47 locale; without any, the reply names the local emergency number.

    Traditional Chinese without a region is Taiwan and Hong Kong. No locale is mainland China (C37).
    """
    subtags = _subtags(locale or "zh-CN")
    region = region_of(locale or "zh-CN")
    regions = [] if region is None else [region]
    language = subtags[0].lower()
    if not regions and language in ("zh", "cmn") and "hant" in map(str.lower, subtags):
        regions = ["TW", "HK"]
    if not regions and language in _OF_LANGUAGE:
        regions = [_OF_LANGUAGE[language]]
    known = {**REGIONS, **replaced}
    found = tuple(known[region] for region in regions if region in known)
    return found or ((known[DEFAULT],) if DEFAULT in known else ())


def region_of(locale: str | None) -> str | None:
    """The region that a locale names."""
    subtags = _subtags(locale or "")[1:]
    return next(
        (subtag.upper() for subtag in subtags if len(subtag) == 2 or (len(subtag) == 3 and subtag.isdigit())), None
    )


def _subtags(locale: str) -> list[str]:
    return locale.strip().replace("_", "-").split("-")
