"""The structs of an input and the models beside them: what one takes the other takes alike."""

import json
from dataclasses import dataclass
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from liuyao.payload import DivinationPayload
from liuyao.plain_cast import plain_cast
from tests.support.example_cast import EXAMPLE
from yarrow.protocol.problems import Code, Problem
from yarrow.protocol.run_input import message_models, messages
from yarrow.protocol.run_input.messages import Kind, read_list

USER: dict[str, Any] = {
    "id": "u",
    "role": "user",
    "content": [{"type": "text", "text": "问"}, {"type": "binary", "mimeType": "image/png"}],
}
CALL: dict[str, Any] = {
    "id": "c",
    "type": "function",
    "function": {"name": "n", "arguments": "{}"},
    "encryptedValue": "e",
}
ASSISTANT: dict[str, Any] = {"id": "a", "role": "assistant", "content": None, "toolCalls": [CALL]}
RESULT: dict[str, Any] = {
    "id": "t",
    "role": "tool",
    "content": "晴",
    "toolCallId": "c",
    "error": "e",
    "metadata": {"a": None},
}
OTHERS: list[dict[str, Any]] = [
    {"id": role, "role": role, "content": "…"} for role in ("system", "developer", "reasoning", "activity")
]
MESSAGES_KIND: Kind = "messages"
VALID: list[tuple[Kind, dict[str, Any]]] = [
    *((MESSAGES_KIND, message) for message in (USER, ASSISTANT, RESULT, *OTHERS)),
    ("results", RESULT),
    ("tools", {"name": "n", "description": "d", "parameters": {"type": "object"}}),
    ("context", {"description": "d", "value": "v"}),
]

MESSAGES = tuple(
    f"{role}Message" for role in ("User", "Assistant", "System", "Developer", "Tool", "Reasoning", "Activity")
)

NAMES = sorted(
    {"id", "role", "type", "name", "content", "text", "data", "url", "filename", "metadata", "error", "function"}
    | {"encryptedValue", "encrypted_value", "toolCalls", "tool_calls", "toolCallId", "tool_call_id", "mimeType"}
    | {"mime_type", "arguments", "parameters", "description", "value", "unknown"}
)
SCALARS = (
    st.none() | st.booleans() | st.integers(-2, 2) | st.sampled_from(["", "user", "tool", "text", "x" * 256, "x" * 257])
)
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.sampled_from(NAMES), inner, max_size=2)
)


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Return the paths of all members and items in a JSON value."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [place for name, item in inner for place in ((*path, name), *places(item, (*path, name)))]


@st.composite
def changed(draw: st.DrawFn, valid: Any) -> Any:
    """A valid value in which up to two members were replaced, removed or added."""
    value = json.loads(json.dumps(valid))
    for _ in range(draw(st.integers(0, 2))):
        *way, last = draw(st.sampled_from(places(value)))
        holder = value
        for step in way:
            holder = holder[step]
        match draw(st.sampled_from(["replace", "remove", "add"])):
            case "replace":
                holder[last] = draw(VALUES)
            case "remove":
                del holder[last]
            case _ if isinstance(holder, dict):
                holder[draw(st.sampled_from(NAMES))] = draw(VALUES)
        if not places(value):
            break
    return value


@dataclass(frozen=True)
class Read:
    """What a list was read as, or how it was refused."""

    items: Any = None
    refusal: Any = None


def by_models(kind: Kind, value: Any) -> Read:
    """The list as pydantic alone reads it."""
    try:
        items = message_models.respelt(kind, value, "path", Code.AGENT_RUN_INPUT_INVALID)
    except Problem as problem:
        return Read(refusal=(problem.code, problem.detail, problem.params))
    return Read(items)


def by_structs(kind: Kind, value: Any) -> Read:
    """The list as the structs read it, or what the models say of it."""
    try:
        items = read_list(kind, value, "path", Code.AGENT_RUN_INPUT_INVALID)
    except Problem as problem:
        return Read(refusal=(problem.code, problem.detail, problem.params))
    return Read(msgspec.to_builtins(items))


@pytest.mark.parametrize(("kind", "valid"), VALID)
@given(data=st.data())
def test_structs_read_what_the_models_read_and_refuse_what_they_refuse(
    kind: Kind, valid: dict[str, Any], data: st.DataObject
) -> None:
    """RUN-02, MSG-01 … MSG-07, TOOL-01, TOOL-02: with the same values, in the same words."""
    value = data.draw(changed([valid]))
    assert by_structs(kind, value) == by_models(kind, value)


@pytest.mark.parametrize(("kind", "valid"), VALID)
def test_what_is_spelt_as_documented_is_read_without_models(
    kind: Kind, valid: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else a first request builds every model."""
    monkeypatch.setattr(message_models, "respelt", None)
    assert read_list(kind, [valid], "path", Code.AGENT_RUN_INPUT_INVALID)


@pytest.mark.parametrize(("kind", "valid"), VALID)
def test_a_message_is_written_as_its_model_writes_it(kind: Kind, valid: dict[str, Any]) -> None:
    """The members are stored in this order."""
    if kind in ("messages", "results"):
        (model,) = message_models.ADAPTERS[kind].validate_python([valid])
        (struct,) = read_list(kind, [valid], "path", Code.AGENT_RUN_INPUT_INVALID)
        written = model.model_dump(mode="json", by_alias=True, exclude_none=True)
        assert json.dumps(struct.wire()) == json.dumps(written)


def test_there_is_a_model_for_each_struct_with_the_same_members() -> None:
    """RUN-02."""
    for name in ("TextBlock", "BinaryBlock", "FunctionCall", "ToolCall", "Tool", "ContextEntry", *MESSAGES):
        model, struct = getattr(message_models, name), getattr(messages, name)
        assert set(model.model_fields) - {"role", "type"} == set(struct.__struct_fields__) - {"type"}


TEXTS = st.sampled_from(["", " ", "事业", "x" * 32, "x" * 33, "x" * 300, "x" * 301, "少阳", "手动起卦"])
TIMES = st.sampled_from(
    ["2026-04-03T20:30:00+08:00", "2026-04-03t12:30:00.5z", "1899-12-31T23:59:59Z", "2100-12-31T23:59:60Z"]
)
OF_A_CAST = {
    "divinationMethod": TEXTS,
    "questionType": TEXTS,
    "question": TEXTS,
    "divinationTimeIso": TIMES,
    "yaoLines": st.lists(st.sampled_from(["少阳", "老阴", "阳", 7]), min_size=5, max_size=7),
    "divination_method": TEXTS,
    "more": TEXTS,
}


@given(data=st.data())
def test_a_plain_cast_is_what_its_payload_is(data: st.DataObject) -> None:
    """What is taken without a model, the model takes as the same cast."""
    changes = data.draw(st.fixed_dictionaries({}, optional=OF_A_CAST))
    left_out = data.draw(st.sets(st.sampled_from(sorted(OF_A_CAST)), max_size=1))
    value = {name: member for name, member in {**EXAMPLE, **changes}.items() if name not in left_out}
    plain = plain_cast(value)
    if plain is not None:
        assert json.dumps(plain) == json.dumps(DivinationPayload.model_validate(value).model_dump(mode="json"))


def test_the_example_is_a_plain_cast() -> None:
    """What clients of today send needs no model."""
    assert plain_cast(dict(EXAMPLE)) is not None
