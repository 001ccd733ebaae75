"""What is blotted out of the log: known secrets however they are spelled, and users' words."""

import json
import logging
from collections import OrderedDict
from collections.abc import Iterator
from urllib.parse import quote

import pytest

from tests.support.growth import growth
from tests.support.log_lines import LogLines
from yarrow.observability import redaction
from yarrow.observability.logs import USER_TEXT

SECRET = 'p"ä\\s/s w+rd'


@pytest.fixture(autouse=True)
def forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    """What other tests conceal is not known here, nor what these do to others."""
    monkeypatch.setattr(redaction, "_secrets", OrderedDict())


@pytest.fixture
def log() -> Iterator[LogLines]:
    with LogLines.captured() as lines:
        yield lines


def test_a_secret_is_in_no_line_however_it_is_spelled(log: LogLines) -> None:
    """SEC-05: as it is, in a URL, in a repr, in JSON; in the message, in a member, of whatever logger."""
    redaction.conceal(SECRET)
    spellings = [SECRET, quote(SECRET), quote(SECRET, safe=""), repr(SECRET), json.dumps(SECRET), str({"key": SECRET})]
    for spelling in spellings:
        logging.getLogger("yarrow.runners.acme").info("sent %s", spelling, extra={"sent": spelling, "in": [spelling]})
        text = f"sent {spelling}"
        logging.getLogger("acme").warning(text)
    for line in log.records:
        assert "[secret]" in line["message"], line
    for spelling in spellings:
        assert spelling.strip("\"'{}") not in log.text
        assert json.dumps(spelling)[1:-1] not in log.text


def test_what_is_too_short_to_be_told_from_text_is_left() -> None:
    redaction.conceal("abc")
    assert redaction.without_secrets("abc abcd") == "abc abcd"


def test_so_many_secrets_are_known_and_no_more() -> None:
    """The latest ones: a rotation each hour must not fill the process."""
    for number in range(1_000):
        redaction.conceal(f"secret-{number:04}")
    assert len(redaction._secrets) <= redaction._MAX_SECRETS
    assert "secret-0999" not in redaction.without_secrets("key secret-0999")


@pytest.mark.parametrize(
    ("text", "words", "left"),
    [
        ("no such tool: find", ["我想换工作"], "no such tool: find"),
        ("cannot answer '我想换工作'", ["我想换工作"], "cannot answer '[…]'"),
        ("cannot answer 换工…", ["我想换工作"], "cannot answer […]…"),
        (r"cannot answer \u6211\u60f3\u6362\u5de5", ["我想换工作"], "cannot answer […]"),
        ("bad input: my grandmother's", ["About my grandmother's house"], "bad input:[…]"),
        ("GET https://ada:pw@api.example/chat?key=k&q=hello failed", [], "GET https://[…]api.example/chat[…] failed"),
        ("first line\nsecond line", [], "first line"),
        ("Bearer abcdef failed", [], "[secret] failed"),
    ],
)
def test_of_what_was_said_the_words_of_users_are_left_out(text: str, words: list[str], left: str) -> None:
    """SEC-05: whole or in part, and escaped."""
    assert redaction.without_words(text, words) == left


def test_a_long_text_and_many_words_take_no_time() -> None:
    def shown(size: int) -> str:
        return redaction.without_words("ab" * size, ["cd" * size, "说" * (size // 5)])

    assert growth(shown, lambda size: size, 25_000, 200_000, enough=24) <= 24
    assert len(shown(200_000)) <= 1_000


def test_what_was_raised_is_told_where_the_record_says_what_was_heard(log: LogLines) -> None:
    """RNR-40: with its causes; without that, no word of an exception is logged."""
    logger = logging.getLogger("yarrow.runners.acme")

    words = "我想换工作"

    def fail() -> None:
        try:
            dict[str, str]()[f"model-{7}"]
        except KeyError as error:
            raise RuntimeError(f"cannot answer {words}") from error

    for extra in ({USER_TEXT: [words]}, None):
        try:
            fail()
        except RuntimeError:
            logger.exception("the agent raised", extra=extra)
    output, untold = log.records
    assert output["said"] == ["RuntimeError: cannot answer […]", "KeyError: 'model-7'"]
    assert "in fail" in output["exception"]
    assert "said" not in untold
    assert USER_TEXT not in output
    assert "model-7" not in json.dumps(untold)
