"""Pieces of an answer, whatever a runner means by them: the text comes out whole and once."""

from itertools import accumulate
from typing import Any, get_args

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tests.support.runners.work import DONE, Script, answer, call, completed, delta, faults, texts, work
from yarrow.worker.results.deltas import Deltas, DeltaSemantics, semantics_of
from yarrow.worker.run_options import RunOptions

TOKENS = st.lists(st.text("爻ab ", min_size=1, max_size=3), max_size=6)
SEGMENTS = st.lists(TOKENS.filter(bool), max_size=4)


def texts_of(semantics: DeltaSemantics, *segments: list[str]) -> list[str]:
    deltas = Deltas(semantics)
    texts = []
    for pieces in segments:
        additions = [deltas.add(piece) for piece in pieces]
        assert not any(addition.starts_message for addition in additions)
        texts.append("".join(addition.text for addition in additions))
        deltas.end_segment()
    return texts


@given(SEGMENTS)
def test_incremental_pieces_are_joined(segments: list[list[str]]) -> None:
    """RNR-34, C17."""
    assert texts_of("incremental", *segments) == ["".join(tokens) for tokens in segments]


@given(SEGMENTS, st.sampled_from(["cumulative", "auto"]))
def test_pieces_that_repeat_the_whole_run_add_what_is_new(segments: list[list[str]], semantics: DeltaSemantics) -> None:
    """RNR-34, C17: a runner whose pieces go on from one tool call to the next with all that was said."""
    pieces, before = [], ""
    for tokens in segments:
        pieces.append([before + text for text in accumulate(tokens)])
        before += "".join(tokens)
    assert texts_of(semantics, *pieces) == ["".join(tokens) for tokens in segments]


@given(SEGMENTS, st.sampled_from(["cumulative", "auto"]))
def test_pieces_that_repeat_their_segment_add_what_is_new(segments: list[list[str]], semantics: DeltaSemantics) -> None:
    """RNR-34, C17: a runner whose pieces begin again after a tool call; not with the very words it had said before."""
    before = ""
    for tokens in segments:
        assume(not before or not any(text.startswith(before) for text in accumulate(tokens)))
        before += "".join(tokens)
    assert texts_of(semantics, *(list(accumulate(tokens)) for tokens in segments)) == ["".join(t) for t in segments]


@given(TOKENS)
def test_auto_appends_what_does_not_go_on_from_what_was_said(tokens: list[str]) -> None:
    """RNR-34, C17."""
    assume(not any(token.startswith(text) for token, text in zip(tokens[1:], accumulate(tokens), strict=False)))
    assert texts_of("auto", tokens) == ["".join(tokens)]


@given(TOKENS, st.randoms())
def test_a_cumulative_piece_that_comes_again_or_late_adds_nothing(tokens: list[str], random: Any) -> None:
    """RNR-34."""
    pieces = list(accumulate(tokens))
    disturbed = [item for at, piece in enumerate(pieces) for item in (piece, *random.sample(pieces[: at + 1], 1))]
    assert texts_of("cumulative", disturbed) == ["".join(tokens)]


@given(st.lists(st.text("ab", max_size=4), min_size=1, max_size=8))
def test_the_last_message_is_the_last_that_a_cumulative_runner_meant(pieces: list[str]) -> None:
    """RNR-34: what it takes back stays where it was; the new text is a new message."""
    deltas, messages = Deltas("cumulative"), [""]
    for piece in pieces:
        text, starts_message = deltas.add(piece)
        messages += [""] if starts_message else []
        messages[-1] += text
        assert messages[-1].startswith(piece)


SEGMENT_ENDS: list[tuple[DeltaSemantics, Script, list[str]]] = [
    # All that was said in the run, with a tool call between; and a whole message that repeats the last.
    ("cumulative", [delta("a"), delta("ab"), call("c"), answer("c"), delta("abc"), completed("c")], ["ab", "c"]),
    ("auto", [delta("a"), delta("ab"), call("c"), answer("c"), delta("abc"), DONE], ["ab", "c"]),
    # One whole piece for each segment.
    ("auto", [delta("ab", is_final=True), call("c"), answer("c"), delta("xy", is_final=True), DONE], ["ab", "xy"]),
    ("cumulative", [delta("ab", is_final=True), delta("xy", is_final=True), DONE], ["ab", "xy"]),
    # The final piece repeats all of them.
    ("cumulative", [delta("a"), delta("ab"), delta("ab", is_final=True), completed("ab"), DONE], ["ab"]),
    ("incremental", [delta("a"), delta("b", is_final=True), completed("ab"), DONE], ["ab"]),
    # What a whole message said is known of what follows.
    ("cumulative", [delta("a"), completed("ab"), delta("abc"), DONE], ["ab", "c"]),
    # It takes back what it said.
    ("cumulative", [delta("helo"), delta("hello"), delta("hello!"), DONE], ["helo", "hello!"]),
]


@pytest.mark.parametrize(("semantics", "script", "expected"), SEGMENT_ENDS)
def test_a_segment_ends_with_its_message(semantics: DeltaSemantics, script: Script, expected: list[str]) -> None:
    """RNR-29, RNR-34, RNR-35, C17."""
    done = work(script, options=RunOptions(delta_semantics=semantics))
    assert list(faults(done.events())) == []
    assert list(texts(done.events()).values()) == expected
    assert done.answer.content == expected[-1]


def test_cumulative_pieces_count_for_what_they_add() -> None:
    """RNR-42: a long answer told in cumulative pieces is not too large, though its pieces together are."""
    words = ["爻" * 100] * 500
    done = work([delta(text) for text in accumulate(words)], options=RunOptions(delta_semantics="cumulative"))
    assert done.answer.content == "".join(words)


@pytest.mark.parametrize(
    ("metadata", "semantics"),
    [
        *(({"delta_semantics": arg}, arg) for arg in get_args(DeltaSemantics)),
        ({}, "incremental"),
        ({"delta_semantics": "other"}, "incremental"),
        ({"delta_semantics": ["auto"]}, "incremental"),
    ],
)
def test_a_manifest_says_what_its_pieces_are(metadata: dict[str, Any], semantics: str) -> None:
    """C17, RNR-04."""
    assert semantics_of(metadata) == semantics
