"""The plain answers, as the asker reads them: to what was asked, at one with the advice, in the time asked about."""

import re
from collections.abc import Iterator
from dataclasses import fields
from datetime import date
from typing import Any

import pytest

from liuyao import Divination, DivinationPayload, derive
from liuyao.reading import Language, answer_follow_up, read
from liuyao.reading.catalogues import CATALOGUES, catalogue_for
from liuyao.reading.dates import When
from liuyao.reading.question.asks import Scale
from liuyao.reading.question.named_thing import THINGS
from liuyao.reading.wording import civil_dates
from liuyao.reading.wording.explained import EXPLAINED
from liuyao.reading.wording.repetition import once
from liuyao.reading.wording.spelling import traditional
from liuyao.reading.wording.taiwan import localized
from tests.support.readings.ways import says as says_in_a_way

LINES = {"0": "老阴", "1": "少阳", "2": "少阴", "3": "老阳"}
EN, ZH, TW = Language.ENGLISH, Language.SIMPLIFIED, Language.TRADITIONAL


def cast(coins: str, time: str, question_type: str, question: str) -> Divination:
    return derive(
        DivinationPayload.model_validate(
            {
                "divinationMethod": "手动起卦",
                "questionType": question_type,
                "question": question,
                "divinationTimeIso": f"{time}:00+08:00",
                "yaoLines": [LINES[count] for count in coins],
            }
        )
    )


def opening_of(coins: str, time: str, question_type: str, question: str, language: Language) -> tuple[str, str]:
    """Return the first two paragraphs: the answer and the advice."""
    reading = read(cast(coins, time, question_type, question), language=language)
    first, second, *_ = reading.answer.split("\n\n")
    return first, second


@pytest.mark.parametrize(
    ("question", "language"),
    [("Should I let go of him?", EN), ("我该不该放下他？", ZH), ("我該不該忘記他？", TW)],
)
def test_letting_go_is_answered_alike_in_every_language(question: str, language: Language) -> None:
    """A favourable cast speaks for the bond, so against letting go of it."""
    assert says_in_a_way(
        "leave good", language, opening_of("132120", "2026-08-08T23:30", "感情", question, language)[0]
    )


@pytest.mark.parametrize(
    ("question", "language"),
    [("Should I buy this flat?", EN), ("这套房子该不该买？", ZH), ("這間房子該不該買？", TW)],
)
def test_the_advice_waits_where_the_answer_does(question: str, language: Language) -> None:
    first, second = opening_of("112230", "2026-11-23T12:00", "房产", question, language)
    assert says_in_a_way("should later", language, first)
    words = CATALOGUES[language]
    deeds = (*words.things["home"][0], *words.deeds["documents"][0])
    assert any(says_in_a_way("in its time", language, second, action=deed.lower()) for deed in deeds)


@pytest.mark.parametrize(
    ("question", "language", "words"),
    [
        ("Will I get the promotion this year?", EN, "this year"),
        ("今年我能升职吗？", ZH, "今年"),
        ("今年我能升遷嗎？", TW, "今年"),
    ],
)
def test_a_time_after_the_one_asked_about_is_told_as_later(question: str, language: Language, words: str) -> None:
    """The 应期 falls in January, so the answer is not a plain yes to this year."""
    first, _ = opening_of("121012", "2026-11-23T10:10", "事业", question, language)
    date = "5 January" if language is EN else "2027年1月5日"
    assert says_in_a_way("later than asked", language, first)
    assert says_in_a_way("time beyond", language, first, words=words)
    assert date in first
    divination = cast("121012", "2026-11-23T10:10", "事业", question)
    again = answer_follow_up(divination, "When?" if language is EN else "什么时候？", language=language)
    assert says_in_a_way("time beyond", language, again, words=words)


@pytest.mark.parametrize(
    ("question", "language", "says"),
    [
        ("Will our team win tonight's match?", EN, "no hour in the time you ask about"),
        ("今晚我们队能赢吗？", ZH, "没有特别应在哪个时辰"),
        ("今晚我們隊會贏嗎？", TW, "沒有特別應在哪個時辰"),
    ],
)
def test_tonight_is_not_told_by_an_hour_of_tomorrow(question: str, language: Language, says: str) -> None:
    divination = cast("321211", "2026-06-20T17:00", "other", question)
    answer = answer_follow_up(divination, "When?" if language is EN else "什么时候？", language=language)
    assert says in answer
    for text in (answer, read(divination, language=language).answer):
        assert "21 June" not in text
        assert "6月21日" not in text


@pytest.mark.parametrize(
    ("question", "language"),
    [("Will my trip tomorrow go smoothly?", EN), ("明天出门旅行顺利吗？", ZH), ("明天出門旅行順利嗎？", TW)],
)
def test_one_day_is_not_put_off(question: str, language: Language) -> None:
    first, _ = opening_of("111232", "2026-07-07T20:00", "other", question, language)
    assert says_in_a_way("will later today", language, first)
    assert not says_in_a_way("time later", language, first)


@pytest.mark.parametrize(
    ("follow_up", "language", "says", "not_says"),
    [
        ("What does the other think?", EN, "no position to press you", "fond of you"),
        ("对方怎么想？", ZH, "难以给你太大的压力", "靠近你"),
        ("對方怎麼想？", TW, "難以給你太大的壓力", "靠近你"),
    ],
)
def test_only_love_speaks_of_fondness(follow_up: str, language: Language, says: str, not_says: str) -> None:
    question = "Will our team win tonight's match?" if language is EN else "今晚我们队能赢吗？"
    answer = answer_follow_up(cast("321211", "2026-06-20T17:00", "other", question), follow_up, language=language)
    assert says in answer
    assert not_says not in answer


@pytest.mark.parametrize("question", ["我家的貓走失了，還找得回來嗎？", "我家的貓走失了，還能找回來嗎？"])
def test_a_verb_of_potential_is_answered_as_one(question: str) -> None:
    """找得回來嗎 asks whether one can: 不能, not 不是. And no one resists the search for a cat."""
    first, second = opening_of("012121", "2026-09-02T19:00", "失物", question, TW)
    assert "不能找回來" in first or "找不回來" in first or "」多半不能" in first
    assert "阻力" not in second


def test_alternatives_after_the_question_are_compared() -> None:
    question = "Which of the two offers should I take, the bank or the startup?"
    assert (
        "“the startup” has more going for it than “the bank”"
        in opening_of("211122", "2026-06-30T08:00", "事业", question, EN)[0]
    )


@pytest.mark.parametrize(
    ("question_type", "coins", "question", "says"),
    [
        ("other", "113222", "女儿取名叫梓涵好不好？", "这个名字可用"),
        ("房产", "201121", "我们新家的风水好不好？", "家宅大体可住"),
    ],
)
def test_how_good_a_thing_is_is_answered_by_its_verdict(
    question_type: str, coins: str, question: str, says: str
) -> None:
    first, second = opening_of(coins, "2026-05-05T12:00", question_type, question, ZH)
    assert says in first
    assert "可以，但" not in first
    assert "帮上忙" not in second or question_type != "other"


@pytest.mark.parametrize(
    ("follow_up", "language", "says", "not_says"),
    [
        ("What should he do now?", EN, "Keep to your plan of study", "nobody in particular"),
        ("他现在该怎么办？", ZH, "按现有的复习安排推进", "没有特别能帮上的人"),
        ("如果我等呢？", ZH, "值得等", "可以成"),
    ],
)
def test_a_follow_up_is_answered_and_nothing_else(follow_up: str, language: Language, says: str, not_says: str) -> None:
    question = "Will my son pass his entrance exam?" if language is EN else "我儿子高考能考上吗？"
    answer = answer_follow_up(cast("231212", "2026-05-18T09:00", "学业", question), follow_up, language=language)
    assert says in answer
    assert not_says not in answer


@pytest.mark.parametrize(
    ("question", "language", "not_says"),
    [
        ("How is my husband's health next year?", EN, ("recovery slow", "final decision")),
        ("我老公明年身体怎么样？", ZH, ("恢复较慢", "最后决定")),
    ],
)
def test_health_is_not_told_as_an_illness_or_a_decision(
    question: str, language: Language, not_says: tuple[str, ...]
) -> None:
    answer = read(cast("122122", "2026-12-31T09:00", "健康", question), language=language).answer
    for words in not_says:
        assert words not in answer


@pytest.mark.parametrize(
    ("question", "follow_up", "language", "says"),
    [
        ("Will my mother recover?", "Should I give up?", EN, "not let go of the treatment"),
        ("我妈妈的病能好吗？", "要不要放弃？", ZH, "治疗不要因为一卦就放下"),
        ("Will my mother recover?", "Will it work out?", EN, "keep to the treatment"),
        ("我妈妈的病能好吗？", "到底能不能成？", ZH, "治疗照医生的话做"),
    ],
)
def test_illness_is_never_told_to_be_given_up(question: str, follow_up: str, language: Language, says: str) -> None:
    """A cast of 下下签: the words keep to treatment, for the one who is ill."""
    divination = cast("112231", "2026-01-15T21:20", "健康", question)
    first = read(divination, language=language).answer.split("\n\n")[0]
    assert "stay close to the doctors" in first if language is EN else "医生" in first
    assert says in answer_follow_up(divination, follow_up, language=language)


def test_what_every_part_of_has_been_said_is_left_out() -> None:
    """No clause of a repeated phrase stays behind on its own, however short."""
    held = "三爻兄弟丑土持世，财难聚于我"
    assert once([f"论卦，{held}，以这一条断为下下签。"], [f"用神与世爻相合，彼此有情；{held}。"])[1] == [
        "用神与世爻相合，彼此有情。"
    ]


def test_the_traditional_catalogue_has_no_simplified_character() -> None:
    """Big5 has the characters of Taiwan."""
    words = CATALOGUES[TW]
    texts = [*words.sentences.values(), *words.nouns.values(), *words.people.values(), *words.in_illness.values()]
    texts += [text for choices in (words.verdicts, words.actions) for choice in choices.values() for text in choice]
    texts += [traditional(localized(chinese)) for _, chinese, _ in EXPLAINED]
    for text in texts:
        assert text.encode("big5", errors="replace").decode("big5").replace("?", "□") == text
        assert "账" not in text


@pytest.mark.parametrize(
    ("key", "word"),
    [("lost", "儘快通報遺失"), ("permit", "送件"), ("debt", "釐清"), ("health", "儘早就醫")],
)
def test_taiwan_reads_its_own_words(key: str, word: str) -> None:
    assert word in "".join(CATALOGUES[TW].actions[key])


def test_months_in_english_are_a_range_without_a_preposition() -> None:
    """ "look to 5 June – 6 July", not "look to 5 June to 6 July"."""
    first, _ = opening_of("231212", "2026-05-18T09:00", "学业", "Will my son pass his entrance exam?", EN)
    assert " 5 June – 6 July." in first


def test_months_over_the_end_of_a_year_name_both_years_in_english() -> None:
    over, today = When("子", Scale.MONTH, date(2026, 12, 11), date(2027, 1, 4)), date(2026, 12, 10)
    assert civil_dates.in_english(over, today) == "from 11 December 2026 to 4 January 2027"
    assert civil_dates.named_in_english(over, today) == "11 December 2026 – 4 January 2027"
    next_year = When("卯", Scale.MONTH, date(2027, 3, 6), date(2027, 4, 4))
    assert civil_dates.in_english(next_year, today) == "from 6 March to 4 April 2027"


def test_an_hour_has_its_article_in_english() -> None:
    readings = [
        read(cast(coins, "2026-12-12T08:00", "面试", "Will my interview today go well?"), language=EN).answer
        for coins in COINS
    ]
    text = "".join(readings)
    assert "an hour of the" in text
    assert not re.search(r"\ba hour\b", text)


NORTHERN = ("劲", "坎", "攒", "拧", "别扭", "大气候", "热乎", "卷子", "添柴", "较劲", "十有七八", "上头")


def test_the_whole_catalogue_and_the_names_of_things_are_spelt_for_taiwan() -> None:
    def texts(words: Any) -> Iterator[str]:
        if isinstance(words, str):
            yield words
            return
        for word in words if isinstance(words, tuple) else words.values():
            yield from texts(word)

    for table in fields(CATALOGUES[TW]):
        for text in texts(getattr(CATALOGUES[TW], table.name)):
            text.encode("big5")
    for thing in THINGS:
        traditional(localized(thing.chinese)).encode("big5")


def test_chinese_is_read_alike_north_and_south() -> None:
    words = CATALOGUES[ZH]
    tables = (words.sentences, words.ways, words.roles, words.outlooks, words.plain, words.deeds, words.things)
    text = repr((*tables, words.replies, words.advice, words.because, words.causes, words.minds, words.kinds))
    assert [item for item in NORTHERN if item in text] == []
    assert "計劃" not in repr([getattr(CATALOGUES[TW], name) for name in ("actions", "deeds", "things", "sentences")])


@pytest.mark.parametrize(("language", "month"), [(EN, "month|time|moment"), (ZH, "月|段")])
def test_month_and_day_do_not_contradict_each_other(language: Language, month: str) -> None:
    """One speaks of the month, the other of these days."""
    plain = CATALOGUES[language].plain
    for role in ("month helps", "month is slow", "month is against"):
        assert all(re.search(month, way) for way in plain[role])
    for role in ("days help", "days are against"):
        assert not any("month" in way or "个月" in way for way in plain[role])


@pytest.mark.parametrize(
    ("coins", "question_type", "time", "question", "language", "says", "not_says"),
    [
        # A match and a name have nobody who helps or hinders unless it is asked.
        ("012301", "other", "2026-06-20T17:00", "Will our team win tonight's match?", EN, "match good", "peers"),
        ("330212", "other", "2026-06-20T17:00", "今晚我们队能赢吗？", ZH, "match good", "同辈"),
        # Nobody is sent to a doctor for asking after a boy or a girl, or told of resistance.
        ("123321", "子女", "2026-04-04T16:00", "我老婆怀的是男孩还是女孩？", ZH, "按时产检", "尽早看医生"),
        ("221133", "子女", "2026-04-04T16:00", "Is my wife's baby a boy or a girl?", EN, "check-ups", "come from"),
    ],
)
def test_nothing_is_volunteered_that_does_not_belong(
    coins: str, question_type: str, time: str, question: str, language: Language, says: str, not_says: str
) -> None:
    _, second = opening_of(coins, time, question_type, question, language)
    ways = CATALOGUES[language].things["match"][0] + CATALOGUES[language].deeds["contest"][0]
    assert any(way in second for way in ways) if says == "match good" else says in second
    assert not_says not in second


@pytest.mark.parametrize("question", ["明天出门旅行顺利吗？", "明天出門旅行順利嗎？"])
def test_a_trip_goes_well_or_does_not(question: str) -> None:
    """顺利吗 is answered by 会 or 不会, not by 是 or 不是."""
    language = ZH if "门" in question else TW
    for coins in ("012301", "222202", "310112", "032120"):
        answer = opening_of(coins, "2026-07-07T20:00", "other", question, language)[0].split(
            "”" if language is ZH else "」"
        )[1]
        assert re.search("会|會|顺利|順利", answer), answer
        assert not re.match("是|不是|多半是|多半不是|大体是|大體是", answer), answer


@pytest.mark.parametrize(
    ("question", "language", "says", "not_says"),
    [
        ("Will it rain on Saturday?", EN, "signs of rain", "ups and downs"),
        ("周六会下雨吗？", ZH, "雨势有限", "波折"),
    ],
)
def test_rain_has_no_ups_and_downs(question: str, language: Language, says: str, not_says: str) -> None:
    seen = [
        opening_of(coins, "2026-06-12T18:00", "other", question, language)[0]
        for coins in ("012301", "111111", "222202", "310112", "032120", "330212")
    ]
    assert any(says in first for first in seen)
    assert not any(not_says in first for first in seen)


@pytest.mark.parametrize(
    ("coins", "question", "follow_up", "language", "says"),
    [
        # Of what is not wished for, a time to watch, not a chance …
        ("222202", "Will I be laid off this year?", "When?", EN, "If it comes to that, the time to watch is"),
        ("222202", "我今年会被裁员吗？", "什么时候？", ZH, "若真有这样的事，要留意"),
        ("012301", "我今年会被裁员吗？", "什么时候？", ZH, "没有看到它到来的迹象"),
        # … and of getting better, asked after a fear, the time of that.
        ("032120", "Is my father's tumour getting worse?", "When will he be better?", EN, "for a turn for the better"),
        ("032120", "爸爸的病会恶化吗？", "什么时候会好？", ZH, "起色要看"),
    ],
)
def test_when_is_told_of_what_is_asked(
    coins: str, question: str, follow_up: str, language: Language, says: str
) -> None:
    question_type = "健康" if "father" in question or "爸爸" in question else "事业"
    divination = cast(coins, "2026-09-10T10:00", question_type, question)
    assert says in answer_follow_up(divination, follow_up, language=language)


@pytest.mark.parametrize(
    ("coins", "question", "language", "says", "not_says"),
    [
        ("222202", "Is my father's tumour getting worse?", EN, "let the doctors have another look", "real possibility"),
        ("222202", "爸爸的病會惡化嗎？", TW, "早些請醫生複查", "可能不小"),
        # Nor is anyone told that there is nothing to fear.
        ("032120", "Is my father's tumour getting worse?", EN, "keep up the check-ups", "” No"),
        ("032120", "爸爸的病会恶化吗？", ZH, "复查仍要照常", "不至于"),
    ],
)
def test_the_fear_of_an_illness_is_answered_with_care(
    coins: str, question: str, language: Language, says: str, not_says: str
) -> None:
    first, _ = opening_of(coins, "2026-09-10T10:00", "健康", question, language)
    assert says in first
    assert not_says not in first


@pytest.mark.parametrize(
    ("question", "follow_up", "language", "says"),
    [
        ("今年下半年财运怎么样？", "哪个月最好？", ZH, "今年下半年里，较好的是9月10日至11月6日"),
        (
            "How will my money be in the second half of the year?",
            "Which month is best?",
            EN,
            "the better times are 10 September – 6 November",
        ),
    ],
)
def test_the_best_month_is_one_of_the_better_times(
    question: str, follow_up: str, language: Language, says: str
) -> None:
    divination = cast("012301", "2026-09-10T10:00", "财运", question)
    assert says in answer_follow_up(divination, follow_up, language=language)


def test_what_is_not_to_come_is_not_told_to_take_time() -> None:
    first, _ = opening_of("012301", "2026-09-10T10:00", "事业", "Will I be laid off this year?", EN)
    assert says_in_a_way("time later harm", EN, first)
    assert "takes time" not in first


def test_an_hour_of_tomorrow_is_soon() -> None:
    divination = cast("012301", "2026-09-10T10:00", "other", "Will it be sunny tomorrow?")
    assert answer_follow_up(divination, "When?", language=EN).startswith("Probably 11 September")


def test_a_feeling_is_given_no_date() -> None:
    first, _ = opening_of("012301", "2026-09-10T10:00", "感情", "Does he still love me?", EN)
    assert "The other person feels much as you do." in first
    assert "look to" not in first


@pytest.mark.parametrize(
    ("question", "follow_up", "language", "says", "not_says"),
    [
        ("我该不该原谅他？", "他会改吗？", ZH, "他大概会改", "帮上忙"),
        ("我该不该原谅他？", "他会帮我吗？", ZH, "帮上忙", "可以成"),
        ("Should I forgive him?", "Will he change?", EN, "yes in time", "Help can come"),
    ],
)
def test_a_pronoun_alone_does_not_ask_who_helps(
    question: str, follow_up: str, language: Language, says: str, not_says: str
) -> None:
    answer = answer_follow_up(cast("012301", "2026-09-10T10:00", "感情", question), follow_up, language=language)
    assert says in answer
    assert not_says not in answer


@pytest.mark.parametrize(
    ("question", "language", "says"),
    [
        ("對方會告我嗎？", TW, "對方.*不會告你"),
        ("对方会起诉我吗？", ZH, "对方.*不会起诉你"),
        ("Will they sue me?", EN, "they (most likely|very likely|probably) will not sue you"),
    ],
)
def test_being_sued_is_not_wished_for(question: str, language: Language, says: str) -> None:
    """A favourable cast says no to what one does not wish for."""
    assert re.search(says, opening_of("222021", "2026-09-10T10:00", "官司", question, language)[0], re.IGNORECASE)


def test_a_house_one_can_move_into_is_not_told_to_wait() -> None:
    question = "Is the feng shui of our new house good?"
    first, second = opening_of("201121", "2026-10-10T13:00", "房产", question, EN)
    assert "The house is sound on the whole" in first
    words = CATALOGUES[EN]
    assert any(way in second for way in (words.actions["dwelling"][0], *words.deeds["dwelling"][0]))
    assert "still takes time" not in first


COINS = ("111111", "012301", "110012", "231100", "121012", "321211", "132120", "203112", "122221", "301122", "222103")
TIMES = ("2026-08-08T23:30", "2026-11-23T12:00", "2026-06-20T17:00")


def openings(question: str, question_type: str, language: Language) -> list[tuple[str, str]]:
    """Return the grade and the first paragraph of casts of a question."""
    readings = [
        read(cast(coins, time, question_type, question), language=language) for coins in COINS for time in TIMES
    ]
    found: list[tuple[str, str]] = [(reading.sign_level, reading.answer.split("\n\n")[0]) for reading in readings]
    assert {level for level, _ in found} > {"中上签", "中下签"}
    return found


@pytest.mark.parametrize(
    ("question", "language", "kind"),
    [
        ("Does she like me?", EN, ("fond of you", "much as you do", "not decided", "waiting to see", "In favour")),
        ("她喜欢我吗？", ZH, ("对方有心", "想得差不多", "还没有定下来", "观望", "有利的是")),
        ("她喜歡我嗎？", TW, ("對方有心", "想得差不多", "還沒有定下來", "觀望", "有利的是")),
    ],
)
def test_another_is_not_told_to_be_fond_where_the_grade_is_low(
    question: str, language: Language, kind: tuple[str, ...]
) -> None:
    for level, opening in openings(question, "感情", language):
        low = level in ("中下签", "下下签")
        assert not (low and any(text in opening for text in kind)), opening
        keys = [f"mind {state} in love" for state in ("poor", "bad")]
        assert low or not any(says_in_a_way(key, language, opening) for key in keys)


@pytest.mark.parametrize(
    ("question", "language"),
    [
        ("Is she still angry with me?", EN),
        ("她还生气吗？", ZH),
        ("老板还在生我的气吗？", ZH),
        ("她消氣了嗎？", TW),
        ("佢仲嬲唔嬲我？", TW),
    ],
)
def test_whether_somebody_is_angry_is_answered_of_the_anger_by_the_grade(question: str, language: Language) -> None:
    for level, opening in openings(question, "感情", language):
        keys = {"上上签": ("best",), "中上签": ("good", "later"), "中下签": ("poor",), "下下签": ("bad",)}[level]
        assert any(says_in_a_way(f"anger {key}", language, opening, question) for key in keys), (level, opening)


@pytest.mark.parametrize(
    ("question", "language"),
    [("他会生我的气吗？", ZH), ("我还在生气，该去找他吗？", ZH), ("Will she be angry if I leave?", EN)],
)
def test_anger_that_may_come_or_is_ones_own_is_not_taken_for_theirs(question: str, language: Language) -> None:
    for _, opening in openings(question, "感情", language):
        assert not any(
            says_in_a_way(f"anger {key}", language, opening, question)
            for key in ("best", "good", "later", "poor", "bad")
        )


@pytest.mark.parametrize(
    ("question_type", "question", "language", "thing"),
    [
        ("失物", "狗走丢了能找回来吗？", ZH, "pet lost"),
        ("失物", "我隻狗唔見咗，搵唔搵得返？", TW, "pet lost"),
        ("other", "Will my lost dog come home?", EN, "pet lost"),
        ("失物", "快递丢了还能追回来吗？", ZH, "parcel"),
        ("other", "My parcel is lost, will it turn up?", EN, "parcel"),
        ("房产", "房子能卖出去吗？", ZH, "home sale"),
        ("other", "層樓賣唔賣得出去？", TW, "home sale"),
        ("other", "Will my house sell this spring?", EN, "home sale"),
        ("other", "Can I sell my flat?", EN, "home sale"),
        ("房产", "这套房子能买吗？", ZH, "home"),
        ("other", "Will the owner sell me the flat?", EN, "home"),
        ("事业", "下周出差顺利吗？", ZH, "trip"),
        ("other", "Will my business trip go well?", EN, "trip"),
        ("other", "Will my business travel go well?", EN, "trip"),
    ],
)
def test_advice_is_of_the_thing_asked_about(question_type: str, question: str, language: Language, thing: str) -> None:
    for coins in COINS:
        reading = read(cast(coins, "2026-11-23T12:00", question_type, question), language=language)
        words, low = catalogue_for(language, question), reading.sign_level in ("中下签", "下下签")
        known = [*words.things[thing][low], *(words.deeds["documents"][low] if thing == "home" else ())]
        known += [*(words.deeds["journey"][low] if thing == "trip" else ())]
        second = reading.answer.split("\n\n")[1].lower()
        assert any(text.lower() in second for text in known), second
        if thing in ("pet lost", "parcel"):
            places = [text.lower() for several in words.places.values() for text in several]
            assert not any(place in second for place in places)


@pytest.mark.parametrize(("question", "language"), [("我的猫手术后会好吗？", ZH), ("Will my dog get well?", EN)])
def test_an_animal_that_is_ill_is_not_searched_for(question: str, language: Language) -> None:
    for coins in COINS:
        text = read(cast(coins, "2026-11-23T12:00", "宠物", question), language=language).answer.lower()
        assert not any(item.lower() in text for side in CATALOGUES[language].things["pet lost"] for item in side)
