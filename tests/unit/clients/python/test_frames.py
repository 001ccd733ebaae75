"""Server-sent events from bytes, however these are cut."""

import json
import random
from dataclasses import asdict
from itertools import pairwise
from typing import Any

import pytest

from tests.support.paths import ROOT
from yarrow_client.errors import Dropped
from yarrow_client.frames import MAX_FRAME, FrameDecoder

VECTORS = json.loads((ROOT / "clients/sse-vectors.json").read_text(encoding="utf-8"))
STREAMS = {
    entry["name"]: (bytes.fromhex(entry["hex"]) if "hex" in entry else entry["stream"].encode(), entry["frames"])
    for entry in (*VECTORS["sse"], *VECTORS["whatwg"])
}


def decoded(*chunks: bytes) -> list[dict[str, Any]]:
    """The frames, by the fields that they have."""
    decoder = FrameDecoder()
    frames = [asdict(frame) for chunk in chunks for frame in decoder.feed(chunk)]
    return [{name: value for name, value in frame.items() if value is not None} for frame in frames]


def test_a_stream_has_the_same_frames_however_it_is_cut() -> None:
    """EVT-03: It is read whole, byte by byte, in two at each place, and at random."""
    seeded = random.Random(18)
    for name, (stream, frames) in STREAMS.items():
        assert decoded(stream) == frames, name
        assert decoded(*(bytes([number]) for number in stream)) == frames, name
        for size in range(len(stream)):
            assert decoded(stream[:size], stream[size:]) == frames, (name, size)
        for _ in range(20):
            places = sorted(seeded.randint(0, len(stream)) for _ in range(5))
            parts = [stream[start:end] for start, end in pairwise([0, *places, len(stream)])]
            assert decoded(*parts) == frames, (name, places)


def test_a_frame_without_an_end_is_given_up() -> None:
    """What stands between may send anything."""
    decoder = FrameDecoder()
    list(decoder.feed(b"data: " + b"x" * (MAX_FRAME - 6)))
    with pytest.raises(Dropped, match="too large"):
        list(decoder.feed(b"x"))
