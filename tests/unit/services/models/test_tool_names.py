"""Any name of a tool is mapped to one that a provider takes, and back (C44)."""

import re

from hypothesis import given
from hypothesis import strategies as st

from yarrow.protocol.runner.api import FunctionCall, ModelMessage, ModelReply, ModelTool, ModelToolCall
from yarrow.services.models.call import ChatMessage, ModelCall, ModelOptions
from yarrow.services.models.tool_names import ANSWER, ToolNames

TAKEN = re.compile(r"[a-zA-Z0-9_-]{1,64}")
NAMES = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=80) | st.sampled_from(
    ["files.read", "files_read", "查天气", "查天氣", "a b", "x" * 64, "x" * 65, "x" * 256, ANSWER, "._-", "tool\n"]
)


def calling(name: str, call_id: str = "c") -> ModelToolCall:
    return ModelToolCall(id=call_id, function=FunctionCall(name=name, arguments="{}"))


def call_with(*names: str, called: tuple[str, ...] = ()) -> ModelCall:
    """A request with these tools, some of which were called and have answered."""
    messages = [ChatMessage("user", ("hi",))]
    for name in called:
        messages.append(ChatMessage("assistant", (), (calling(name),)))
        messages.append(ChatMessage("tool", ("ok",), (), "c", name))
    return ModelCall(tuple(messages), tuple(ModelTool(name=name, description="d") for name in names), ModelOptions())


def to_provider(*names: str) -> list[str]:
    call = call_with(*names)
    return [tool.name for tool in ToolNames.of(call).to_provider(call).tools]


@given(st.lists(NAMES, unique=True, max_size=8), st.data())
def test_every_name_is_mapped_and_found_again(names: list[str], data: st.DataObject) -> None:
    """C44: each to one of its own, the same in calls and results, and a reply is in the tools' own names."""
    called = tuple(data.draw(st.lists(NAMES, max_size=4)))
    call = call_with(*names, called=called)
    mapped = ToolNames.of(call)
    sent = mapped.to_provider(call)
    shown = [tool.name for tool in sent.tools]
    assert all(TAKEN.fullmatch(name) and name != ANSWER for name in shown)
    assert len(set(shown)) == len(names)
    for name, message, answer in zip(called, sent.messages[1::2], sent.messages[2::2], strict=True):
        assert message.tool_calls[0].function.name == answer.tool_name
        assert name not in names or answer.tool_name == shown[names.index(name)]
    reply = ModelReply(message=ModelMessage(role="assistant", tool_calls=tuple(map(calling, shown))))
    assert [call.function.name for call in mapped.from_provider(reply).message.tool_calls] == names


@given(st.lists(NAMES, unique=True, min_size=1, max_size=6))
def test_a_name_is_the_same_in_every_turn(names: list[str]) -> None:
    """C44: whatever other tools are offered with it; a name that is taken stays as it is."""
    for name, mapped in zip(names, to_provider(*names), strict=True):
        assert to_provider(name) == [mapped]
        assert (mapped == name) is (TAKEN.fullmatch(name) is not None and name != ANSWER)


def test_names_that_would_be_the_same_are_kept_apart() -> None:
    """C44: a client may name a tool as another one is mapped."""
    (mapped,) = to_provider("files.read")
    assert mapped.startswith("files_read_")
    both = to_provider("files.read", mapped)
    assert both[1] == mapped
    assert len(set(both)) == 2
    assert to_provider(mapped, "files.read") == both[::-1]


def test_the_model_is_told_the_own_name_of_a_tool_in_words() -> None:
    """C44: of 查天气 nothing is left in the name it is called by."""
    call = call_with("查天气", "look")
    odd, plain = ToolNames.of(call).to_provider(call).tools
    assert (odd.description, plain.description) == ("查天气: d", "d")


def test_a_name_that_a_model_made_up_stays_as_it_is() -> None:
    """RNR-52."""
    reply = ModelReply(message=ModelMessage(role="assistant", tool_calls=(calling("nowhere"),)))
    assert ToolNames.of(call_with("look")).from_provider(reply) == reply
