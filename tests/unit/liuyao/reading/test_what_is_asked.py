"""What a reading speaks of is what the question names: the thing, the place, whose matter it is, and who may help."""

import random
import re

import pytest

from liuyao import Divination, DivinationPayload, derive
from liuyao.care import Caution, assess
from liuyao.reading import Language, answer_follow_up, read
from liuyao.reading.catalogues import CATALOGUES
from liuyao.reading.outline import sureness
from liuyao.reading.question.sex_asked import sex_asked
from liuyao.reading.question.text import read as text_of
from tests.unit.liuyao.polarity.random_casts import cast

EN, ZH, TW = Language.ENGLISH, Language.SIMPLIFIED, Language.TRADITIONAL
LINES = ("老阴", "少阳", "少阴", "老阳")


def casts(question: str, count: int = 24) -> list[Divination]:
    chance = random.Random(question)
    payload = {
        "divinationMethod": "手动起卦",
        "questionType": "其他",
        "question": question,
        "divinationTimeIso": "2026-06-18T10:30:00+08:00",
    }
    drawn = ([chance.choice(LINES) for _ in range(6)] for _ in range(count))
    return [derive(DivinationPayload.model_validate({**payload, "yaoLines": lines})) for lines in drawn]


def leads(question: str, language: Language) -> list[str]:
    """Return the answer and what to do, of several casts, with their caution and without the question."""
    cautions = assess([question]).cautions
    readings = [read(cast, language=language, cautions=cautions) for cast in casts(question)]
    return [f"{reading.lead}\n\n{reading.caution}".replace(question, "") for reading in readings]


@pytest.mark.parametrize(
    ("question", "language", "never"),
    [
        ("我借给邻居的梯子还能还回来吗", ZH, "借条|转账|这笔钱|数额|欠|积蓄|财务|诊断|律师"),
        ("室友借的雨伞什么时候还我", ZH, "借条|转账|这笔钱|数额|积蓄|雨势|收衣|预报"),
        ("Will my neighbour give back the book I lent him?", EN, "IOU|transfer|the money|the sum|savings|instalment"),
        ("Is bitcoin going to recover?", EN, "doctor|treatment|diagnosis|check-up|medication|medicine"),
        ("合租的姑娘总带人回来，她什么时候搬", ZH, "归期|路上随时|常去的地方|等人"),
        ("Will my room-mate move out?", EN, "water, power|sibling"),
        ("室友对我是真心的吗", ZH, "手足"),
        ("I lost my keys on the underground, will I find them?", EN, "under the bed|drawer|wardrobe|trunk"),
        ("我在地铁上丢的钥匙能找回来吗", ZH, "床底|抽屉|柜子|箱底"),
        ("孩子这次期末考试能考好吗", ZH, "你比自己以为|你还是你|量自己"),
        ("Will my daughter pass her exam in July?", EN, "You are better prepared|you are still you|measure yourself"),
    ],
)
def test_a_reading_does_not_speak_of_another_thing(question: str, language: Language, never: str) -> None:
    for text in leads(question, language):
        assert not re.search(never, text), text


@pytest.mark.parametrize(
    ("question", "language"),
    [
        ("I lost my keys on the underground, will I find them?", EN),
        ("我在地铁上丢的钥匙能找回来吗", ZH),
        ("我在捷運上掉的鑰匙找得回來嗎", TW),
    ],
)
def test_what_is_lost_in_a_public_place_is_sought_where_it_is_handed_in(question: str, language: Language) -> None:
    ways = CATALOGUES[language].roles["lost outside"]
    assert all(any(way in text for way in ways) for text in leads(question, language))


@pytest.mark.parametrize("language", Language)
def test_a_loan_of_money_is_still_money(language: Language) -> None:
    money = {EN: "money", ZH: "钱|欠款|数额", TW: "錢|欠款|數額"}[language]
    question = "Will he pay back the money I lent him?" if language is EN else "朋友借我的钱会还吗"
    assert any(re.search(money, text) for text in leads(question, language))


HELPERS = (
    ("Will my mother get well?", "Who can help?", EN, "doctor"),
    ("我妈的病会好吗", "谁能帮我？", ZH, "医生"),
    ("Should I sue my landlord?", "Who can help me?", EN, "lawyer"),
    ("我能打贏這場官司嗎", "誰能幫我？", TW, "律師"),
    ("我的钱包能找回来吗", "谁能帮我？", ZH, "失物招领"),
    ("他还会回来找我吗", "谁能帮我？", ZH, "朋友"),
)


@pytest.mark.parametrize(("question", "follow_up", "language", "names"), HELPERS)
def test_whoever_asks_for_help_is_never_left_alone(
    question: str, follow_up: str, language: Language, names: str
) -> None:
    """FUP-03: where no line helps, those who help in such a matter are named."""
    texts = [answer_follow_up(cast, follow_up, language=language) for cast in casts(question)]
    assert any(names in text.split("\n\n")[0] for text in texts)
    assert not any(re.search("靠自己|rests mainly with you|nobody in particular", text) for text in texts)


@pytest.mark.parametrize(
    ("question", "language", "doubt", "plainly"),
    [
        ("我最近换工作是否合适?", ZH, "准不准？", "用大白话说"),
        ("我們會不會復合？", TW, "準嗎？", "用白話說"),
        ("Will I get the job?", EN, "Are you sure?", "in plain words"),
    ],
)
def test_a_doubt_and_plain_words_get_a_sentence_that_the_answer_has_not(
    question: str, language: Language, doubt: str, plainly: str
) -> None:
    """FUP-03: no sentence of the answer again, no line and no term."""
    new = 0
    for divination in casts(question):
        texts = sentences(read(divination, language=language).lead)
        for follow_up in (doubt, plainly):
            answer = answer_follow_up(divination, follow_up, language=language)
            assert not re.search("爻|用神|时令|時令|the line|season", answer), answer
            new += bool(sentences(answer) - texts)
            assert len(sentences(answer) & texts) <= 1, answer
    assert new == 48


DENIED = "(?<!会)不(?:会|會|至于|至於)|放心|没有这样|沒有這樣|不用|安心|\\b(?:no|not|unlikely|nothing)\\b"
"""What says that something feared does not come."""


@pytest.mark.parametrize(
    ("question", "follow_up", "language"),
    [
        ("公司裁員會輪到我嗎", "用白話說", TW),
        ("我会不会被裁员？", "用大白话说", ZH),
        ("Will I be laid off?", "in plain words", EN),
    ],
)
def test_what_is_feared_is_not_told_as_hoped_in_plain_words(question: str, follow_up: str, language: Language) -> None:
    """CARE-08: a good cast says that it is unlikely."""
    hoped = [CATALOGUES[language].sentences[f"outcome {state}"] for state in ("best", "good", "later", "poor", "bad")]
    for divination in casts(question):
        answer = answer_follow_up(divination, follow_up, language=language)
        assert not any(text.lower() in answer.lower() for text in hoped), answer
        reading = read(divination, language=language)
        denied = re.search(DENIED, answer.lower().split("：")[0].split(". ")[0]) is not None
        assert denied is reading.judgement.favourable, answer


@pytest.mark.parametrize(
    ("question", "language"),
    [("我最近换工作是否合适?", ZH), ("我們會不會復合？", TW), ("Will my daughter pass her exam?", EN)],
)
def test_the_plain_answer_speaks_of_no_line_and_no_weather(question: str, language: Language) -> None:
    terms = "一爻|用神|时令|時令|螣蛇|玄武|青龙|朱雀|勾陈|白虎|the line|season|array|dragon|warrior|serpent"
    for text in leads(question, language):
        assert not re.search(terms, text), text


@pytest.mark.parametrize("language", Language)
def test_signs_that_disagree_are_reconciled_in_the_answer(language: Language) -> None:
    """Where one rule decides against most signs, a sentence says so."""
    question = "Will we get back together?" if language is EN else "我们会不会复合？"
    ways, mixed = CATALOGUES[language].roles["sure mixed"], 0
    for divination in casts(question, 120):
        reading = read(divination, language=language)
        if sureness(reading.judgement) == "mixed":
            mixed += 1
            assert any(way in reading.lead.lower() for way in map(str.lower, ways)), reading.lead
    assert mixed


def test_no_sentence_has_two_colons() -> None:
    for question in ("我可以轉職嗎", "我該不該買這間房子", "要不要追她"):
        for divination in casts(question, 60):
            for sentence in sentences(read(divination, language=TW).lead):
                assert sentence.count("：") <= 1 or sentence.startswith("所問"), sentence


def sentences(text: str) -> set[str]:
    return {word.strip() for word in re.split(r"(?<=[。.!?？])\s*", text) if len(word.strip()) > 4}


@pytest.mark.parametrize(
    ("question", "language", "answers"),
    [
        ("签证批得下来吗", ZH, "批得下来|批不下来"),
        ("驾照会不会被吊销", ZH, "不会|多半不|可能|恐怕|苗头"),
        ("Will I get my deposit back from the landlord?", EN, r"you (?:\w+ )*(?:not )?get|[Yy]es|not|likely"),
        ("Will my driving licence be suspended by the court?", EN, "[Nn]ot?,|not|(?:[Pp]roba|[Pp]ossi)bly yes|[Yy]es"),
    ],
)
def test_what_others_decide_by_law_is_answered_beside_the_caution(
    question: str, language: Language, answers: str
) -> None:
    """CARE-04, CARE-08: what the asker decides is not."""
    assert Caution.LEGAL in assess([question]).cautions
    texts = leads(question, language)
    assert all(re.search("律师|lawyer", text.rpartition("\n\n")[2]) for text in texts)
    opening = [text.split("\n\n")[0] for text in texts]
    assert sum(re.search(answers, text) is not None for text in opening) >= 0.9 * len(opening), opening
    assert not any(re.search("律师|lawyer", text) for text in opening)


@pytest.mark.parametrize(
    ("question", "language", "answers"),
    [
        ("媽媽的房子賣得掉嗎", TW, "賣得掉|賣不掉"),
        ("贷款批得下来吗", ZH, "批得下来|批不下来"),
        ("Will our mortgage be approved?", EN, "be approved|yes|not"),
    ],
)
def test_what_a_buyer_or_a_bank_decides_is_answered_beside_the_caution(
    question: str, language: Language, answers: str
) -> None:
    """CARE-04: no savings hang on the answer."""
    assert Caution.STAKES in assess([question]).cautions
    for text in leads(question, language):
        assert re.search(answers, text.split("\n\n")[0]), text


@pytest.mark.parametrize(
    ("question", "language", "answers"),
    [
        ("把房子卖了炒股能赚吗", ZH, "(?:多半|很可能|大概)(?:不?能|会)|^(?:能|应该|恐怕)"),
        ("该不该把房子卖掉", ZH, "^(?:可以|能|该|大体)"),
        ("Will selling the house to buy bitcoin pay off?", EN, "^(?:Yes|Probably yes|No)"),
    ],
)
def test_what_savings_hang_on_is_not(question: str, language: Language, answers: str) -> None:
    """CARE-04: nor what the asker decides."""
    assert Caution.STAKES in assess([question]).cautions
    assert not any(re.search(answers, text.split("\n\n")[0]) for text in leads(question, language))


@pytest.mark.parametrize(
    ("question", "language"), [("我该不该起诉房东不退押金", ZH), ("Should I sue my landlord over the deposit?", EN)]
)
def test_a_step_at_law_is_the_askers_and_their_lawyers(question: str, language: Language) -> None:
    """CARE-04: a grade never turns into "go ahead"."""
    for text in leads(question, language):
        assert re.search("律师|lawyer", text.split("\n\n")[0])
        assert not re.match(r"能|该|可以|行|Yes|Go ahead", text)


@pytest.mark.parametrize(
    ("question", "language", "sex"),
    [
        ("Is the new teacher a woman?", Language.ENGLISH, "more likely a (?:wo)?man"),
        ("新主管是女生嗎", Language.TRADITIONAL, "偏向[男女]的"),
        ("打电话来的人是男的吗", Language.SIMPLIFIED, "偏向[男女]的"),
    ],
)
def test_a_man_or_a_woman_is_told_by_the_line(question: str, language: Language, sex: str) -> None:
    """CARE-08: of what is neither hoped for nor feared the grade says nothing."""
    draw = random.Random(question)
    answers = {read(cast(draw, question), language=language).conclusion[0] for _ in range(20)}
    assert all(re.search(sex, answer) for answer in answers)
    assert len(answers) > 1


@pytest.mark.parametrize("question", ["Will the man who tunes the piano come?", "Will she leave the other woman?"])
def test_a_man_who_is_only_named_is_not_asked_for(question: str) -> None:
    assert sex_asked(text_of(question)) is None


@pytest.mark.parametrize(
    ("question", "language", "manner"),
    [
        ("我会嫁给什么样的人", Language.SIMPLIFIED, "性情"),
        ("What kind of person will I marry?", Language.ENGLISH, "a manner: somebody"),
        ("What sort of boss will the new one be?", Language.ENGLISH, "by nature"),
        ("谁对我有意思", Language.SIMPLIFIED, "卦[里指]不出"),
    ],
)
def test_who_is_told_by_kind_and_manner_and_never_by_name(question: str, language: Language, manner: str) -> None:
    """CARE-08."""
    draw = random.Random(question)
    assert all(re.search(manner, read(cast(draw, question), language=language).conclusion[0]) for _ in range(8))


def test_a_caution_that_nothing_bears_out_stands_at_the_end_alone() -> None:
    """CARE-04: which of two is better is told beside it."""
    draw = random.Random(5)
    for _ in range(8):
        reading = read(cast(draw, "该找小李还是小王合伙"), language=Language.SIMPLIFIED, cautions={Caution.LEGAL})
        opening = reading.answer.split("\n\n")[0]
        assert "律师" not in opening
        assert "律师" in reading.caution
