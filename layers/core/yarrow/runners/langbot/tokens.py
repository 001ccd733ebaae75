"""Estimates the tokens of a model request, for a context window with a margin.

Four ASCII characters, or one other character, make a token: about right for English, high for Chinese.
"""

import json
from collections.abc import Iterable, Mapping
from typing import Any, Final

from yarrow.runners.langbot.messages import text_of

_ASCII_PER_TOKEN: Final = 4
_PER_MESSAGE: Final = 4
_PER_IMAGE: Final = 1_000


def estimate(messages: Iterable[Mapping[str, Any]], tools: Iterable[Mapping[str, Any]]) -> int:
    total = sum(_of_text(json.dumps(tool, ensure_ascii=False)) for tool in tools)
    for message in messages:
        content, calls = message.get("content"), message.get("tool_calls")
        total += _PER_MESSAGE + _of_text(text_of(content))
        if isinstance(content, list):
            total += _PER_IMAGE * sum(part.get("type") != "text" for part in content)
        if calls:
            total += _of_text(json.dumps(calls, ensure_ascii=False))
    return total


def _of_text(text: str) -> int:
    ascii_characters = sum(character.isascii() for character in text)
    return -(-ascii_characters // _ASCII_PER_TOKEN) + len(text) - ascii_characters
