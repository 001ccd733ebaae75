"""Protocol Buffers' binary form, read back by the messages that OpenTelemetry has released."""

import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st
from opentelemetry.proto.common.v1.common_pb2 import AnyValue, KeyValue
from opentelemetry.proto.trace.v1.trace_pb2 import Span

from yarrow.formats import protobuf

INT64 = st.integers(-(2**63), 2**63 - 1)


@given(INT64)
def test_an_integer_is_read_as_it_was(value: int) -> None:
    assert AnyValue.FromString(protobuf.integer(3, value)).int_value == value


@given(st.integers(0, 2**64 - 1), st.integers(0, 2**32 - 1))
def test_fixed_numbers_are_read_as_they_were(nanoseconds: int, flags: int) -> None:
    span = Span.FromString(protobuf.fixed64(7, nanoseconds) + protobuf.fixed32(16, flags))
    assert (span.start_time_unix_nano, span.flags) == (nanoseconds, flags)


@given(st.floats(allow_nan=False))
def test_a_double_is_read_as_it_was(value: float) -> None:
    assert AnyValue.FromString(protobuf.double(4, value)).double_value == value


@given(st.text(), st.binary())
def test_texts_and_bytes_are_read_as_they_were(text: str, data: bytes) -> None:
    entry = KeyValue.FromString(protobuf.text(1, text) + protobuf.data(2, protobuf.data(7, data)))
    assert (entry.key, entry.value.bytes_value) == (text, data)


def test_a_text_with_half_a_character_is_sent() -> None:
    assert KeyValue.FromString(protobuf.text(1, "a\ud83d")).key == "a?"


@pytest.mark.parametrize("value", [0, 127, 128, 300, 2**35])
def test_a_varint_has_seven_bits_a_byte(value: int) -> None:
    written = protobuf.varint(value)
    assert len(written) == max(1, -(-value.bit_length() // 7))
    assert sum((byte & 0x7F) << (7 * index) for index, byte in enumerate(written)) == value
    assert [byte >> 7 for byte in written] == [1] * (len(written) - 1) + [0]


def test_numbers_of_a_fixed_size_begin_with_their_lowest_byte() -> None:
    assert protobuf.fixed64(7, 1) == b"\x39" + struct.pack("<Q", 1)
