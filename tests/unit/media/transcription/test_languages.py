"""Which language a locale asks for."""

import pytest
from botocore.loaders import Loader

from yarrow.media.transcription.languages import SPOKEN, language_of


@pytest.mark.parametrize(
    ("locale", "language"),
    [
        (None, "zh-CN"),
        ("", "zh-CN"),
        ("zh-CN", "zh-CN"),
        ("zh_Hans_SG", "zh-CN"),
        ("zh-Hant", "zh-TW"),
        ("zh-Hant-TW", "zh-TW"),
        ("zh-Hant-HK", "zh-HK"),
        ("yue", "zh-HK"),
        ("cmn-Hans", "zh-CN"),
        ("en", "en-US"),
        ("en-gb", "en-GB"),
        ("EN_GB", "en-GB"),
        ("en-JM", "en-US"),
        ("nb-NO", "no-NO"),
        ("fil-PH", "tl-PH"),
        ("de-AT", "de-DE"),
        ("pt-BR", "pt-BR"),
        ("tlh", None),
        ("not a locale", None),
    ],
)
def test_a_locale_asks_for_a_language_that_is_recognised(locale: str | None, language: str | None) -> None:
    """ASR-01, C37."""
    assert language_of(locale, "zh-CN") == language


def test_every_language_is_one_of_amazon_transcribe() -> None:
    """ASR-01: as botocore's description of the service has them."""
    service = Loader().load_service_model("transcribe", "service-2")
    assert set(service["shapes"]["LanguageCode"]["enum"]) >= SPOKEN
