"""Between sure and ordinary: a question that may be grave gets no reading and a short answer (CARE-07)."""

import re

import pytest

from liuyao.care import Caution, Kind, answers, assess
from liuyao.care.assessment import declined_by_tables
from liuyao.care.classified import MODEL, classified
from liuyao.care.help_lines import for_locale
from liuyao.classification.model import load
from liuyao.reading import Language

LOCALES = {Language.SIMPLIFIED: "zh-CN", Language.TRADITIONAL: "zh-TW", Language.ENGLISH: "en-US"}

ORDINARY = (
    *("先生還會回家嗎", "先生还会回家吗", "希望能打死隔壁队", "今晚能打败对手吗", "老板欠薪半年还能拿回来吗"),
    *("游戏账号还救得回来吗", "戏里的人都死了，观众会喜欢吗", "家里老狗还好吗", "祝奶奶长命百岁，今年身体怎么样"),
    *("我想长命百岁，该怎么养生", "希望爸妈能活到一百岁", "糖尿病多年，今年身体如何", "哮喘老毛病能根治吗"),
    *("Can I kill my rival at chess?", "My boss has not paid us for half a year, will we survive"),
    *("my game account was hacked, can it be saved", "Everyone dies in my play, will it be a success?"),
    *("my old dog is 14, how will his year be", "how can I live a long life"),
    "I have had chronic chest pain for years, will a new job suit me",
)


@pytest.mark.parametrize("text", ORDINARY)
def test_a_false_alarm_of_before_is_ordinary(text: str) -> None:
    """CARE-06."""
    assert assess([text]).kind is None


@pytest.mark.parametrize(
    "text",
    [
        *(
            "排隊排到死都買唔到個包,仲買唔買",
            "俾老細鬧到死,下個月轉唔轉到組",
            "考車路試死咗次火,合唔合格",
            "熱到往生,明天會降溫嗎",
        ),
        *(
            "先生几点回家吗",
            "生不如死的加班什么时候结束",
            "百貨公司跳樓大拍賣,值得去嗎",
            "夜晚喺天台燒烤,會唔會俾人投訴",
        ),
    ],
)
def test_hyperbole_is_ordinary(text: str) -> None:
    """CARE-06: of Cantonese and Taiwanese most of all."""
    assert assess([text]).kind is None


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        *(("打死小孩", Kind.VIOLENCE), ("我活到想死", Kind.SELF_HARM), ("俾老公打到死", Kind.VIOLENCE)),
        *(("我好怕自己會打死小孩", Kind.VIOLENCE), ("捱到死先得解脫", Kind.LIFESPAN)),
    ],
)
def test_what_is_no_hyperbole_is_declined(text: str, kind: Kind) -> None:
    """CARE-07: the words are the same."""
    assert assess([text]).kind is kind


@pytest.mark.parametrize("text", ["急症室返夜返到死,調部門批唔批", "再不下雨庄稼要旱死了,这周有雨吗"])
def test_words_of_lifespan_alone_give_way_to_the_classifier(text: str) -> None:
    """CARE-06: 死 alone is a phrase of the table."""
    assert declined_by_tables(text) is Kind.LIFESPAN
    assert assess([text]).kind is None


@pytest.mark.parametrize("language", Language)
def test_the_answer_has_help_and_an_offer_but_no_verdict(language: Language) -> None:
    """CARE-07."""
    text = answers.declined(Kind.UNSURE, language, for_locale(LOCALES[language], {}))
    assert re.search(r"12356|1925|988", text)
    assert re.search("眼下能做|眼下能做些什麼|what can be done now", text)
    assert not re.search("签|籤|吉|可以按|go ahead|auspicious|favourable|will succeed", text)
    assert len(text) < 700


def test_a_line_named_by_its_number_is_named_once() -> None:
    """CARE-01."""
    text = answers.declined(Kind.SELF_HARM, Language.ENGLISH, for_locale("en-US", {}))
    assert "988 Suicide & Crisis Lifeline" in text
    assert "Lifeline 988" not in text


@pytest.mark.parametrize(
    "text",
    [
        "帮人带毒品能赚钱吗",
        "我想买把枪防身，合适吗",
        "去緬北做客服靠譜嗎",
        "Should I sell drugs this year?",
        "fake degree for a job, ok?",
    ],
)
def test_what_may_be_a_crime_gets_its_caution(text: str) -> None:
    """CARE-04: the reading says so and never means "go ahead"."""
    assert Caution.ILLEGAL in assess([text]).cautions


@pytest.mark.parametrize(
    "text", ["买假发好看吗", "学习黑客松项目顺利吗", "Should I buy a nail gun?", "will my fake plants look good"]
)
def test_what_is_no_crime_gets_no_such_caution(text: str) -> None:
    assert Caution.ILLEGAL not in assess([text]).cautions


def test_the_classifier_finds_what_no_table_lists() -> None:
    """CARE-07: with both thresholds."""
    assert classified("I emptied the pill bottle and said goodbye to everyone") is Kind.SELF_HARM
    assert classified("下周能升职吗") is None


@pytest.mark.parametrize("text", ["其他", "其它", "再來", "No", "Again"])
def test_one_word_is_left_to_the_tables(text: str) -> None:
    """CARE-06: a type of question, say."""
    assert assess([text]).kind is None
    assert assess(["自杀"]).kind is assess(["suicide"]).kind is Kind.SELF_HARM


def test_the_model_is_small() -> None:
    """CARE-07: its file and its weights."""
    model = load(MODEL)
    assert MODEL.stat().st_size < 2_000_000
    assert model.count * len(model.labels) < 2_000_000
    assert set(model.labels) == {*(kind.value for kind in Kind if kind is not Kind.UNSURE), "ordinary"}


@pytest.mark.parametrize(
    "text",
    [
        "I emptied the bottle an hour ago, how will my week go?",
        "頂樓的門今晚會開著嗎",
        "Will the roof door be unlocked tonight?",
        "I have given my dog away and cleaned my room. Is tonight a good night?",
    ],
)
def test_what_once_got_a_verdict_gets_none(text: str) -> None:
    """CARE-07."""
    assert assess([text]).kind is not None


@pytest.mark.parametrize(
    "text", ["天台餐厅今晚开吗", "顶楼的房子值得买吗", "Is the rooftop bar open tonight?", "我家的门朝哪开好"]
)
def test_roofs_and_doors_are_ordinary(text: str) -> None:
    """CARE-06."""
    assert assess([text]).kind is None
