"""Whom to call where, and what a deployment may say of it."""

import json

import pytest

from liuyao.care import Kind, answers
from liuyao.care.characters import SIMPLIFIED_ALONE
from liuyao.care.help_lines import REGIONS, for_locale
from liuyao.care.help_lines_parameter import HelpLinesError, parse
from liuyao.reading import Language


@pytest.mark.parametrize(
    ("locale", "numbers"),
    [
        *((None, ["12356", "120", "110"]), ("zh-CN", ["12356", "120", "110"]), ("zh", ["12356"])),
        *(("zh-TW", ["1925"]), ("zh-Hant-TW", ["1925"]), ("zh_HK", ["18111"]), ("zh-Hant", ["1925", "18111"])),
        *(("en-US", ["988", "911"]), ("en", ["988", "911"]), ("en-GB", ["116 123", "999"]), ("en-IE", ["116 123"])),
        *(("en-AU", ["13 11 14", "000"]), ("en-SG", ["1767"]), ("ja", ["119"]), ("de-DE", ["0800 111 0 111", "112"])),
        *(("fr-FR", ["3114"]), ("ko-KR", ["109"]), ("en-CA", ["988"]), ("en-NZ", ["1737"]), ("zh-MO", ["2852 5222"])),
    ],
)
@pytest.mark.parametrize("language", Language)
def test_the_lines_go_by_the_locale_whatever_the_language(
    locale: str | None, numbers: list[str], language: Language
) -> None:
    """CARE-01: The cases are the table of the requirement, and others."""
    text = answers.declined(Kind.SELF_HARM, language, for_locale(locale, {}))
    assert all(number in text for number in numbers)
    assert "{" not in text


@pytest.mark.parametrize("language", Language)
@pytest.mark.parametrize("kind", Kind)
def test_elsewhere_it_is_the_local_emergency_number(kind: Kind, language: Language) -> None:
    """CARE-01, CARE-02."""
    words = {
        Language.SIMPLIFIED: "当地的急救电话",
        Language.TRADITIONAL: "當地的急救電話",
        Language.ENGLISH: "local emergency number",
    }
    assert words[language] in answers.declined(kind, language, for_locale("xx-AQ", {}))
    assert answers.after(kind, language, for_locale("xx-AQ", {}))


@pytest.mark.parametrize("kind", Kind)
def test_a_traditional_answer_has_no_simplified_character(kind: Kind) -> None:
    """CARE-01 … CARE-03."""
    help_ = for_locale("zh-TW", {})
    text = answers.declined(kind, Language.TRADITIONAL, help_) + answers.after(kind, Language.TRADITIONAL, help_)
    assert SIMPLIFIED_ALONE.isdisjoint(text + answers.note(Language.TRADITIONAL, help_))


@pytest.mark.parametrize("kind", Kind)
def test_every_answer_is_short_and_without_a_verdict(kind: Kind) -> None:
    """CARE-01 … CARE-03: Each language has its own words, and answers about danger have the numbers."""
    output = {language: answers.declined(kind, language, for_locale("zh-CN", {})) for language in Language}
    assert len(set(output.values())) == len(Language)
    for language, text in output.items():
        assert len(text) < (1_000 if language is Language.ENGLISH else 400)
        assert "120" in text
        assert not any(
            word in text for word in ("签", "籤", "auspicious", "go ahead", "as planned", "照计划", "可以推进")
        )


def test_a_deployment_replaces_a_region_and_gives_the_rest_a_default() -> None:
    """CARE-01."""
    replaced = parse(
        json.dumps(
            {
                "TW": {"emergency": ["119"], "lines": [{"name": "我們的專線", "number": "0800"}]},
                "default": {"emergency": ["112"]},
            }
        )
    )
    assert "我們的專線 0800" in answers.declined(Kind.SELF_HARM, Language.TRADITIONAL, for_locale("zh-TW", replaced))
    assert "call 112 right away" in answers.declined(Kind.SELF_HARM, Language.ENGLISH, for_locale("en-AQ", replaced))
    assert for_locale("zh-CN", replaced) == (REGIONS["CN"],)


@pytest.mark.parametrize(
    "value",
    [
        *("{", "[]", "1", '{"tw": {"emergency": ["1"]}}', '{"TW": {}}', '{"TW": {"emergency": []}}', '{"TW": 5}'),
        *('{"TW": {"emergency": "119"}}', '{"TW": {"emergency": [119]}}', '{"TW": {"emergency": ["1"], "x": 1}}'),
        *('{"TW": {"emergency": ["1"], "lines": [{"name": "x"}]}}', '{"TW": {"emergency": ["a\\u0000"]}}'),
        '{"TW": {"emergency": ["' + "1" * 90 + '"]}}',
    ],
)
def test_a_parameter_of_another_shape_is_refused_in_one_line(value: str) -> None:
    """CARE-01: It fails before any run."""
    with pytest.raises(HelpLinesError) as caught:
        parse(value)
    assert str(caught.value).startswith("HelpLines")
    assert "\n" not in str(caught.value)


def test_no_parameter_replaces_nothing() -> None:
    assert parse("") == parse("{}") == {}
