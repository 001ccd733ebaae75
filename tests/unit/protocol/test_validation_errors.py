"""The table of reasons, held against every model that reads a request: each of them is broken in every place."""

import json
import re
from collections.abc import Callable, Iterator
from copy import deepcopy
from typing import Any

import pytest
from pydantic import TypeAdapter, ValidationError

from liuyao.payload import DivinationPayload
from tests.support.example_cast import EXAMPLE
from tests.support.run_bodies import PICTURE, user
from yarrow.protocol import validation_errors
from yarrow.protocol.automation.job import JobFields
from yarrow.protocol.files.upload_request import UploadRequest
from yarrow.protocol.run_input.message_models import ADAPTERS
from yarrow.protocol.validation_errors import _REASONS

SECRET = "what-nobody-may-read"

CALL = {"id": "c", "type": "function", "function": {"name": "f", "arguments": "{}"}}
MESSAGES = [
    user("?", name="n", encryptedValue="e"),
    user([{"type": "text", "text": "?"}, dict(PICTURE)]),
    {"id": "a", "role": "assistant", "content": "!", "toolCalls": [CALL]},
    {"id": "t", "role": "tool", "content": "", "toolCallId": "c", "error": "e"},
    {"id": "r", "role": "reasoning", "content": {}},
]
UPLOAD = {"threadId": "t", "mimeType": "image/png", "filename": "f"}

JOB = {
    "inputTemplate": "?",
    "schedule": {"type": "weekly", "runAt": {"hour": 9, "minute": 0}, "weekdays": [1, 2], "endDate": "2026-12-24"},
    "timezone": "Asia/Shanghai",
}

Read = Callable[[Any], object]
MODELS: dict[str, tuple[Read, Any]] = {
    "messages": (ADAPTERS["messages"].validate_python, MESSAGES),
    "tools": (
        ADAPTERS["tools"].validate_python,
        [{"name": "t", "description": "", "parameters": {"a": 1}}],
    ),
    "context": (ADAPTERS["context"].validate_python, [{"description": "", "value": ""}]),
    "cast": (DivinationPayload.model_validate, EXAMPLE),
    "job": (JobFields.model_validate, JOB),
    "job by cron": (JobFields.model_validate, JOB | {"schedule": {"type": "cron", "cron": "0 9 * * 1-5"}}),
    "upload": (
        lambda sent: UploadRequest.model_validate_json(sent if isinstance(sent, str) else json.dumps(sent)),
        UPLOAD,
    ),
}
"""What reads each kind of document, and one that has every member."""

WRONG: list[Any] = [
    *(None, True, 0, -1.5, 2**70, [], {}, [1], {"a": 1}, [None], ["少阳"] * 7),
    *("", " ", SECRET, SECRET * 100, "\0", "\ud800", "'", "{", "{}", "{0}", "1899-12-31T00:00:00Z"),
    *("2026-04-03", "2026-13-01T00:00:00Z", "2026-02-30T00:00:00Z", "0000-01-01T00:00:00Z", "9999-12-31T23:59:60Z"),
    *("* * * * *", [1] * 40),
    *("2026-01-01T00:00:60Z", "2026-01-01T00:00:61Z", "2026-01-01T00:60:00Z", "20260101T000000Z"),
    {"type": SECRET},
    {"role": SECRET},
    {SECRET: 1, "type": "text"},
]


def places(value: Any, at: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield the place of a document and of everything in it."""
    yield at
    members = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for name, member in members:
        yield from places(member, (*at, name))


def broken(document: Any) -> Iterator[Any]:
    """Yield the document with something else in each place, with nothing there, and with something more."""
    for *parents, last in filter(None, places(document)):
        for wrong in (*WRONG, KeyError):
            copy = deepcopy(document)
            inner = copy
            for parent in parents:
                inner = inner[parent]
            if wrong is KeyError:
                del inner[last]
            else:
                inner[last] = wrong
            yield copy
        if isinstance(inner, dict):
            inner[SECRET] = 1
            yield copy
    yield from WRONG


def faults(read: Read, document: Any) -> Iterator[tuple[str, str]]:
    """Type and reason of every fault that the model finds in broken documents."""
    for sent in broken(document):
        try:
            read(sent)
        except ValidationError as error:
            yield from ((fault["type"], validation_errors.reason(fault)) for fault in validation_errors.faults(error))


@pytest.fixture(scope="module")
def found() -> list[tuple[str, str]]:
    return [fault for read, document in MODELS.values() for fault in faults(read, document)]


def test_every_error_that_a_model_can_raise_has_its_row_and_every_row_its_error(found: list[tuple[str, str]]) -> None:
    """ERR-01, ERR-09."""
    assert {kind for kind, _ in found} == set(_REASONS)


PYTHON = re.compile(
    r"\b(dict|dictionary|list|tuple|None|NoneType|str|int|float|bool|True|False|instance|class|pydantic|isoformat"
    r"|Value error|value_error|Input|union|discriminator|model|expected tags|[A-Z]\w*(Payload|Request|Message|Block))\b"
    r"|[{}]|'"
)


def test_a_reason_speaks_of_json_alone_and_tells_nothing_of_what_was_sent(found: list[tuple[str, str]]) -> None:
    """ERR-01, SEC-05."""
    for kind, reason in set(found):
        assert reason, kind
        assert SECRET not in reason, kind
        patterns = reason.partition(" pattern ")[0]
        assert PYTHON.search(patterns) is None, (kind, reason)


def test_an_error_without_a_row_is_told_as_no_more_than_one() -> None:
    """ERR-12: a model that begins to raise another does not fail its requests."""
    with pytest.raises(ValidationError) as caught:
        TypeAdapter(complex).validate_python("i")
    (fault,) = validation_errors.faults(caught.value)
    assert fault["type"] not in _REASONS
    assert validation_errors.reason(fault) == "is not valid"
