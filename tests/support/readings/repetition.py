"""How much casts of one question repeat each other: openings, pieces of advice, sentences, runs of words."""

import random
import re
from collections import Counter
from dataclasses import dataclass
from functools import cache

from liuyao import Divination, DivinationPayload, derive
from liuyao.reading import Language, Reading, read

MOST = 60
GRAM = 8
"""Characters of Chinese, or words of English, of a run that is counted."""
_LINES = ("老阴", "少阳", "少阴", "老阳")
_SENTENCE = re.compile(r"[^。！？!?]+[。！？!?]|[^.!?]+[.!?](?=\s|$)")
_ENGLISH = re.compile(r"[a-z']+")
_CHINESE = re.compile(r"[㐀-鿿]")


@dataclass(frozen=True, slots=True)
class Repetition:
    """The repetition over casts of one question. `sentence` and `gram` are the shares of the texts that hold the
    commonest of the lead, without the question and the cautions."""

    openings: int
    advice: int
    sentence: float
    gram: float
    commonest: str


def casts(question: str, count: int, seed: int = 0, day: str = "2026-11-26") -> list[Divination]:
    """Return the casts of a question on one day, six lines of three coins each."""
    chance = random.Random(f"{seed}{question}")
    return [_cast(question, chance, day) for _ in range(count)]


def _cast(question: str, chance: random.Random, day: str) -> Divination:
    lines = [_LINES[sum(chance.random() < 0.5 for _ in range(3))] for _ in range(6)]
    clock = f"{chance.randrange(24):02}:{chance.randrange(60):02}"
    payload = {
        "divinationMethod": "自动起卦",
        "questionType": "其他",
        "question": question,
        "divinationTimeIso": f"{day}T{clock}:00+08:00",
        "yaoLines": lines,
    }
    return derive(DivinationPayload.model_validate(payload))


def measured(question: str, language: Language, count: int, seed: int = 0) -> Repetition:
    """Return the repetition over `count` casts of a question, MOST at most."""
    readings = _readings(question, language, seed)[:count]
    leads = [_without_quotes(reading.lead) for reading in readings]
    sentences = Counter(sentence for lead in leads for sentence in set(_sentences(lead)))
    grams = Counter(gram for lead in leads for gram in _grams(lead))
    return Repetition(
        openings=len({_sentences(lead)[0] for lead in leads}),
        advice=len({reading.advice[0] for reading in readings}),
        sentence=sentences.most_common(1)[0][1] / count,
        gram=grams.most_common(1)[0][1] / count,
        commonest=f"{sentences.most_common(1)[0][0]} | {grams.most_common(1)[0][0]}",
    )


@cache
def _readings(question: str, language: Language, seed: int) -> list[Reading]:
    """Of MOST casts: the first ones are those of fewer."""
    return [read(cast, language=language) for cast in casts(question, MOST, seed)]


def _without_quotes(text: str) -> str:
    """Without the question, which is quoted first."""
    return re.sub(r"^(?:所问：“.*?”。?|所問：「.*?」。?|You asked: “.*?”\.?)\s*", "", text)


def _sentences(text: str) -> list[str]:
    return [match.strip() for match in _SENTENCE.findall(text)]


def _words(text: str) -> list[str]:
    english, chinese = _ENGLISH.findall(text.lower()), _CHINESE.findall(text)
    return english if len(english) > len(chinese) else chinese


def _grams(text: str) -> set[str]:
    """Return the n-grams within a clause's sentence."""
    return {
        " ".join(words[at : at + GRAM])
        for sentence in _sentences(text)
        for words in [_words(sentence)]
        for at in range(len(words) - GRAM + 1)
    }
