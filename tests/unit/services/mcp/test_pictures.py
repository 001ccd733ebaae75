"""Which pictures of MCP servers a model may see, and what it reads beside them (MCP-01)."""

import json
from typing import Any

import pytest

from tests.support.small_pictures import gif, image, in_base64, jpeg, png, webp
from yarrow.services.mcp.pictures import MAX_PICTURE_BYTES, MAX_PICTURES, MAX_SIDE, KeptPicture, found_in
from yarrow.services.mcp.results import contents_of, result_of

LINE = "(image left out, for it cannot be opened here)"
PNG = png()


@pytest.mark.parametrize(
    ("data", "declared", "mime_type"),
    [
        (PNG, "image/png", "image/png"),
        (PNG, "IMAGE/PNG; charset=binary", "image/png"),
        (jpeg(2, 2), "image/jpeg", "image/jpeg"),
        (jpeg(2, 2), "image/jpg", "image/jpeg"),
        (gif(2, 2), "image/gif", "image/gif"),
        (webp(b"VP8 ", 2, 2), "image/webp", "image/webp"),
    ],
)
def test_a_picture_of_the_type_that_it_says_is_found(data: bytes, declared: str, mime_type: str) -> None:
    (picture,) = found_in([image(data, declared)]).values()
    assert (picture.data, picture.mime_type) == (data, mime_type)


def test_a_picture_in_a_resource_is_one() -> None:
    resource = {"uri": "file:///a.png", "mimeType": "image/png", "blob": in_base64(PNG)}
    assert [picture.data for picture in found_in([{"type": "resource", "resource": resource}]).values()] == [PNG]


LIES: dict[str, dict[str, Any]] = {
    "another type": image(PNG, "image/jpeg"),
    "a page": image(b"<!DOCTYPE html><script>alert(1)</script>"),
    "a script in SVG": image(b'<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>', "image/svg+xml"),
    "a page after the first bytes of a PNG": image(b"\x89PNG\r\n\x1a\n<html>"),
    "no type": {"type": "image", "data": in_base64(PNG)},
    "a type that is none": image(PNG, "image"),
    "no bytes": image(b""),
    "base64 with line breaks": {"type": "image", "data": in_base64(PNG) + "\n", "mimeType": "image/png"},
    "base64 for URLs": {"type": "image", "data": in_base64(PNG).replace("/", "_") + "_", "mimeType": "image/png"},
    "base64 with more after its end": {"type": "image", "data": "aa==" + in_base64(PNG), "mimeType": "image/png"},
    "no base64": {"type": "image", "data": "图", "mimeType": "image/png"},
    "data that is no text": {"type": "image", "data": [1, 2], "mimeType": "image/png"},
    "too many bytes": image(PNG + bytes(MAX_PICTURE_BYTES)),
    "a bomb: few bytes, many pixels": image(png(50_000, 50_000, rows=1)),
    "one side too many": image(png(MAX_SIDE + 1, 1)),
}


@pytest.mark.parametrize("lie", LIES)
def test_a_picture_that_lies_is_named_and_left_out(lie: str) -> None:
    """The result goes on without it."""
    blocks = [{"type": "text", "text": "Here it is:"}, LIES[lie]]
    assert found_in(blocks) == {}
    assert result_of({"content": blocks}) == f"Here it is:\n{LINE}"


def test_the_largest_picture_is_found() -> None:
    assert len(found_in([image(png(MAX_SIDE, 1) + bytes(MAX_PICTURE_BYTES - len(png(MAX_SIDE, 1))))])) == 1


def test_a_result_has_so_many_pictures() -> None:
    found = found_in([*[{"type": "text", "text": "a"}] * 3, *[image(PNG)] * (MAX_PICTURES + 1)])
    assert list(found) == [3, 4, 5, 6]


BLOCKS = [
    {"type": "text", "text": "Before"},
    image(PNG),
    image(b"no"),
    image(PNG),
    {"type": "text", "text": "After"},
]
KEPT = {1: KeptPicture("art_1", "image/png"), 3: KeptPicture("art_2", "image/png")}


class TestWhatTheModelReads:
    def test_pictures_follow_the_text_which_names_them(self) -> None:
        text, *pictures = contents_of({"content": BLOCKS}, KEPT)
        assert text == {"type": "text", "text": f"Before\n(image 1)\n{LINE}\n(image 2)\nAfter"}
        assert [picture["artifact_id"] for picture in pictures] == ["art_1", "art_2"]

    def test_a_runner_that_shows_none_is_told_that_they_are_left_out(self) -> None:
        assert result_of({"content": BLOCKS}) == "\n".join(["Before", LINE, LINE, LINE, "After"])

    def test_structured_content_is_beside_them(self) -> None:
        answer = {"content": BLOCKS[:2], "structuredContent": {"width": 2}, "isError": True}
        text, _ = contents_of(answer, {1: KEPT[1]})
        assert json.loads(text["text"]) == {"error": "Before\n(image 1)", "structuredContent": {"width": 2}}

    def test_without_pictures_there_are_no_parts(self) -> None:
        assert contents_of({"content": BLOCKS}, {}) == ()
