"""Redacts log texts: secrets of this process, what looks like a credential, and words of users."""

import json
import re
from collections import OrderedDict
from collections.abc import Iterable, Iterator
from typing import Final
from urllib.parse import quote, quote_plus

BLOT: Final = "[secret]"
_LEFT_OUT: Final = "[…]"

_SHORTEST: Final = 4
"""Shorter secrets are not redacted: they occur in any text."""
_MOST: Final = 256
_WORD_BYTES: Final = 6
"""The shortest match with a user's words that is redacted, in UTF-8: two Chinese characters, or six Latin letters."""
_MOST_CHARACTERS: Final = 1_000

# A line is JSON already: a word may come right after an escaped line break. A JWT begins where a run of its characters
# does, else each `eyJ` in a long one would be tried to the run's end.
_CREDENTIAL: Final = re.compile(
    r"(?i:bearer\s+)[\w.~+/=-]+"
    r"|(?:(?<![\w-])|(?<=\\[bfnrt]))eyJ[\w-]{8,}\.[\w-]+\.[\w-]*"  # a JWT
    r"|(?:\b|(?<=\\[bfnrt]))(?:sk-[\w-]{16,}|yk_[0-9a-f]{16}_[\w-]{43})"  # an API key of a provider, or of ours
    r"|(?i:x-amz-(?:signature|credential|security-token)=)[^&\s\"\\]+(?:#[\w-]+)?"  # with the seal, if it comes last
    r"|#[\w-]{43}\b",  # a seal
    re.ASCII,
)
_OF_ADDRESS: Final = re.compile(r"(?<=://)[^\s/@]+@|(?<=[\w/])\?[^\s'\"]*=[^\s'\"]*")
"""The user and the query of a URL."""

_secrets: Final[OrderedDict[str, None]] = OrderedDict()
"""Every spelling of every secret."""


def conceal(secret: str) -> None:
    """Redact a secret of at least four characters in every log line of this process from now on."""
    if len(secret) < _SHORTEST:
        return
    for spelling in _spellings(secret):
        _secrets[spelling] = None
        _secrets.move_to_end(spelling)
    while len(_secrets) > _MOST:
        _secrets.popitem(last=False)


def without_secrets(text: str) -> str:
    """A text, JSON or not, with concealed secrets and what looks like a credential redacted."""
    for secret in sorted(_secrets, key=len, reverse=True):
        text = text.replace(secret, BLOT)
    return _CREDENTIAL.sub(BLOT, text)


def without_words(text: str, words: Iterable[str]) -> str:
    """The first line of a text, without secrets, queries of URLs, and what of it stands in these words as well."""
    text = _OF_ADDRESS.sub(_LEFT_OUT, without_secrets(text[: 4 * _MOST_CHARACTERS])).partition("\n")[0]
    raw = text[:_MOST_CHARACTERS].encode(errors="replace")
    pieces = {raw[at : at + _WORD_BYTES] for at in range(len(raw) - _WORD_BYTES + 1)}
    theirs = {piece for each in words for piece in _pieces_of(each) if piece in pieces}
    if not theirs:
        return raw.decode()
    is_theirs = bytearray(len(raw))
    for at in range(len(raw) - _WORD_BYTES + 1):
        if raw[at : at + _WORD_BYTES] in theirs:
            is_theirs[at : at + _WORD_BYTES] = b"\1" * _WORD_BYTES
    kept = bytes(0 if is_redacted else byte for byte, is_redacted in zip(raw, is_theirs, strict=True))
    return re.sub("\0+", _LEFT_OUT, kept.decode(errors="replace"))


def _pieces_of(words: str) -> Iterator[bytes]:
    for spelling in dict.fromkeys((words, json.dumps(words)[1:-1])):
        raw = spelling.encode(errors="replace")
        yield from (raw[at : at + _WORD_BYTES] for at in range(len(raw) - _WORD_BYTES + 1))


def _spellings(secret: str) -> Iterator[str]:
    """As it is, in a URL, in Python's words and in JSON; and each of these in a line of JSON."""
    in_urls = quote(secret), quote(secret, safe=""), quote_plus(secret)
    for each in dict.fromkeys((secret, *in_urls, repr(secret)[1:-1], *_in_json(secret))):
        yield each
        yield from _in_json(each)


def _in_json(text: str) -> Iterator[str]:
    yield json.dumps(text)[1:-1]
    yield json.dumps(text, ensure_ascii=False)[1:-1]
