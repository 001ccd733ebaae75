"""The facts a model rephrases into one answer; its text is checked against them."""

from collections.abc import Collection
from dataclasses import dataclass

from liuyao import Divination
from liuyao.care import Caution
from liuyao.chart import draw
from liuyao.reading import Language, Reading, read
from liuyao.reading.cautions import GRAVE, applying, in_order, stated
from liuyao.reading.judgement import SignLevel, judge
from liuyao.reading.plate import lay_out
from liuyao.reading.question.follow_up import inquire_again
from liuyao.reading.question.inquiry import Inquiry
from liuyao.reading.question.polarity import Polarity
from liuyao.reading.question.text import read as read_text
from liuyao.reading.voice import Voice
from yarrow_agents.divination.claims import Claims


@dataclass(frozen=True, slots=True)
class Brief:
    """The facts for one answer.

    `reading` is the cast's, `answered` the rules' own text. `favourable`: help outweighs harm in the matter.
    `caution` is the required closing sentence (health, law, money). `facts` are the plate and the rules' texts, without
    the user's words; `asked` are the user's questions, of the cast and of the follow-up. `is_reading`: for the body of
    a reading, not for a follow-up.
    """

    language: Language
    question: str
    asked: str
    question_type: str
    plate: str
    reading: Reading
    answered: str
    favourable: bool
    caution: str | None
    careful: bool
    claims: Claims
    facts: str
    is_reading: bool

    @property
    def sign_level(self) -> SignLevel:
        """The only grade a text may name."""
        return self.reading.sign_level


def of_cast(
    divination: Divination, reading: Reading, language: Language, cautions: Collection[Caution] = frozenset()
) -> Brief:
    inquiry = reading.judgement.inquiry
    return _brief(divination, None, [inquiry], reading, reading.grounds, language, cautions)


def of_follow_up(
    divination: Divination,
    question: str,
    answered: str,
    language: Language,
    cautions: Collection[Caution] = frozenset(),
    opinion: Polarity | None = None,
) -> Brief:
    """Return the facts for a follow-up's answer, which may be about another matter."""
    reading = read(divination, language=language, cautions=cautions, opinion=opinion)
    inquiry = reading.judgement.inquiry
    inquiries = [inquiry, inquire_again(question, inquiry)]
    return _brief(divination, question, inquiries, reading, answered, language, cautions)


def _brief(
    divination: Divination,
    follow_up: str | None,
    inquiries: list[Inquiry],
    reading: Reading,
    answered: str,
    language: Language,
    cautions: Collection[Caution],
) -> Brief:
    plate = lay_out(divination)
    judgements = [judge(plate, inquiry) for inquiry in inquiries]
    # The user's words are no facts: a question may name any hexagram.
    drawn = draw(divination.model_copy(update={"question": "", "question_type": ""})).partition("\n")[2]
    texts = (*reading.focus_points, *reading.advice, *reading.keywords, answered)
    facts = "\n".join((drawn, *texts))
    voice = Voice(language, divination)
    asked = read_text(divination.question)
    found = in_order(set[Caution | None]().union(*(applying(cautions, inquiry, asked) for inquiry in inquiries)))
    one = stated(found, inquiries[-1].matter)
    return Brief(
        language=language,
        question=divination.question if follow_up is None else follow_up,
        asked="\n".join(filter(None, (divination.question, follow_up))),
        question_type=divination.question_type,
        plate=drawn,
        reading=reading,
        answered=answered,
        favourable=judgements[-1].favourable,
        caution=voice.caution(one, short=follow_up is not None) if one else None,
        careful=not GRAVE.isdisjoint(found),
        claims=Claims(divination, [judgement.focus for judgement in judgements], facts),
        facts=facts,
        is_reading=follow_up is None,
    )
