"""The words of cards, by language: those of the service, and those that packages declare."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

ENGLISH: Final = "en"


@dataclass(frozen=True, slots=True)
class CardWords:
    """Words of cards; a package declares its own as an entry point of `yarrow.card_words`."""

    texts: Mapping[str, Mapping[str, str]]
    """Texts by language (`en`, `zh-Hans`, `zh-Hant`, or a language such as `de`) and word. `en` has all words."""

    @property
    def names(self) -> frozenset[str]:
        return frozenset(self.texts[ENGLISH])

    def in_language_of(self, locale: str) -> Mapping[str, str]:
        """Return all words, in the language of a BCP 47 locale, else in English."""
        return {**self.texts[ENGLISH], **self.texts.get(language_of(locale), {})}

    def with_those_of(self, others: Iterable["CardWords"]) -> "CardWords":
        """Join these words and others'; the first text of a word in a language counts."""
        texts = {language: dict(words) for language, words in self.texts.items()}
        for other in others:
            for language, words in other.texts.items():
                there = texts.setdefault(language, {})
                there.update((word, text) for word, text in words.items() if word not in there)
        return CardWords(texts)


WORDS: Final = CardWords(
    {
        ENGLISH: {
            "event_created": "Event created",
            "event_unchanged": "Event already there",
            "event_updated": "Event updated",
            "event_deleted": "Event deleted",
            "event_found": "Event",
            "events_found": "Events",
            "no_events": "No events",
            "starts": "Starts",
            "ends": "Ends",
            "time_zone": "Time zone",
            "notes": "Notes",
            "memory_saved": "Saved to memory",
            "memory_forgotten": "Forgotten",
            "memories_found": "Memories",
            "no_memories": "No memories",
        },
        "zh-Hans": {
            "event_created": "日程已创建",
            "event_unchanged": "日程已存在",
            "event_updated": "日程已更新",
            "event_deleted": "日程已删除",
            "event_found": "日程",
            "events_found": "日程",
            "no_events": "没有日程",
            "starts": "开始",
            "ends": "结束",
            "time_zone": "时区",
            "notes": "备注",
            "memory_saved": "已记住",
            "memory_forgotten": "已忘记",
            "memories_found": "记忆",
            "no_memories": "没有相关记忆",
        },
        "zh-Hant": {
            "event_created": "日程已建立",
            "event_unchanged": "日程已存在",
            "event_updated": "日程已更新",
            "event_deleted": "日程已刪除",
            "event_found": "日程",
            "events_found": "日程",
            "no_events": "沒有日程",
            "starts": "開始",
            "ends": "結束",
            "time_zone": "時區",
            "notes": "備註",
            "memory_saved": "已記住",
            "memory_forgotten": "已忘記",
            "memories_found": "記憶",
            "no_memories": "沒有相關記憶",
        },
    }
)
"""The service's words."""

_CHINESE: Final = frozenset({"zh", "yue", "cmn"})
_TRADITIONAL_SUBTAGS: Final = frozenset({"hant", "tw", "hk", "mo"})


def language_of(locale: str) -> str:
    """Return the language of a BCP 47 locale; Chinese with its script, `zh-Hans` or `zh-Hant`."""
    language, *others = locale.lower().replace("_", "-").split("-")
    if language not in _CHINESE:
        return language
    return "zh-Hans" if "hans" in others or _TRADITIONAL_SUBTAGS.isdisjoint(others) else "zh-Hant"
