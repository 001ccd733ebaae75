"""What the script does without a command, in three languages."""

import pytest

from yarrow.services.models.scripted_requests import REQUESTS, requested

ALL = {tool for tool, _, _ in REQUESTS}


@pytest.mark.parametrize(
    ("text", "call"),
    [
        ("Cast a hexagram: should I move?", ("cast_hexagram", {"question": "should I move?"})),
        ("please cast a hexagram for me, will it rain?", ("cast_hexagram", {"question": "will it rain?"})),
        ("请帮我起一卦：我换工作是否合适?", ("cast_hexagram", {"question": "我换工作是否合适?"})),
        ("請幫我起個卦，我換工作是否合適?", ("cast_hexagram", {"question": "我換工作是否合適?"})),
        ("算一卦: 出行是否顺利", ("cast_hexagram", {"question": "出行是否顺利"})),
        ("Remember that I drink tea.", ("memory_save", {"text": "I drink tea"})),
        ("请记住：我对花生过敏。", ("memory_save", {"text": "我对花生过敏"})),
        ("請記住，我對花生過敏", ("memory_save", {"text": "我對花生過敏"})),
        ("What do you remember about tea?", ("memory_search", {"query": "tea"})),
        ("你还记得花生？", ("memory_search", {"query": "花生"})),
        ("你還記得關於花生？", ("memory_search", {"query": "花生"})),
    ],
)
def test_a_request_in_plain_words_calls_the_tool(text: str, call: tuple[str, dict[str, str]]) -> None:
    """RNR-52: of those that are offered."""
    assert list(requested(text, ALL)) == [call]
    assert list(requested(text, ALL - {call[0]})) == []


@pytest.mark.parametrize(
    "text",
    ["", "What is a hexagram?", "I cast a hexagram yesterday", "起卦", "Do you remember?", "记住", "Remember that "],
)
def test_what_asks_for_nothing_calls_nothing(text: str) -> None:
    assert list(requested(text, ALL)) == []


def test_a_long_text_takes_no_longer_than_its_length() -> None:
    """Lines of nothing but what a request may begin or end with."""
    for text in (
        "remember that " * 20_000,
        "记住" * 50_000,
        "起卦：" + "。" * 200_000,
        "记住" + "。" * 200_000 + "x",
        "\n" * 200_000,
    ):
        list(requested(text, ALL))
