"""Traditional Chinese has no simplified character: readings, follow-ups and plates of all 64 hexagrams."""

import random
import re
from collections.abc import Iterator
from datetime import date, timedelta
from itertools import product

import pytest

from liuyao import Divination, DivinationPayload, derive
from liuyao.chart import draw
from liuyao.chart_svg import draw_svg, spelling
from liuyao.reading import Language, answer_follow_up, read

QUESTIONS = ("這次考試能通過嗎？", "水電師傅明天會來嗎？", "我該換工作嗎？", "鑰匙掉在哪裡？", "今年運勢如何？")
FOLLOW_UPS = ("為什麼？", "什麼時候？", "該怎麼做？", "誰能幫我？", "在哪個方位？", "用白話說")
COINS = {("0", False): "少阴", ("1", False): "少阳", ("0", True): "老阴", ("1", True): "老阳"}
_HAN = re.compile("[㐀-鿿]")
RARE_BUT_TRADITIONAL = set("蹇姤遯夬螣")
"""Names of hexagrams and the serpent, which Big5 has among its rare characters."""


def casts() -> Iterator[tuple[Divination, str]]:
    """Every hexagram at rest, with one and with several moving lines, and a follow-up."""
    chance = random.Random(64)
    for code, moving in product(product("01", repeat=6), (0, 0.2, 0.6)):
        lines = [COINS[line, chance.random() < moving] for line in code]
        day = date(2026, 1, 1) + timedelta(days=chance.randrange(700))
        payload = {
            "divinationMethod": "手动起卦",
            "questionType": "其他",
            "question": chance.choice(QUESTIONS),
            "divinationTimeIso": f"{day.isoformat()}T{chance.randrange(24):02}:30:00+08:00",
            "yaoLines": lines,
        }
        yield derive(DivinationPayload.model_validate(payload)), chance.choice(FOLLOW_UPS)


def not_traditional(text: str) -> set[str]:
    """The characters that Big5 has not, or only among its rare ones, where some simplified forms are."""
    found = set()
    for character in set(_HAN.findall(text)) - RARE_BUT_TRADITIONAL:
        encoded = character.encode("big5", errors="ignore")
        if not encoded or encoded >= b"\xc9\x40":
            found.add(character)
    return found


@pytest.mark.parametrize("character", "纯离宫兑应财孙动签")
def test_a_simplified_character_is_found(character: str) -> None:
    assert not_traditional(f"乾{character}") == {character}


def test_no_simplified_character_is_drawn_or_told() -> None:
    """DIV-26, DIV-32: readings, answers to follow-ups, and plates as text and SVG."""
    language, found = Language.TRADITIONAL, dict[str, set[str]]()
    spell = spelling(language)
    for divination, follow_up in casts():
        texts = {
            "reading": read(divination, language=language, body=True).answer,
            "follow-up": answer_follow_up(divination, follow_up, language=language),
            "plate": draw(divination, spell),
            "svg": draw_svg(divination, language),
        }
        for name, text in texts.items():
            found.setdefault(name, set()).update(not_traditional(text))
    assert found == {"reading": set(), "follow-up": set(), "plate": set(), "svg": set()}
