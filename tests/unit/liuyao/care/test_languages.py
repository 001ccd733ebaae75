"""Words of a crisis in languages without readings, and the reply in that language."""

import pytest

from liuyao.care import Kind, assess
from liuyao.care.languages import crisis_language
from liuyao.care.replies import reply

SAID = {
    "ja": "もう生きていたくない。明日はどうなりますか",
    "ko": "이제 그만 죽고 싶어요",
    "es": "Ya no quiero vivir, ¿qué dice el oráculo?",
    "pt": "Não quero mais viver",
    "fr": "J’ai envie d’en finir avec la vie",
    "de": "Ich möchte nicht mehr leben.",
    "it": "Non voglio più vivere",
    "nl": "Ik wil niet meer leven",
    "ru": "Я больше не хочу жить",
    "uk": "Я не хочу жити",
    "pl": "Nie chcę już żyć",
    "tr": "Artık yaşamak istemiyorum",
    "ar": "لا أريد أن أعيش",
    "fa": "دیگر نمی‌خواهم زنده باشم",
    "hi": "मैं जीना नहीं चाहता",
    "bn": "আমি আর বাঁচতে চাই না",
    "th": "ไม่อยากมีชีวิตอยู่แล้ว",
    "vi": "Tôi không muốn sống nữa",
    "id": "Aku tidak ingin hidup lagi",
    "tl": "Ayoko nang mabuhay",
    "ms": "Saya tak nak hidup lagi",
    "he": "אני לא רוצה לחיות יותר",
    "el": "Δεν θέλω να ζήσω άλλο",
    "sv": "Jag vill inte leva längre",
    "fi": "En jaksa elää enää",
    "cs": "Už nechci žít",
}
ORDINARY = (
    *(
        "Me corto el pelo mañana, ¿buena idea?",
        "Quiero vivir en Madrid, ¿me irá bien?",
        "明日は雨ですか",
        "自殺小隊好看嗎",
    ),
    *("Werde ich die Prüfung bestehen?", "Mon patron va me tuer si je suis en retard", "tư vấn đầu tư có lãi không"),
    *("Хочу жить у моря, стоит ли переезжать?", "오늘 면접은 어떨까요", "Vou cortar o cabelo amanhã?", "tu tu tu"),
)


@pytest.mark.parametrize(("language", "text"), SAID.items())
def test_a_crisis_is_answered_in_its_language(language: str, text: str) -> None:
    """CARE-01: with help lines or the directory of them, and no reading."""
    assert crisis_language(text) == language
    assert assess([text]).kind is Kind.SELF_HARM
    answer = reply(Kind.SELF_HARM, text, language, None, is_new=True)
    assert "findahelpline.com" in answer
    assert "{" not in answer
    assert answer != reply(Kind.SELF_HARM, "I want to die", language, None, is_new=True)


@pytest.mark.parametrize("text", ORDINARY)
def test_ordinary_words_of_other_languages_are_no_crisis(text: str) -> None:
    """CARE-06."""
    assert crisis_language(text) is None


def test_an_answer_has_the_numbers_of_the_users_region() -> None:
    assert "0120-279-338" in reply(Kind.SELF_HARM, SAID["ja"], "ja", None, is_new=True)
    assert "911" in reply(Kind.SELF_HARM, SAID["es"], "es-MX", None, is_new=True)
    assert "el número de emergencias local" in reply(Kind.SELF_HARM, SAID["es"], "es-AR", None, is_new=True)
    replaced = {"AR": {"emergency": ["107"]}}
    assert "107" in reply(Kind.SELF_HARM, SAID["es"], "es-AR", replaced, is_new=True)


def test_a_long_text_is_read_at_both_ends() -> None:
    assert crisis_language("hola " * 50_000 + SAID["es"]) == "es"
