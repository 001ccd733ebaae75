"""What a model thought, as text and an opaque value with which it goes back to the same model.

The value has the ids and signatures of the provider, and digests of the model's name and of the text, but no text:
clients keep it as `encryptedValue` beside the text.
"""

import base64
import binascii
import hashlib
import json
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final

from pydantic_ai.messages import ModelResponsePart, TextPart, ThinkingPart

from yarrow.protocol.runner.api import ModelReasoning
from yarrow.protocol.runner.vocabulary import REASONING_PREFIX

BETWEEN: Final = "\n\n"
"""Separates the texts of adjoining parts."""

_DIGEST_LENGTH: Final = 16


def reasoning_of(parts: Iterable[ModelResponsePart], model: str) -> tuple[ModelReasoning, ...]:
    """Return the thoughts of an answer of `model` (PROVIDER:MODEL); adjoining ones are joined."""
    found: list[ModelReasoning] = []
    adjoining: list[ThinkingPart] = []
    before = 0
    for part in (*parts, None):
        if isinstance(part, ThinkingPart):
            adjoining += [part] if part.content or part.signature else []
        elif not isinstance(part, TextPart) or part.content:
            found += [_joined(adjoining, model, before)] if adjoining else []
            adjoining = []
            before += len(part.content) if isinstance(part, TextPart) else 0
    return tuple(found)


def parts_of(reasoning: Iterable[ModelReasoning], model: str) -> Iterator[tuple[int, ThinkingPart]]:
    """Yield the parts for a request to `model`, each with the length of the message's text before it.

    They are as the model made them; foreign ones have the text only. What another model made, and what its client
    changed, is left out.
    """
    for thought in reasoning:
        if thought.encrypted_value is None or not thought.encrypted_value.startswith(REASONING_PREFIX):
            if thought.content:
                yield 0, ThinkingPart(thought.content)
        else:
            yield from _opened(thought.content, thought.encrypted_value, model)


def _joined(parts: Sequence[ThinkingPart], model: str, before: int) -> ModelReasoning:
    content = BETWEEN.join(part.content for part in parts if part.content)
    takes_back = any(part.provider_name for part in parts)
    kept = [
        [len(part.content), part.id, part.signature, part.provider_name, part.provider_details or None]
        for part in parts
        if takes_back
    ]
    value = json.dumps([_digest(model), _digest(content), before, kept], separators=(",", ":"), default=str)
    return ModelReasoning(
        content=content, encrypted_value=REASONING_PREFIX + base64.urlsafe_b64encode(value.encode()).decode()
    )


def _opened(content: str, value: str, model: str) -> list[tuple[int, ThinkingPart]]:
    """Decode a client's value; the list is empty if it is malformed or not for this model and text."""
    try:
        made_by, made_text, before, kept = json.loads(base64.urlsafe_b64decode(value.removeprefix(REASONING_PREFIX)))
        if made_by != _digest(model) or made_text != _digest(content) or not _is_count(before):
            return []
        parts: list[tuple[int, ThinkingPart]] = []
        at = 0
        for length, part_id, signature, provider, details in kept:
            if not _is_valid(length, part_id, signature, provider, details):
                return []
            text = content[at : at + length]
            at += length + len(BETWEEN) if length else 0
            made = {"id": part_id, "signature": signature, "provider_name": provider, "provider_details": details}
            parts.append((before, ThinkingPart(text, **made)))
    except (ValueError, TypeError, binascii.Error, RecursionError):
        return []
    return parts


def _is_valid(length: Any, part_id: Any, signature: Any, provider: Any, details: Any) -> bool:
    texts = all(member is None or isinstance(member, str) for member in (part_id, signature, provider))
    return _is_count(length) and texts and (details is None or isinstance(details, dict))


def _is_count(value: Any) -> bool:
    return type(value) is int and value >= 0


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:_DIGEST_LENGTH]
