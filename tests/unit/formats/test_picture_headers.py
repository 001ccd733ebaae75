"""The type and size of a picture, by its first bytes."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.paths import ROOT
from tests.support.small_pictures import gif, jpeg, png, webp
from yarrow.formats.picture_headers import header_of

PICTURES = {
    "png": (png(300, 7), ("image/png", 300, 7)),
    "jpeg": (jpeg(300, 7), ("image/jpeg", 300, 7)),
    "gif": (gif(300, 7), ("image/gif", 300, 7)),
    "lossy": (webp(b"VP8 ", 300, 7), ("image/webp", 300, 7)),
    "lossless": (webp(b"VP8L", 300, 7), ("image/webp", 300, 7)),
    "extended": (webp(b"VP8X", 300, 7), ("image/webp", 300, 7)),
}


@pytest.mark.parametrize("kind", PICTURES)
def test_a_header_says_type_and_size(kind: str) -> None:
    data, expected = PICTURES[kind]
    assert header_of(data) == expected


def test_a_picture_of_a_browser_is_read() -> None:
    found = header_of((ROOT / "docs" / "images" / "console-light.png").read_bytes())
    assert found is not None
    assert (found.mime_type, found.width) == ("image/png", 1280)


@pytest.mark.parametrize("data", [png(0, 5), jpeg(5, 0), gif(0, 0), webp(b"VP8 ", 0, 1)])
def test_a_picture_without_pixels_is_none(data: bytes) -> None:
    assert header_of(data) is None


@given(st.sampled_from([data for data, _ in PICTURES.values()]), st.data())
def test_no_bytes_fail_it(whole: bytes, chosen: st.DataObject) -> None:
    """Cut or changed anywhere, a picture is read as one of its type, or as none."""
    cut = whole[: chosen.draw(st.integers(0, len(whole)))]
    changed = bytearray(whole)
    changed[chosen.draw(st.integers(0, len(whole) - 1))] = chosen.draw(st.integers(0, 255))
    for data in (cut, bytes(changed)):
        found, right = header_of(data), header_of(whole)
        assert right is not None
        assert found is None or found.mime_type == right.mime_type


@given(st.binary(max_size=64))
def test_bytes_that_are_no_picture_are_none(data: bytes) -> None:
    assert header_of(b"<svg" + data) is None
