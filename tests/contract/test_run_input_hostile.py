"""Bodies that no client of good will sends: each is refused with a Problem, and none breaks anything (ERR-11)."""

import json
from copy import deepcopy
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support.effort import examples
from tests.support.run_bodies import WHOLE, answer, places
from yarrow.protocol.problems import Code, Problem
from yarrow.protocol.run_input.body import read_body

UNREADABLE = {
    "nothing": (b"", "is empty"),
    "a space": (b" ", "is empty"),
    "a word": (b"hello", "is not valid JSON: line 1, column 1"),
    "half an object": (b'{"threadId":', "is not valid JSON: line 1, column 13"),
    "two objects": (b"{}{}", "is not valid JSON: line 1, column 3"),
    "single quotes": (b"{'a':1}", "is not valid JSON: line 1, column 2"),
    "a raw newline in a string": (b'{"a":\n"\n"}', "is not valid JSON: line 2, column 2"),
    "NaN": (b'{"a":NaN}', "is not valid JSON: it has NaN"),
    "Infinity": (b'{"a":Infinity}', "is not valid JSON: it has Infinity"),
    "minus infinity": (b'{"a":-Infinity}', "is not valid JSON: it has -Infinity"),
    "a number beyond all floats": (b'{"a":1e999}', "has a number that is out of range"),
    "an integer of 5,000 digits": (b'{"a":' + b"9" * 5_000 + b"}", "has a number of too many digits"),
    "a lone surrogate in a value": (rb'{"a":"\ud800"}', "has an unpaired surrogate"),
    "a lone surrogate in a name": (rb'{"\udc00":1}', "has an unpaired surrogate"),
    "a name given twice": (b'{"threadId":"a","threadId":"b"}', "has the same name twice in one object"),
    "a name given twice, deep down": (b'{"a":[{"b":{"c":1,"c":1}}]}', "has the same name twice in one object"),
    "an array 201 deep in others": (b"[" * 202 + b"]" * 202, "is nested more than 200 deep"),
    "100,000 nested arrays": (b"[" * 100_000 + b"]" * 100_000, "is nested more than 200 deep"),
    "100,000 arrays never closed": (b"[" * 100_000, "is nested more than 200 deep"),
    "40,000 nested objects": (b'{"a":' * 40_000 + b"1" + b"}" * 40_000, "is nested more than 200 deep"),
    "a byte order mark": (b"\xef\xbb\xbf{}", "begins with a byte order mark"),
    "invalid UTF-8": (b'{"a":"\xff"}', "is not UTF-8"),
    "an overlong encoding": (b'{"a":"\xc0\xaf"}', "is not UTF-8"),
    "a surrogate in UTF-8": (b'{"a":"\xed\xa0\x80"}', "is not UTF-8"),
    "UTF-16": (json.dumps({"a": 1}).encode("utf-16"), "is not UTF-8"),
}


@pytest.mark.parametrize(("raw", "expected"), UNREADABLE.values(), ids=list(UNREADABLE))
def test_what_cannot_be_read_is_a_bad_request_that_says_why(raw: bytes, expected: str) -> None:
    """ERR-11: The response is 400 and quotes nothing of the body."""
    with pytest.raises(Problem) as caught:
        read_body(raw)
    problem = caught.value
    assert (problem.status, problem.code) == (400, Code.REQUEST_INVALID)
    assert problem.detail == f"the request body {expected}"


@pytest.mark.parametrize("raw", [b"[]", b'["threadId"]', b'"x"', b"null", b"true", b"0"])
def test_json_that_is_no_object_is_refused(raw: bytes) -> None:
    """ERR-11."""
    with pytest.raises(Problem) as caught:
        read_body(raw)
    assert (caught.value.status, caught.value.code) == (422, Code.AGENT_RUN_INPUT_INVALID)
    assert caught.value.detail == "RunAgentInput must be an object"


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=20),
    lambda values: st.lists(values, max_size=4) | st.dictionaries(st.text(max_size=12), values, max_size=4),
    max_leaves=12,
)


@given(st.binary(max_size=200))
@settings(max_examples=examples(50), deadline=None)
def test_any_bytes_are_a_problem(raw: bytes) -> None:
    """ERR-11."""
    assert answer(raw) in (400, 422)


@given(JSON)
@settings(max_examples=examples(50), deadline=None)
def test_any_json_is_a_problem(value: Any) -> None:
    """ERR-11."""
    assert answer(json.dumps(value).encode()) == 422


@given(data=st.data())
@settings(max_examples=examples(200), deadline=None)
def test_a_body_with_anything_anywhere_is_accepted_or_a_problem(data: st.DataObject) -> None:
    """ERR-11, RUN-15: up to three members replaced, left out or added, through the common rules and the binding's."""
    sent = deepcopy(WHOLE)
    for _ in range(data.draw(st.integers(1, 3))):
        *parents, last = data.draw(st.sampled_from(places(sent)))
        target = sent
        for parent in parents:
            target = target[parent]
        match data.draw(st.sampled_from(("replace", "leave out", "add"))):
            case "replace":
                target[last] = data.draw(JSON)
            case "leave out":
                del target[last]
            case _ if isinstance(target, list):
                target.append(data.draw(JSON))
            case _:
                target[data.draw(st.text(max_size=8))] = data.draw(JSON)
        if not places(sent):
            break
    assert answer(json.dumps(sent).encode()) in (202, 422)
