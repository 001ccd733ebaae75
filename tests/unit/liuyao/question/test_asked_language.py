"""Which language a question asks its answer to be in, and that to ask about a language is not to ask for it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from liuyao.reading import Language, language_asked

SIMPLIFIED, TRADITIONAL, ENGLISH = Language


@pytest.mark.parametrize(
    "text",
    [
        "please answer in English",
        "Should I change jobs? Please answer in English.",
        "Should I change jobs? Answer in English, please!",
        "should I move, please reply in english",
        "Should I move? Reply in English.",
        "Could you please respond in English? Thanks.",
        "Can you answer me in English?",
        "Will it rain? In English, please.",
        "Will it rain? English please",
        "Will it rain? (Please write the answer in English only)",
        "Will it rain? Please use English.",
        "Will it rain? Tell me in English, thank you.",
        "I’d like you to explain it in English. Will it rain?",
        "请用英文回答",
        "我最近换工作是否合适？请用英文回答。",
        "我最近换工作是否合适,麻烦您用英语解读一下,谢谢",
        "我最近换工作是否合适 请用 English 回复",
        "我最近换工作是否合适？用英文回答",
        "我最近换工作是否合适？回答请用英文！",
        "我最近换工作是否合适？你能用英文回答吗？",
        "我最近换工作是否合适？英文回答即可。",
        "我最近换工作是否合适？请说英语",
        "請用英文回覆我，我該換工作嗎？",
    ],
)
def test_english_is_heard_when_it_is_asked_for(text: str) -> None:
    """DIV-32."""
    assert language_asked(text, SIMPLIFIED) is language_asked(text, TRADITIONAL) is ENGLISH


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Should I go? Please answer in Chinese.", SIMPLIFIED),
        ("Should I go? Please answer in Mandarin.", SIMPLIFIED),
        ("Should I go? Please answer in simplified Chinese.", SIMPLIFIED),
        ("Should I go? Reply in traditional Chinese, please.", TRADITIONAL),
        ("用中文回答", SIMPLIFIED),
        ("Should I go? 请用中文回答。", SIMPLIFIED),
        ("Should I go? 請用中文回答。", TRADITIONAL),
        ("Should I go? 请用繁体中文回答。", TRADITIONAL),
        ("Should I go? 請用簡體中文回覆。", SIMPLIFIED),
    ],
)
def test_chinese_is_heard_in_the_script_that_is_asked_for_or_written(text: str, expected: Language) -> None:
    """DIV-32."""
    assert language_asked(text, ENGLISH) is expected


@pytest.mark.parametrize("usual", [SIMPLIFIED, TRADITIONAL])
@pytest.mark.parametrize("text", ["请用中文回答", "請用中文回答", "Please answer in Chinese."])
def test_who_reads_chinese_and_asks_for_it_keeps_the_script(text: str, usual: Language) -> None:
    """DIV-32."""
    assert language_asked(text, usual) is usual


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Should I study English?",
        "Should I answer in English at the interview?",
        "Should I answer in English?",
        "Answer in English?",
        "Will they reply in English?",
        "Is it wise to speak English at work?",
        "Should I keep going, write in English, and publish?",
        'My boss wrote "please answer in English". Shall I quit?',
        "My boss said: please answer in English",
        "My teacher told us to please answer in English.",
        "Please don't answer in English.",
        "Do not answer in English.",
        "Can you speak English?",
        "Please answer in English class matters only.",
        "Will my English exam go well, please?",
        "English",
        "in English",
        "学英文有前途吗",
        "学英文有前途吗？",
        "我该用英文回答面试吗？",
        "面试用英文回答好吗？",
        "明天面试，用英文回答，能成功吗？",
        "用英文回答？",
        "请问用英文回答合适吗？",
        "请问，用英文回答合适吗？",
        "请问英文考试能过吗？",
        "请老师用英文讲课好吗？",
        "他会用英文回复我吗？",
        "请不要用英文回答",
        "不用英文回答",
        "用英语写论文能发表吗？",
        "说英语的客户会下订单吗？",
        "她说“请用英文回答”，我该回吗？",
        "请用日文回答",
        "Please answer in French.",
    ],
)
def test_a_question_that_only_mentions_a_language_asks_for_none(text: str) -> None:
    """DIV-32: the user's own language it is then."""
    assert [language_asked(text, usual) for usual in Language] == list(Language)


def test_the_last_of_two_requests_is_heard() -> None:
    """DIV-32."""
    assert language_asked("Please answer in English. No: please answer in traditional Chinese.", ENGLISH) is ENGLISH
    assert language_asked("请用英文回答。请用繁体中文回答。", SIMPLIFIED) is TRADITIONAL


@given(st.text(alphabet="in please answer中文用请回答 english,.?", max_size=300))
def test_any_text_has_a_language(text: str) -> None:
    """DIV-32."""
    assert language_asked(text, ENGLISH) in Language


@pytest.mark.parametrize(
    "text", ["please answer" + " me" * 5_000, "请用" * 5_000, " " * 10_000 + "in english", "，" * 10_000]
)
@pytest.mark.timeout(2)
def test_a_long_text_is_read_quickly(text: str) -> None:
    """DIV-32: however it is made."""
    assert language_asked(text, ENGLISH) is ENGLISH
