"""The words of readings, one catalogue a language, put together from the tables of `wording`."""

from collections.abc import Callable
from dataclasses import dataclass
from dataclasses import fields as fields_of
from functools import cache
from types import ModuleType
from typing import Any, Final

from liuyao.reading.language import Language
from liuyao.reading.wording import (
    answers_en,
    answers_zh,
    follow_ups_en,
    follow_ups_zh,
    reasons_en,
    reasons_zh,
    roles_en,
    roles_zh,
    sentences_en,
    sentences_zh,
    verdicts_en,
    verdicts_zh,
)
from liuyao.reading.wording.advice import deeds_en, deeds_zh, places_en, places_zh
from liuyao.reading.wording.cantonese import in_cantonese, speaks_cantonese
from liuyao.reading.wording.forms import (
    advice_en,
    advice_zh,
    replies_en,
    replies_zh,
)
from liuyao.reading.wording.forms import reasons_en as form_reasons_en
from liuyao.reading.wording.forms import reasons_zh as form_reasons_zh
from liuyao.reading.wording.spelling import traditional
from liuyao.reading.wording.taiwan import localized
from liuyao.reading.wording.ways import plain_en, plain_zh
from liuyao.reading.wording.ways import sentences_en as ways_en
from liuyao.reading.wording.ways import sentences_zh as ways_zh

Table = dict[str, str]
Choices = dict[str, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class Catalogue:
    """The words of one language: sentences by key (reasons by their term), and the tables beside them.

    `ways` are other ways to say a sentence, `roles` the sentences of the first paragraphs by what they are for, `plain`
    the reasons in plain words; `deeds`, `things` and `places` are advice by matter (`wording.advice`), the tables after
    them answers and advice by the form of the question (`wording.forms`).
    """

    sentences: Table
    nouns: Table
    verdicts: Choices
    actions: Choices
    people: Table
    in_illness: Table
    directions: Table
    element_directions: Table
    stands_for: Table
    explained: Table
    ways: Choices
    roles: Choices
    outlooks: dict[str, Choices]
    plain: Choices
    people_plain: dict[str, Choices]
    deeds: dict[str, tuple[tuple[str, ...], ...]]
    things: dict[str, tuple[tuple[str, ...], ...]]
    places: Choices
    replies: Choices
    advice: Choices
    because: Choices
    causes: Choices
    minds: Choices
    kinds: Table
    helpers: Table

    def put(self, way: Callable[[str], str]) -> "Catalogue":
        """Return the same with each of its words put in a `way`. Keys stay."""
        return Catalogue(**{field.name: _put(getattr(self, field.name), way) for field in fields_of(self)})


def _put(words: Any, way: Callable[[str], str]) -> Any:
    if isinstance(words, str):
        return way(words)
    if isinstance(words, tuple):
        return tuple([_put(word, way) for word in words])
    return {key: _put(each, way) for key, each in words.items()}


def in_taiwan(words: str) -> str:
    """Return words of the Simplified catalogue as Taiwan writes them."""
    return traditional(localized(words))


def _catalogue(
    reasons: ModuleType,
    sentences: ModuleType,
    verdicts: ModuleType,
    answers: ModuleType,
    ways: ModuleType,
    roles: ModuleType,
    plain: ModuleType,
    deeds: ModuleType,
    places: ModuleType,
    replies: ModuleType,
    advice: ModuleType,
    because: ModuleType,
    follow_ups: ModuleType,
) -> Catalogue:
    return Catalogue(
        sentences.SENTENCES | reasons.REASONS | answers.ANSWERS | follow_ups.FOLLOW_UPS,
        verdicts.NOUNS,
        verdicts.VERDICTS,
        verdicts.ACTIONS,
        sentences.PEOPLE,
        sentences.IN_ILLNESS,
        sentences.DIRECTIONS,
        sentences.ELEMENT_DIRECTIONS,
        sentences.STANDS_FOR,
        sentences.EXPLAINED,
        ways.WAYS,
        roles.ROLES,
        {"verdicts": ways.VERDICTS, "general verdicts": ways.GENERAL_VERDICTS},
        plain.PLAIN,
        {"love": plain.IN_LOVE, "health": plain.IN_ILLNESS},
        deeds.MATTERS,
        deeds.THINGS,
        places.PLACES,
        replies.REPLIES,
        advice.ADVICE,
        because.REASONS,
        replies.CAUSES,
        replies.MINDS,
        replies.KINDS,
        replies.HELPERS,
    )


class _Catalogues(dict[Language, Catalogue]):
    """The catalogues by language; each is made when it is first used."""

    def __missing__(self, language: Language) -> Catalogue:
        if language is Language.TRADITIONAL:
            made = self[Language.SIMPLIFIED].put(in_taiwan)
        elif language is Language.ENGLISH:
            made = _catalogue(
                *(
                    reasons_en,
                    sentences_en,
                    verdicts_en,
                    answers_en,
                    ways_en,
                    roles_en,
                    plain_en,
                    deeds_en,
                    places_en,
                    replies_en,
                    advice_en,
                    form_reasons_en,
                    follow_ups_en,
                )
            )
        else:
            made = _catalogue(
                *(
                    reasons_zh,
                    sentences_zh,
                    verdicts_zh,
                    answers_zh,
                    ways_zh,
                    roles_zh,
                    plain_zh,
                    deeds_zh,
                    places_zh,
                    replies_zh,
                    advice_zh,
                    form_reasons_zh,
                    follow_ups_zh,
                )
            )
        self[language] = made
        return made


CATALOGUES: Final = _Catalogues()


def catalogue_for(language: Language, *texts: str) -> Catalogue:
    """Return the words for who typed these texts and reads a language."""
    if language is Language.TRADITIONAL and speaks_cantonese(*texts):
        return catalogue_in_cantonese()
    return CATALOGUES[language]


@cache
def catalogue_in_cantonese() -> Catalogue:
    """Return the words for who types Cantonese: those in Traditional Chinese, put its way."""
    return CATALOGUES[Language.TRADITIONAL].put(in_cantonese)
