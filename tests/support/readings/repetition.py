"""How much casts of one question repeat each other: openings, pieces of advice, sentences, runs of words."""

import random
import re
from collections import Counter
from dataclasses import dataclass
from math import exp, log

from liuyao import Divination, DivinationPayload, derive
from liuyao.reading import Language, Reading, read

GRAM = 8
"""Characters of Chinese, or words of English, of a run that is counted."""
_LINES = ("老阴", "少阳", "少阴", "老阳")
_SENTENCE = re.compile(r"[^。！？!?]+[。！？!?]|[^.!?]+[.!?](?=\s|$)")
_ENGLISH = re.compile(r"[a-z']+")
_CHINESE = re.compile(r"[㐀-鿿]")
_GRAMS_OF_BLEU = 4


@dataclass(frozen=True, slots=True)
class Repetition:
    """Of casts of one question. `sentence` and `gram` are the shares of the texts that hold the commonest of the lead
    (without the question and the cautions), `gram_in_all` that of the whole; `self_bleu` is 1 where all leads are
    alike.
    """

    openings: int
    advice: int
    sentence: float
    gram: float
    gram_in_all: float
    self_bleu: float
    commonest: str


def casts(question: str, count: int, seed: int = 0, day: str = "2026-11-26") -> list[Divination]:
    """Casts of a question on one day, six lines of three coins each."""
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
    """The repetition over casts of a question."""
    readings = [read(cast, language=language) for cast in casts(question, count, seed)]
    leads = [_without_quotes(reading.lead) for reading in readings]
    sentences = Counter(each for lead in leads for each in set(_sentences(lead)))
    grams = Counter(gram for lead in leads for gram in _grams(lead))
    whole = Counter(gram for reading in readings for gram in _grams(_without_quotes(_uncautioned(reading))))
    return Repetition(
        openings=len({_sentences(lead)[0] for lead in leads}),
        advice=len({reading.advice[0] for reading in readings}),
        sentence=sentences.most_common(1)[0][1] / count,
        gram=grams.most_common(1)[0][1] / count,
        gram_in_all=whole.most_common(1)[0][1] / count,
        self_bleu=_self_bleu([_words(lead) for lead in leads]),
        commonest=f"{sentences.most_common(1)[0][0]} | {grams.most_common(1)[0][0]}",
    )


def _uncautioned(reading: Reading) -> str:
    return reading.answer.removesuffix(reading.caution) if reading.caution else reading.answer


def _without_quotes(text: str) -> str:
    """Without the question, which is quoted first."""
    return re.sub(r"^(?:所问：“.*?”。?|所問：「.*?」。?|You asked: “.*?”\.?)\s*", "", text)


def _sentences(text: str) -> list[str]:
    return [each.strip() for each in _SENTENCE.findall(text)]


def _words(text: str) -> list[str]:
    english, chinese = _ENGLISH.findall(text.lower()), _CHINESE.findall(text)
    return english if len(english) > len(chinese) else chinese


def _grams(text: str) -> set[str]:
    """Runs within a clause's sentence."""
    return {
        " ".join(words[at : at + GRAM])
        for sentence in _sentences(text)
        for words in [_words(sentence)]
        for at in range(len(words) - GRAM + 1)
    }


def _self_bleu(texts: list[list[str]]) -> float:
    """The mean BLEU of each text against all others, without a brevity penalty."""
    sizes = range(1, _GRAMS_OF_BLEU + 1)
    counted = [[Counter(zip(*(text[at:] for at in range(size)), strict=False)) for size in sizes] for text in texts]
    return sum(_bleu(own, [other for other in counted if other is not own]) for own in counted) / len(counted)


def _bleu(own: list[Counter[tuple[str, ...]]], others: list[list[Counter[tuple[str, ...]]]]) -> float:
    total = 0.0
    for size, grams in enumerate(own):
        most: Counter[tuple[str, ...]] = Counter()
        for other in others:
            most |= other[size]
        found = sum((grams & most).values())
        total += log(max(found, 1e-9) / max(1, sum(grams.values())))
    return exp(total / len(own))
