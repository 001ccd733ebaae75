"""What a model reads of the result of an MCP tool (MCP-01)."""

import json
from typing import Any

import pytest

from yarrow.services.mcp.results import result_of
from yarrow.services.tools.registry import MAX_RESULT_BYTES

LEFT_OUT = "({kind} left out, for it cannot be opened here)"


def text(*lines: str) -> list[dict[str, Any]]:
    return [{"type": "text", "text": line} for line in lines]


def answer(content: Any, structured: Any = None, **members: Any) -> dict[str, Any]:
    return {"content": content, **({} if structured is None else {"structuredContent": structured}), **members}


@pytest.mark.parametrize(
    ("content", "structured"),
    [
        ([], {"sum": 3}),
        (text('{"sum": 3}'), {"sum": 3}),
        (text('{\n  "b": [1, 2],\n  "a": 1\n}'), {"a": 1, "b": [1, 2]}),
        (text("3"), {"result": 3}),
        (text("3"), {"sum": 3}),
        (text("hello"), {"result": "hello"}),
        (text("a", "b"), {"result": ["a", "b"]}),
        (text('{"n": 1}', '{"n": 2}'), {"result": [{"n": 1}, {"n": 2}]}),
        (text("[]"), []),
    ],
)
def test_a_text_that_only_repeats_the_structured_content_is_left_out(content: Any, structured: Any) -> None:
    """Servers should repeat it for older clients; a model pays for each time."""
    assert result_of(answer(content, structured)) == structured


@pytest.mark.parametrize(
    ("content", "structured", "expected"),
    [
        (text("It is warm."), {"celsius": 24}, "It is warm."),
        (text('{"celsius": 23}'), {"celsius": 24}, '{"celsius": 23}'),
        (text("1"), {"result": True}, "1"),
        (text("a", "c"), {"result": ["a", "b"]}, "a\nc"),
        (text('{"a": 1}', "And more."), {"a": 1}, '{"a": 1}\nAnd more.'),
        ([{"type": "image", "data": "AAAA", "mimeType": "image/png"}], {"a": 1}, LEFT_OUT.format(kind="image")),
    ],
)
def test_content_and_structured_content_both_reach_the_model(content: Any, structured: Any, expected: str) -> None:
    assert result_of(answer(content, structured)) == {"content": expected, "structuredContent": structured}


def test_a_failed_call_keeps_its_structured_content() -> None:
    failed = answer(text("no such place"), {"nearest": "Berlin"}, isError=True)
    assert result_of(failed) == {"error": "no such place", "structuredContent": {"nearest": "Berlin"}}
    assert result_of(answer([], isError=True)) == {"error": "the tool failed"}


@pytest.mark.parametrize(
    ("mime_type", "kind"),
    [("image/png", "image"), ("AUDIO/wav", "audio"), ("video/mp4", "video"), ("application/pdf", "resource")],
)
def test_a_file_in_a_resource_is_named_as_what_it_is(mime_type: str, kind: str) -> None:
    resource = {"uri": "file:///a", "mimeType": mime_type, "blob": "AAAA"}
    assert result_of(answer([{"type": "resource", "resource": resource}])) == LEFT_OUT.format(kind=kind)


@pytest.mark.parametrize(
    ("words", "values", "keeps"),
    [
        (10, 30_000, {"words"}),
        (100_000, 3, {"values"}),
        (100_000, 30_000, set()),
        (60_000, 3_000, {"values"}),
    ],
)
@pytest.mark.parametrize("is_error", [False, True])
def test_each_of_both_is_cut_where_they_are_too_large_together(
    words: int, values: int, keeps: set[str], *, is_error: bool
) -> None:
    """Neither takes the other's place, whatever the server sends."""
    said, structured = "字" * (words // 3), {"values": list(range(values))}
    result = result_of(answer(text(said), structured, isError=is_error))
    assert len(json.dumps(result, ensure_ascii=False, separators=(",", ":")).encode()) <= MAX_RESULT_BYTES
    name = "error" if is_error else "content"
    for found, whole in ((result[name], said), (result["structuredContent"], structured)):
        assert found == whole or (found["truncated"] and len(found["beginning"]) > 1_000)
    assert (result[name] == said) is ("words" in keeps)
    assert (result["structuredContent"] == structured) is ("values" in keeps)


@pytest.mark.parametrize("content", [None, "text", 7, [None, 7, [], {}, {"type": 7}, {"type": "text", "text": 7}]])
def test_content_that_is_none_is_no_text(content: Any) -> None:
    assert not str(result_of(answer(content))).strip().replace(LEFT_OUT.format(kind="text"), "")
