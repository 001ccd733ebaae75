"""The short way of a piece of text: it comes to the same as the long one."""

from typing import Any

from hypothesis import example, given
from hypothesis import strategies as st

from yarrow.formats import foreign_json
from yarrow.worker.results import parsing, payloads

TEXT = st.text('爻a"\\\n\x00\x7f😀\ud83d\ude00\ud800', max_size=4)
ANY = TEXT | st.none() | st.booleans() | st.integers() | st.binary(max_size=1) | st.lists(st.none(), max_size=1)


class Text(str):
    """Is equal to whatever it is compared with."""

    __hash__ = str.__hash__

    def __eq__(self, _: object) -> bool:
        return True


@given(
    st.fixed_dictionaries(
        {}, optional={"content": TEXT | ANY, "role": st.just("assistant") | ANY, "is_final": ANY, "tool_calls": ANY}
    ),
    st.dictionaries(st.sampled_from(["x", "metadata"]), ANY, max_size=1),
)
@example({"content": "x", "role": Text("tool")}, {})
@example({"content": Text("x")}, {})
def test_a_plain_piece_is_what_the_long_way_makes_of_it(chunk: dict[str, Any], others: dict[str, Any]) -> None:
    """RNR-33, RNR-42: same text, same end, at least the same size; where they might differ there is no short way."""
    data = {"chunk": chunk, **others}
    plain = parsing.plain_delta(data)
    if plain is None:
        return
    text = foreign_json.dumps(data)
    payload = parsing.read("message.delta", text)
    assert isinstance(payload, payloads.MessageDelta)
    assert (plain.content, plain.is_final) == (payload.chunk.content, payload.chunk.is_final)
    assert len(text.encode()) <= plain.size <= len(text.encode()) + 40


def test_the_pieces_of_every_model_go_the_short_way() -> None:
    """Else the test above would show nothing."""
    assert parsing.plain_delta({"chunk": {"role": "assistant", "content": "爻"}}) is not None
    assert parsing.plain_delta({"chunk": {"content": "", "is_final": True}}) is not None
    assert parsing.plain_delta({"chunk": {"content": "\ud800"}}) is None
    assert parsing.plain_delta({"chunk": {"content": "x" * payloads.MAX_RESULT_BYTES}}) is None
