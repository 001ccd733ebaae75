"""Redacts secrets, credentials and users' words."""

import json
import re
from collections import OrderedDict
from collections.abc import Iterable, Iterator
from typing import Final
from urllib.parse import quote, quote_plus

REDACTED: Final = "[secret]"
_LEFT_OUT: Final = "[…]"

_SHORTEST: Final = 4
"""Shorter secrets occur in any text."""
_MAX_SECRETS: Final = 256
_WORD_BYTES: Final = 6
"""Shortest redacted match, in UTF-8: two Chinese characters or six Latin letters."""
_MAX_CHARACTERS: Final = 1_000

# A line is JSON: a word may follow an escaped line break. A JWT starts at a word's start, since trying each `eyJ` of a
# long word would be slow.
_CREDENTIAL: Final = re.compile(
    r"(?i:bearer\s+)[\w.~+/=-]+"
    r"|(?:(?<![\w-])|(?<=\\[bfnrt]))eyJ[\w-]{8,}\.[\w-]+\.[\w-]*"  # a JWT
    r"|(?:\b|(?<=\\[bfnrt]))(?:sk-[\w-]{16,}|yk_[0-9a-f]{16}_[\w-]{43})"  # an API key of a provider, or of ours
    r"|(?i:x-amz-(?:signature|credential|security-token)=)[^&\s\"\\]+(?:#[\w-]+)?"  # with a final signature
    r"|#[\w-]{43}\b",  # a signature
    re.ASCII,
)
_OF_ADDRESS: Final = re.compile(r"(?<=://)[^\s/@]+@|(?<=[\w/])\?[^\s'\"]*=[^\s'\"]*")
"""User and query of a URL."""

_secrets: Final[OrderedDict[str, None]] = OrderedDict()


def conceal(secret: str) -> None:
    """Redact a secret of at least four characters from now on in this process."""
    if len(secret) < _SHORTEST:
        return
    for spelling in _spellings(secret):
        _secrets[spelling] = None
        _secrets.move_to_end(spelling)
    while len(_secrets) > _MAX_SECRETS:
        _secrets.popitem(last=False)


def without_secrets(text: str) -> str:
    """Return the text without known secrets and anything that looks like a credential."""
    for secret in sorted(_secrets, key=len, reverse=True):
        text = text.replace(secret, REDACTED)
    return _CREDENTIAL.sub(REDACTED, text)


def without_words(text: str, words: Iterable[str]) -> str:
    """Return the first line without secrets, URL queries and anything in `words`."""
    text = _OF_ADDRESS.sub(_LEFT_OUT, without_secrets(text[: 4 * _MAX_CHARACTERS])).partition("\n")[0]
    raw = text[:_MAX_CHARACTERS].encode(errors="replace")
    pieces = {raw[at : at + _WORD_BYTES] for at in range(len(raw) - _WORD_BYTES + 1)}
    theirs = {piece for word in words for piece in _pieces_of(word) if piece in pieces}
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
    """Yield the secret plain, URL-encoded, escaped as in Python and in JSON, and each of these inside JSON."""
    in_urls = quote(secret), quote(secret, safe=""), quote_plus(secret)
    for spelling in dict.fromkeys((secret, *in_urls, repr(secret)[1:-1], *_in_json(secret))):
        yield spelling
        yield from _in_json(spelling)


def _in_json(text: str) -> Iterator[str]:
    yield json.dumps(text)[1:-1]
    yield json.dumps(text, ensure_ascii=False)[1:-1]
