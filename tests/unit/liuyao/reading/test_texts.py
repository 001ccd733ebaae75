"""A reading as text: complete over every cast and matter, in three languages, naming only what is on the plate."""

import re
from dataclasses import replace
from datetime import date, timedelta
from itertools import cycle, product

import pytest

from liuyao import Divination, DivinationPayload, derive
from liuyao.elements import BRANCH_ELEMENT
from liuyao.hexagrams import HEXAGRAMS
from liuyao.reading import Language, Reading, language_for, read
from liuyao.reading.answering.direct_answer import direct_answer
from liuyao.reading.catalogues import CATALOGUES
from liuyao.reading.judgement import judge
from liuyao.reading.narrative import Narrator
from liuyao.reading.plate import lay_out
from liuyao.reading.question.asks import Asks
from liuyao.reading.question.inquiry import inquire
from liuyao.reading.question.matters import MATTERS
from liuyao.reading.voice import Voice
from liuyao.reading.wording.glosses import ANIMALS, GLOSSES, KEYWORD_GLOSSES
from liuyao.reading.wording.repetition import repeated
from tests.support.effort import examples

LINES = {"0": "老阴", "1": "少阳", "2": "少阴", "3": "老阳"}
MOST_CHINESE = 0.03
"""Of the characters of an English reading, the question apart."""
MOST_BEFORE_THE_DETAILS = {Language.SIMPLIFIED: 260, Language.TRADITIONAL: 260, Language.ENGLISH: 180}
"""Characters of Chinese, or words of English, of the direct answer and what to do, with the question."""
SIGN_LEVELS = {"上上签", "中上签", "中下签", "下下签"}

# questionType and question of ten matters, each in a language of its own.
QUESTIONS = (
    ("事业", "我最近换工作是否合适?"),
    ("学业", "這次考試能通過嗎"),
    ("财运", "Will the business make money?"),
    ("感情", "他还会回来找我吗"),
    ("健康", "父亲刚住院，何时能好"),
    ("失物", "Where is my lost ring?"),
    ("官司", "這場官司能贏嗎"),
    ("房产", "合同能签下来吗"),
    ("子女", "今年能怀孕吗"),
    ("other", "今年运势如何"),
)

# Simplified forms of characters the catalogues and terms use that have a traditional form of their own.
SIMPLIFIED_ONLY = re.compile(
    "[与专业东两个为习书争于云亲产从会伤体余关兴养写决准减划则办务动势协单压发变后听咨嘱围处备复头夹学对寻实尽属师帮并应当归忧户扩报担挂损据数断无时"
    "显暂杂条来极检没滞独环现状疗着碍离稳竞笔签绊绝续绵缓缘缠约线节范药虑虚补规见触计认讲设证诉诊试询语说请调谈财账贪费轻较辞达过运还这进远迟迹适里钱长"
    "问间闷险难静项顺须题额风饮骤齐孙冲克络联转临侣医库开强愿摇摊沟牵虽辈键们岁师带几厂么样让边觉亏尔马鸟鱼龙机坏够宽怀旧钟标国陆盘惊蛰]"
)

CHINESE = re.compile(r"[㐀-鿿]+")
ENGLISH_MAY_SAY = set(KEYWORD_GLOSSES) | {hexagram.name for hexagram in HEXAGRAMS.values()}

# Siblings of Rooster metal on line 5; hidden: Parents of Horse fire under line 2.
RELATIONS = {GLOSSES[relation].capitalize(): relation for relation in ("父母", "兄弟", "子孙", "妻财", "官鬼")}
BRANCHES = {animal: branch for branch, animal in ANIMALS.items()}
NAMED_LINE = {
    "zh": re.compile(r"([初二三四五上])爻(之下的)?(父母|兄弟|子[孙孫]|妻[财財]|官鬼)([子-龥])([木火土金水])"),
    "en": re.compile(
        rf"({'|'.join(RELATIONS)}) of ({'|'.join(ANIMALS.values())}) "
        r"(?:wood|fire|earth|metal|water) (on|under) line (\d)"
    ),
}


def cast(coins: str, day: date, question_type: str, question: str) -> Divination:
    return derive(
        DivinationPayload.model_validate(
            {
                "divinationMethod": "手动起卦",
                "questionType": question_type,
                "question": question,
                "divinationTimeIso": f"{day.isoformat()}T12:00:00+08:00",
                "yaoLines": [LINES[count] for count in coins],
            }
        )
    )


def named_lines(text: str, language: Language) -> set[tuple[str, str, str, bool]]:
    """Position, relation, branch and whether it is hidden, of every line a text names with its place."""
    if language is Language.ENGLISH:
        without_glosses = re.sub(r" \([^)]*\)", "", text)
        return {
            ("初二三四五上"[int(place) - 1], RELATIONS[relation], BRANCHES[animal], how == "under")
            for relation, animal, how, place in NAMED_LINE["en"].findall(without_glosses)
        }
    return {
        (place, relation.replace("孫", "孙").replace("財", "财"), branch, bool(under))
        for place, under, relation, branch, _ in NAMED_LINE["zh"].findall(text)
    }


def plate_lines(divination: Divination) -> set[tuple[str, str, str, bool]]:
    places = "初二三四五上"
    own = {(places[line.position - 1], line.relation_name, line.tigan_name, False) for line in divination.yao_info_list}
    return own | {
        (places[line.position - 1], line.relation_name, line.tigan_name, True) for line in divination.fushen_info_list
    }


def check(divination: Divination, reading: Reading, language: Language) -> None:
    assert reading.sign_level in SIGN_LEVELS
    assert 1 <= len(reading.conclusion) <= 3
    assert 3 <= len(reading.focus_points) <= 6
    assert 1 <= len(reading.advice) <= 4
    assert 3 <= len(reading.keywords) <= 6
    assert len(reading.answer.split("\n\n")) in (4, 5, 6)
    assert repeated(reading.answer) == []
    assert divination.question in reading.answer
    if language is not Language.ENGLISH:
        # No glosses: what to do is told after the plain answer, word for word.
        _, done, *_ = reading.answer.split("\n\n")
        assert done.startswith(reading.advice[0])
    everything = "\n".join((reading.answer, *reading.keywords)).replace(divination.question, "")
    assert not re.search(r"[{}\[\]<>]|None|  ", everything)
    assert named_lines(everything, language) <= plate_lines(divination)
    if language is Language.TRADITIONAL:
        assert not SIMPLIFIED_ONLY.findall(everything)
        everything.encode("big5")
    if language is Language.ENGLISH:
        assert set(CHINESE.findall(everything)) <= ENGLISH_MAY_SAY
        text = reading.answer.replace(divination.question, "")
        assert len("".join(CHINESE.findall(text))) <= len(text) * MOST_CHINESE
        assert len(reading.lead.split()) < MOST_BEFORE_THE_DETAILS[language]
    else:
        assert len(reading.lead) < MOST_BEFORE_THE_DETAILS[language]


@pytest.mark.parametrize("part", range(8))
def test_every_cast_reads_in_every_matter(part: int) -> None:
    """DIV-29, DIV-30, DIV-26, DIV-32: 4,096 casts; matters, languages and days take turns."""
    days = cycle(date(1984, 2, 4) + timedelta(days=83 * step) for step in range(89))
    languages = cycle(Language)
    for number, coins in enumerate(product("0123", repeat=6)):
        day = next(days)
        if number % 8 != part:
            continue
        divination = cast("".join(coins), day, "综合", "吉凶")
        for turn in range(min(examples(1), len(QUESTIONS))):
            question_type, question = QUESTIONS[(number // 8 + turn) % len(QUESTIONS)]
            language = next(languages)
            plate = divination.model_copy(update={"question_type": question_type, "question": question})
            check(plate, read(plate, language=language), language)


@pytest.mark.parametrize("language", Language)
def test_the_same_divination_reads_the_same_for_ever(language: Language) -> None:
    """DIV-28: deterministic, and alike from a stored copy."""
    divination = cast("123012", date(2026, 4, 3), "事业", "我最近换工作是否合适?")
    stored = Divination.model_validate_json(divination.model_dump_json())
    assert read(divination, language=language) == read(stored, language=language)


def test_the_languages_agree_on_the_judgement() -> None:
    """DIV-32: the language changes the words, not the reading."""
    divination = cast("321011", date(2025, 10, 1), "财运", "投资能赚钱吗")
    simplified, traditional, english = (read(divination, language=language) for language in Language)
    assert simplified.sign_level == traditional.sign_level == english.sign_level
    assert len(simplified.focus_points) == len(traditional.focus_points) == len(english.focus_points)
    assert simplified.answer != traditional.answer


def test_traditional_text_takes_names_from_the_wire_object() -> None:
    """DIV-26: 妻財 and 水火既濟 as relationNameHant and guaNameHant spell them."""
    divination = cast("121212", date(2026, 4, 3), "财运", "求财")
    answer = read(divination, language=Language.TRADITIONAL).answer
    assert divination.gua_name_hant in answer
    assert divination.fushen_info_list[0].relation_name_hant in answer
    assert "世爻" in answer
    assert "應爻" in answer


def test_english_glosses_a_term_once_in_a_text() -> None:
    """DIV-26: the Chinese term stands beside its English at the first mention only."""
    reading = read(cast("121211", date(2026, 4, 3), "事业", "Should I move?"), language=Language.ENGLISH)
    for text in (" ".join(reading.focus_points), reading.answer):
        for term in ("用神", "世爻", "应爻"):
            assert text.count(f"{GLOSSES[term]} ({term})") == 1
            assert text.count(term) == 1


@pytest.mark.parametrize(
    ("question_type", "words"),
    [
        ("健康", ("医生", "醫生", "doctor")),
        ("官司", ("律师", "律師", "lawyer")),
        ("财运", ("财务", "財務", "financial")),
    ],
)
def test_health_law_and_money_carry_a_sober_sentence(question_type: str, words: tuple[str, ...]) -> None:
    """DIV-28: a reading does not replace professional advice."""
    divination = cast("112211", date(2026, 4, 3), question_type, "如何")
    for language, word in zip(Language, words, strict=True):
        assert word in read(divination, language=language).advice[-1]


def test_a_question_is_quoted_on_one_line() -> None:
    """DIV-30: its line breaks are not the answer's paragraphs."""
    divination = cast("112211", date(2026, 4, 3), "事业", "换工作\n\n合适\x00吗")
    answer = read(divination, language=Language.SIMPLIFIED).answer
    assert answer.startswith("所问：“换工作 合适吗”。")
    assert len(answer.split("\n\n")) == 5


def test_on_a_plate_at_rest_a_stirred_focus_is_not_told_to_move() -> None:
    """DIV-28: 六爻安静, and 世 暗动."""
    divination = cast("121221", date(2026, 3, 12), "健康", "自占病")
    points = "".join(read(divination, language=Language.SIMPLIFIED).focus_points)
    assert "六爻安静，只有用神自身暗动" in points


def test_a_lone_mover_that_cannot_act_is_not_said_to_decide() -> None:
    """DIV-28: 独发."""
    for coins in ("".join(coins) for coins in product("12", repeat=5)):
        points = "".join(
            read(cast("0" + coins, date(2026, 3, 12), "健康", "自占病"), language=Language.SIMPLIFIED).focus_points
        )
        assert not ("都不足以生克用神" in points and "独发" in points)


def test_every_kind_of_question_has_an_answer_in_every_matter() -> None:
    """DIV-29, DIV-32: a first sentence, whatever is asked and however it comes out, in every language."""
    wrong = []
    for number, (matter, asks, coins) in enumerate(product(MATTERS, Asks, ("121212", "303012", "111111"))):
        divination = cast(coins, date(2026, 1, 1) + timedelta(days=7 * number % 360), "其他", "去上海还是去北京好？")
        inquiry = replace(inquire("其他", divination.question), matter=matter, asks=asks)
        plate = lay_out(divination)
        judgement = judge(plate, inquiry)
        for language in Language:
            text = " ".join(direct_answer(Narrator(Voice(language, divination), plate, judgement, divination)))
            if len(text) < 4 or re.search(r"[{}<>]|None|  ", text):
                wrong.append((matter.key, asks, judgement.outcome, language, text))
    assert not wrong


def test_both_catalogues_say_the_same_things() -> None:
    """DIV-32: no sentence is missing in a language."""
    chinese, english = CATALOGUES[Language.SIMPLIFIED], CATALOGUES[Language.ENGLISH]
    for table in ("sentences", "nouns", "verdicts", "actions", "people", "in_illness", "directions"):
        assert getattr(chinese, table).keys() == getattr(english, table).keys()
    assert set(chinese.directions) == set(BRANCH_ELEMENT)


@pytest.mark.parametrize(
    ("locale", "language"),
    [
        ("zh-CN", Language.SIMPLIFIED),
        ("zh", Language.SIMPLIFIED),
        ("zh-Hans-HK", Language.SIMPLIFIED),
        ("zh-SG", Language.SIMPLIFIED),
        ("zh-Hant", Language.TRADITIONAL),
        ("zh-TW", Language.TRADITIONAL),
        ("zh_HK", Language.TRADITIONAL),
        ("zh-MO", Language.TRADITIONAL),
        ("zh-Hant-CN", Language.TRADITIONAL),
        ("en", Language.ENGLISH),
        ("en-GB", Language.ENGLISH),
        ("fr-FR", Language.ENGLISH),
        ("", Language.SIMPLIFIED),
        (None, Language.SIMPLIFIED),
    ],
)
def test_a_locale_asks_for_a_language(locale: str | None, language: Language) -> None:
    """DIV-32."""
    assert language_for(locale) is language
