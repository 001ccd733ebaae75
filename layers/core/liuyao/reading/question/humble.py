"""Words by which askers name themselves humbly (在下, 小女子, "yours truly"), and the sex that some of them tell.

A word that also names kin (小弟, 晚辈) is the asker only at the beginning of a clause, before what an asker does:
小弟想换工作.
"""

import re
from functools import cache
from typing import Final

_BEGINS: Final = r"(?:^|(?<=[，,。！？!?；;：:\s])|(?<=[请請敢][问問]))"
_ASKER_FOLLOWS: Final = (
    r"(?=我?(?:最近|近来|近來|近日|目前|现在|現在|今年|明年)?(?:想|欲|求|打算|准备|準備|有意|斗胆|斗膽|敢|此[次番行]|赴|[应應][试試考]|"
    r"请问|請問|请教|請教|[应應]?[该該]))"
)
_ALSO_KIN: Final = {"woman": "小妹|小女", "man": "小弟", "either": "晚[辈輩]|[后後][辈輩学學]|[学學]生|弟子"}
_ALWAYS: Final = {
    "woman": "小女子|奴家|妾身|信女|老身|本小姐|本姑娘",
    "man": "小生|老夫|信士|[贫貧]道|[贫貧]僧",
    "either": (
        "区区在下|區區在下|在下(?!雨|雪|个|個|[周週]|面|午|半|一)|鄙人|敝人|不才|晚生|吾人|[笔筆]者|"
        "[楼樓]主(?=[想要最今])|愚(?=[欲想意有])"
    ),
}
_SELF_EN: Final = (
    r"\b(?:(?:this|your) (?:most )?(?:humble|poor|lowly|unworthy) "
    r"(?:servant|soul|seeker|self|student|scholar|one|man|woman|fool)|yours truly|"
    r"(?:little|poor|silly) (?:old )?me(?= (?:is|am|will|wants?|needs?|has|can)\b)|my humble self|the undersigned)\b"
    r"(?: (?P<verb>is|wants|needs|has|wishes|hopes)\b)?"
)
_FIRST_PERSON: Final = {"is": "am", "wants": "want", "needs": "need", "has": "have", "wishes": "wish", "hopes": "hope"}


def as_first_person(written: str) -> tuple[str, str]:
    """A text with 我 or "I" for the asker's humble words, and "woman" or "man" if one of them tells the sex."""
    sexes: list[str] = []

    def first_person(match: re.Match[str]) -> str:
        sexes.append(match.lastgroup or "")
        return "我"

    plain = _chinese().sub(first_person, written)
    plain = _english().sub(lambda match: f"I {_FIRST_PERSON[match['verb'].lower()]}" if match["verb"] else "I", plain)
    return plain, next((sex for sex in sexes if sex in ("woman", "man")), "")


@cache
def _chinese() -> re.Pattern[str]:
    ways = (rf"(?P<{sex}>{words}|{_BEGINS}(?:{_ALSO_KIN[sex]}){_ASKER_FOLLOWS})" for sex, words in _ALWAYS.items())
    return re.compile("|".join(ways))


@cache
def _english() -> re.Pattern[str]:
    return re.compile(_SELF_EN, re.IGNORECASE)
