"""Every text is read once, whichever way it is streamed."""

from collections.abc import Sequence
from itertools import accumulate

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from yarrow.runners.langbot.deltas import DeltaReader, DeltaSemantics

# Few letters: texts that repeat themselves are where it is easy to go wrong.
PIECES = st.lists(st.text("ab 哈", min_size=1, max_size=4), min_size=1, max_size=8)
SEGMENTS = st.lists(PIECES, min_size=1, max_size=4)


def snapshots(pieces: Sequence[str]) -> list[str]:
    return list(accumulate(pieces))


def read(reader: DeltaReader, chunks: Sequence[str], *, last_is_final: bool = True) -> str:
    last = len(chunks) - 1
    return "".join(reader.read(chunk, is_final=last_is_final and index == last) for index, chunk in enumerate(chunks))


@settings(deadline=None)
@given(SEGMENTS)
def test_pieces_are_appended_when_they_are_said_to_be_pieces(segments: list[list[str]]) -> None:
    """RNR-34, C17."""
    reader = DeltaReader("incremental")
    assert "".join(read(reader, pieces) for pieces in segments) == "".join(map("".join, segments))


@settings(deadline=None)
@given(PIECES, st.data())
def test_snapshots_of_a_run_are_read_once_however_often_each_is_sent(pieces: list[str], data: st.DataObject) -> None:
    """RNR-34, C17."""
    sent = [snapshot for snapshot in snapshots(pieces) for _ in range(data.draw(st.integers(1, 2)))]
    assert read(DeltaReader("cumulative"), sent) == "".join(pieces)


@settings(deadline=None)
@given(SEGMENTS)
def test_snapshots_of_a_run_are_read_once_across_final_chunks_and_tool_calls(segments: list[list[str]]) -> None:
    """RNR-29, C17: as a runner sends them that repeats all it said before its tool calls."""
    for semantics in ("cumulative", "auto"):
        reader, text, output = DeltaReader(semantics), "", ""
        for pieces in segments:
            output += read(reader, [text + snapshot for snapshot in snapshots(pieces)])
            text += "".join(pieces)
            reader.pause()
        assert output == text


@settings(deadline=None)
@given(SEGMENTS, st.booleans())
def test_snapshots_of_segments_are_read_once(segments: list[list[str]], final: bool) -> None:
    """RNR-29, C17: a segment ends with its final chunk or before a tool call."""
    reader, text = DeltaReader("segmented"), ""
    for pieces in segments:
        text += read(reader, snapshots(pieces), last_is_final=final)
        if not final:
            reader.pause()
    assert text == "".join(map("".join, segments))


@settings(deadline=None)
@given(PIECES)
def test_a_sender_of_snapshots_is_found_out(pieces: list[str]) -> None:
    """C17: whatever the text, if each snapshot adds to the one before; the last may be sent twice."""
    sent = snapshots(pieces)
    assert read(DeltaReader(), [*sent, sent[-1]]) == sent[-1]


@settings(deadline=None)
@given(SEGMENTS)
def test_a_sender_of_snapshots_of_segments_is_found_out(segments: list[list[str]]) -> None:
    """RNR-29, C17: if no segment begins with all that was said, which nobody could tell from repeating it."""
    marked = [[chr(ord("一") + index), *pieces] for index, pieces in enumerate(segments)]
    reader = DeltaReader()
    assert "".join(read(reader, snapshots(pieces)) for pieces in marked) == "".join(map("".join, marked))


@settings(deadline=None)
@given(PIECES)
def test_a_sender_of_pieces_is_found_out(pieces: list[str]) -> None:
    """C17: if the second piece does not begin with the first, and no piece with a whole text of some length."""
    assume(len(pieces) < 2 or not pieces[1].startswith(pieces[0]))
    assert read(DeltaReader(), pieces, last_is_final=False) == "".join(pieces)


@pytest.mark.parametrize(
    ("chunks", "text"),
    [
        (["a", "a"], "aa"),
        (["哈", "哈", "，好"], "哈哈，好"),
        (["ha", "ha", "ha!"], "hahaha!"),
        (["让我查", "让我查", "让我查一下"], "让我查一下"),
        (["I ", "know ", "I ", "know"], "I know I know"),
        (["Sunny today", "Sunny today"], "Sunny today"),
        (["Hello", "Hello wor", "Hello", "Hello world"], "Hello world"),
        (["It is ", "sunny", " today.", "It is sunny today."], "It is sunny today."),
        (["It is ", "sunny", " today.", "It is sunny today. Bye."], "It is sunny today. Bye."),
        (["It", "It is", "Sorry", "Sorry, no"], "It isSorry, no"),
        (["", "a", "", "ab"], "ab"),
        (["ha", "haha"], "haha"),  # nobody can tell; see the docstring
    ],
)
def test_what_little_can_be_told_of_a_sender_is_told(chunks: list[str], text: str) -> None:
    """RNR-34, C17."""
    assert read(DeltaReader(), chunks, last_is_final=False) == text


def test_one_who_seemed_to_repeat_and_then_appends_is_seen_to_append() -> None:
    """C17: from the second chunk in a row that goes on with nothing."""
    assert read(DeltaReader(), ["1", "10", " men", " or", " or", " or not"]) == "10 men or or or not"


@pytest.mark.parametrize(
    ("semantics", "text"), [("auto", ""), ("cumulative", ""), ("incremental", "ok"), ("segmented", "ok")]
)
def test_a_final_chunk_that_is_sent_again_is_a_new_segment_only_where_that_is_known(
    semantics: DeltaSemantics, text: str
) -> None:
    """RNR-29: after a tool call, `auto` takes it for a repetition."""
    reader = DeltaReader(semantics)
    reader.read("ok", is_final=True)
    reader.pause()
    assert reader.read("ok") == text


def test_a_segment_after_a_final_chunk_may_begin_like_the_one_before() -> None:
    """RNR-29: without a tool call in between, a short beginning is no repetition."""
    reader = DeltaReader()
    assert reader.read("Yes", is_final=True) + reader.read("Yes, it is.") == "YesYes, it is."


def test_an_empty_final_chunk_ends_the_segment() -> None:
    """RNR-29."""
    reader = DeltaReader("segmented")
    reader.read("Yes")
    reader.read("", is_final=True)
    assert reader.read("Yes") == "Yes"


@pytest.mark.parametrize(
    ("whole", "rest"),
    [
        ("Let me check. It is sunny.", "It is sunny."),
        ("It is sunny.", "It is sunny."),
        ("Let me check. ", ""),
        ("Something else", "Something else"),
    ],
)
def test_a_whole_message_does_not_repeat_what_was_said_before_a_tool_call(whole: str, rest: str) -> None:
    """RNR-35."""
    reader = DeltaReader()
    reader.read("Let me check. ")
    reader.pause()
    assert reader.complete(whole) == rest


def test_a_whole_message_does_not_repeat_what_a_final_chunk_had_ended() -> None:
    """RNR-35, RNR-29."""
    reader = DeltaReader()
    reader.read("Let me check. ", is_final=True)
    reader.read("It is ")
    assert reader.complete("Let me check. It is sunny.") == "It is sunny."


def test_a_whole_message_repeats_its_own_pieces() -> None:
    """RNR-35: the host knows what of it was said."""
    reader = DeltaReader()
    reader.read("It is ")
    reader.read("sunny.")
    assert reader.complete("It is sunny.") == "It is sunny."
    assert reader.read("It is sunny.") == "It is sunny."
