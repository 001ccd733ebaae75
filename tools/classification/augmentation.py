"""Makes variants of training sentences: typing errors, particles, forms of address, and a second sentence."""

import random
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from tools.classification.corpus import Example

ORDINARY: Final = "ordinary"
"""The label of the sentences that may stand beside any other without changing its label."""

_BEFORE: Final = {
    "en": ("hi, ", "please tell me, ", "ok so ", "honest question: ", "idk but ", "hey, ", "dear master, ", "so "),
    "zh": ("请问，", "师父，", "大师，", "帮我算一下，", "你好，", "想问问，", "诶，", "老师您好，"),
}
_AFTER: Final = {
    "en": (", please help", ", thanks", " lol", " tbh", ", what does the cast say", "??", ", is it auspicious", "..."),
    "zh": ("啊", "呢", "吧", "呀", "，求解", "，谢谢", "，请起一卦", "，吉凶如何", "啦", "……"),
}
_HOMOPHONES: Final = str.maketrans("在再的得他她做作那哪以已象像坐", "再在得的她他作做哪那已以像象座")


def augmented(sentences: Sequence[Example], seed: int = 1) -> Iterator[Example]:
    """Yield a variant of every sentence and, of most, one joined to an ordinary sentence."""
    draw = random.Random(seed)  # noqa: S311
    languages = {sentence.language for sentence in sentences}
    others = {
        one: [sentence.text for sentence in sentences if sentence.label == ORDINARY and sentence.language == one]
        for one in languages
    }
    for sentence in sentences:
        written = "en" if sentence.language.endswith("en") else "zh"
        text = _misspelt(sentence.text, draw) if draw.random() < 0.5 else _translated(sentence.text, written)
        if draw.random() < 0.5:
            text = draw.choice(_BEFORE[written]) + text
        if draw.random() < 0.5:
            text = text.rstrip("?？。.") + draw.choice(_AFTER[written])
        yield replace(sentence, text=text, weight=sentence.weight / 2)
        beside = others[sentence.language]
        if beside and draw.random() < 0.6:
            pair = [sentence.text, draw.choice(beside)]
            draw.shuffle(pair)
            joined = ". " if written == "en" else draw.choice("，。？")
            yield replace(
                sentence, text=joined.join(part.rstrip("?？。.") for part in pair), weight=sentence.weight / 2
            )


def _translated(text: str, written: str) -> str:
    return text.translate(_HOMOPHONES) if written == "zh" else text.replace("'", "")


def _misspelt(text: str, draw: random.Random) -> str:
    """One letter left out, doubled, or exchanged with the next."""
    if len(text) < 8:
        return text
    at = draw.randrange(1, len(text) - 2)
    match draw.randrange(3):
        case 0:
            return text[:at] + text[at + 1 :]
        case 1:
            return text[:at] + text[at] + text[at:]
        case _:
            return text[:at] + text[at + 1] + text[at] + text[at + 2 :]
