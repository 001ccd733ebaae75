"""The words of cards, by language."""

from collections.abc import Mapping
from typing import Final

DEFAULT_LOCALE: Final = "zh-CN"
"""Of users whose credential names none (C37)."""

_SIMPLIFIED: Final = {
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
    "cast": "起卦",
    "question": "所问",
    "hexagram": "本卦",
    "changed_hexagram": "变卦",
}
_TRADITIONAL: Final = {
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
    "cast": "起卦",
    "question": "所問",
    "hexagram": "本卦",
    "changed_hexagram": "變卦",
}
_ENGLISH: Final = {
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
    "cast": "Cast",
    "question": "Question",
    "hexagram": "Hexagram",
    "changed_hexagram": "Changed hexagram",
}
_CHINESE: Final = frozenset({"zh", "yue", "cmn"})
_TRADITIONAL_SUBTAGS: Final = frozenset({"hant", "tw", "hk", "mo"})


def words_for(locale: str) -> Mapping[str, str]:
    """By BCP 47 locale: Chinese in one of two scripts, else English."""
    language, *others = locale.lower().replace("_", "-").split("-")
    if language not in _CHINESE:
        return _ENGLISH
    is_traditional = "hans" not in others and not _TRADITIONAL_SUBTAGS.isdisjoint(others)
    return _TRADITIONAL if is_traditional else _SIMPLIFIED
