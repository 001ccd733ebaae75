"""Cautions that stand in every answer, and grades that are no advice."""

import itertools

import pytest

from liuyao import Divination, DivinationPayload, derive
from liuyao.care import Caution, Kind, assess
from liuyao.reading import Language, answer_follow_up, read
from liuyao.reading.question.asks import Asks
from liuyao.reading.voice import Voice
from tests.support.example_cast import EXAMPLE
from tests.support.readings.ways import says, ways

GO_AHEAD = (
    "可以推进",
    "可以按计划",
    "可以成行",
    "可以主动",
    "按程序推进",
    "可以谈下去",
    "成算较高",
    "可以進取",
    "可以推進",
    "go ahead",
    "as planned",
)

TOUCHED = [
    ("我怀孕了还要不要跳槽", {Caution.PREGNANCY}),
    ("我懷孕了要不要換工作", {Caution.PREGNANCY}),
    ("我要不要把全部积蓄投进去", {Caution.STAKES}),
    ("想贷款创业", {Caution.STAKES}),
    ("该不该把房子抵押了炒股", {Caution.STAKES}),
    ("要不要借錢投資", {Caution.STAKES}),
    ("梭哈这只股票行不行", {Caution.STAKES}),
    ("给朋友担保会不会有事", {Caution.STAKES}),
    ("生病了还要不要出差", {Caution.HEALTH}),
    ("要不要做手术", {Caution.HEALTH}),
    ("要不要起诉前公司", {Caution.LEGAL}),
    ("离婚协议要不要签，抚养权归谁", {Caution.LEGAL}),
    ("Should I put all my savings into this startup?", {Caution.STAKES}),
    ("Should I take out a loan to open a cafe?", {Caution.STAKES}),
    ("I am pregnant, should I change jobs?", {Caution.PREGNANCY}),
    ("Should I sue my landlord?", {Caution.LEGAL}),
    ("I was diagnosed with diabetes, should I travel?", {Caution.HEALTH}),
    ("膝盖疼要不要跑马拉松", {Caution.HEALTH}),
    ("視力一直下降，會不會失明", {Caution.HEALTH}),
    ("I keep getting dizzy, should I drive?", {Caution.HEALTH}),
    ("預產期提前會順利嗎", {Caution.PREGNANCY}),
    ("I'm 8 months along, can I fly?", {Caution.PREGNANCY}),
    ("被警察传唤会不会有事", {Caution.LEGAL}),
    ("My landlord is evicting me, fight it?", {Caution.LEGAL}),
    ("Should I sign the prenup?", {Caution.LEGAL}),
    ("把婚房卖了投项目好吗", {Caution.STAKES}),
    ("借貴利還債得唔得", {Caution.STAKES}),
    ("Should I empty my retirement account for this?", {Caution.STAKES}),
]


@pytest.mark.parametrize(("question", "cautions"), TOUCHED)
def test_a_question_calls_for_its_cautions(question: str, cautions: set[Caution]) -> None:
    """CARE-04."""
    assert assess([question]).kind in (None, Kind.UNSURE)
    assert assess([question]).cautions >= cautions


@pytest.mark.parametrize(
    "question",
    [
        *(
            "我最近换工作是否合适?",
            "他喜欢我吗",
            "Will I get the job?",
            "明天會下雨嗎",
            "丢的钥匙在哪",
            "新同事好相处吗",
        ),
        *(
            "Should I repaint the kitchen?",
            "Is it a good day to move house?",
            "佢鍾唔鍾意我",
            "When will the parcel arrive?",
        ),
    ],
)
def test_other_questions_call_for_none(question: str) -> None:
    """CARE-04, CARE-06."""
    assert assess([question]).cautions == frozenset()


def casts(question: str, question_type: str) -> list[Divination]:
    """Return the casts of all grades."""
    lines = itertools.islice(itertools.product(("少阳", "少阴", "老阳", "老阴"), repeat=6), 0, 4096, 97)
    output = {"question": question, "questionType": question_type}
    return [derive(DivinationPayload.model_validate({**EXAMPLE, **output, "yaoLines": list(line)})) for line in lines]


@pytest.mark.parametrize(
    ("question_type", "question"),
    [
        ("事业", "我怀孕了还要不要跳槽"),
        ("财运", "要不要把全部积蓄投进去"),
        ("官司", "要不要起诉他"),
        ("其他", "生病了还要不要出差"),
    ],
)
def test_beside_a_grave_caution_no_grade_says_go_ahead(question_type: str, question: str) -> None:
    """CARE-04: in no grade, in no language, in the reading and in a follow-up, where the caution stands at the end."""
    cautions = assess([question, question_type]).cautions
    levels = set()
    (one,) = cautions - {Caution.FINANCE}
    for divination in casts(question, question_type):
        for language in Language:
            reading = read(divination, language=language, cautions=cautions)
            levels.add(reading.sign_level)
            answer = answer_follow_up(divination, "那我该怎么办?", language=language, cautions=cautions)
            for text in (*reading.conclusion, *reading.advice, reading.answer, answer):
                assert not any(words in text for words in GO_AHEAD), text
            last = reading.advice[-1]
            assert reading.answer.endswith(last)
            assert last == Voice(language, divination).caution(one)
            assert answer.endswith(Voice(language, divination).caution(one, short=True))
    assert len(levels) >= 3


@pytest.mark.parametrize(
    ("question_type", "asked", "caution"),
    [
        ("健康", "会顺利吗", "医生"),
        ("财运", "把全部积蓄投进去会顺利吗", "核实风险"),
        ("官司", "会顺利吗", "律师"),
    ],
)
def test_a_matter_keeps_its_caution_in_follow_ups_to_any_matter(question_type: str, asked: str, caution: str) -> None:
    """CARE-04."""
    for divination in casts(asked, question_type)[:5]:
        for question in ("什么时候?", "那感情呢?", "应该怎么做?"):
            assert caution in answer_follow_up(divination, question, language=Language.SIMPLIFIED).split("\n\n")[-1]


@pytest.mark.parametrize("language", Language)
@pytest.mark.parametrize(
    ("question_type", "question", "leans"),
    [
        ("官司", "要不要起诉他", True),
        ("官司", "该不该替弟弟上诉", True),
        ("事业", "我怀孕了还要不要跳槽", True),
        ("健康", "要不要做手术", False),
        ("健康", "Should I have the operation?", False),
        ("事业", "我怀孕了还要不要做手术", False),
        ("财运", "要不要把全部积蓄投进去", False),
    ],
)
def test_a_grave_question_is_told_how_the_cast_leans_where_it_may(
    question_type: str, question: str, leans: bool, language: Language
) -> None:
    """CARE-04: not whether to have a treatment or to risk all savings, of which no reason is told either."""
    cautions = assess([question, question_type]).cautions
    both = {True: [ways("lean well", language), ways("lean later", language)], False: [ways("lean ill", language)]}
    for divination in casts(question, question_type):
        reading = read(divination, language=language, cautions=cautions)
        first = reading.answer.split("\n\n")[0]
        outputs = {side for side, keys in both.items() for key in keys for way in key if way.partition("{")[0] in first}
        assert outputs == ({reading.judgement.favourable} if leans else set()), first
        assert leans or says("held", language, first) or reading.judgement.inquiry.asks is Asks.HOW
