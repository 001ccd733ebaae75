"""The shape of a history snapshot, and the one `divination-run.md` prints."""

import json
from typing import Any, Final, cast, get_args

import jsonschema
import msgspec
import pytest

from liuyao import DivinationPayload, derive
from tools.make_openapi import document
from yarrow.protocol.history import AssistantItem, Snapshot, UserItem
from yarrow.protocol.response_body import to_json
from yarrow_agents.divination.output import ChatOutput, SignLevel

THREAD = "550e8400-e29b-41d4-a716-446655440000"

DESCRIBED: Final = document()

SAMPLE = """
{
"scope": "history_session_full",
"threadId": "uuid|null",
"day": null,
"hasMore": false,
"messages": [
{
"id": "uuid",
"threadId": "session-uuid",
"seq": 12,
"role": "assistant",
"content": "...",
"timestamp": "2026-04-05T12:34:56+00:00",
"agent_output": {
"status": "success",
"sign_level": "中上签",
"conclusion": ["..."],
"focus_points": ["..."],
"advice": ["..."],
"keywords": ["..."],
"answer": "...",
"divination_derived": {
"binaryCode": "101001",
"changedBinaryCode": "100001",
"guaName": "山火贲"
}
}
},
{
"id": "uuid",
"threadId": "session-uuid",
"seq": 11,
"role": "user",
"content": "我最近换工作是否合适?",
"timestamp": "2026-04-05T12:34:12+00:00",
"attachments": [
{
"mimeType": "image/png",
"url": "https://...signed..."
}
]
}
]
}
"""

USER: dict[str, Any] = {
    "id": "m-1",
    "threadId": THREAD,
    "seq": 1,
    "content": "我最近换工作是否合适?",
    "timestamp": "2026-04-05T12:34:12+00:00",
}
ASSISTANT = {**USER, "id": "m-2", "seq": 2, "content": "宜"}


OF_ITEMS: Final = {"user": UserItem, "assistant": AssistantItem}


def user(**more: Any) -> UserItem:
    return cast("UserItem", item_of({**USER, **more, "role": "user"}))


def assistant(**more: Any) -> AssistantItem:
    return cast("AssistantItem", item_of({**ASSISTANT, **more, "role": "assistant"}))


def item_of(document: dict[str, Any]) -> Any:
    """The item that is written as this document. Raises msgspec.ValidationError for a document that is none."""
    return msgspec.convert(document, OF_ITEMS[document["role"]])


def written(shape: Any) -> Any:
    """A shape as the JSON that is sent."""
    return json.loads(to_json(shape))


def described(name: str, document: Any) -> Any:
    """A document that is checked against its description for clients. Raises jsonschema.ValidationError."""
    jsonschema.validate(document, {"$ref": f"#/components/schemas/{name}", "components": DESCRIBED["components"]})
    return document


def sample_without_output() -> dict[str, Any]:
    sample: dict[str, Any] = json.loads(SAMPLE)
    messages = [{name: message[name] for name in message if name != "agent_output"} for message in sample["messages"]]
    return {**sample, "messages": messages}


def test_the_documents_sample_has_this_shape() -> None:
    """HIS-01, HIS-04, HIS-05, HIS-06, HIS-08: read and written again, not a member is lost or added."""
    sample = json.loads(SAMPLE)
    members = {"scope": sample["scope"], "thread_id": sample["threadId"], "has_more": sample["hasMore"]}
    snapshot = Snapshot(**members, messages=tuple(map(item_of, sample["messages"])))
    assert written(snapshot) == sample


def test_a_whole_session_is_the_envelope_with_no_day_and_nothing_more() -> None:
    """HIS-01, HIS-04."""
    items = (user(), assistant())
    snapshot = Snapshot(scope="history_session_full", thread_id=THREAD, has_more=False, messages=items)
    assert written(snapshot) == {
        "scope": "history_session_full",
        "threadId": THREAD,
        "day": None,
        "hasMore": False,
        "messages": [written(item) for item in items],
    }


def test_the_list_of_sessions_belongs_to_no_thread_and_may_have_more() -> None:
    """HIS-02, HIS-03, HIS-04: `threadId` is there, and null."""
    items = (assistant(),)
    snapshot = Snapshot(scope="history_sessions_latest_assistant", thread_id=None, has_more=True, messages=items)
    assert written(snapshot) == {
        "scope": "history_sessions_latest_assistant",
        "threadId": None,
        "day": None,
        "hasMore": True,
        "messages": [written(item) for item in items],
    }


def test_a_users_message_always_names_its_attachments() -> None:
    """HIS-05, HIS-06: none is an empty list, and there is no agent_output."""
    assert written(user()) == {**USER, "role": "user", "attachments": []}
    pictures = [{"mimeType": "image/png", "url": "https://example.com/a.png?signature=x"}]
    assert written(user(attachments=pictures))["attachments"] == pictures


def test_an_assistants_message_has_its_output_or_no_such_member() -> None:
    """HIS-08: under the document's snake_case name, `error` null kept within."""
    assert written(assistant()) == {**ASSISTANT, "role": "assistant"}
    output = {"status": "success", "answer": "宜", "error": None}
    assert written(assistant(agent_output=output))["agent_output"] == output


def test_the_output_of_a_cast_is_carried_whole() -> None:
    """HIS-08, HIS-09, DIV-28, DIV-31: The derivation has the names of the event."""
    cast = {
        "divinationMethod": "自动起卦",
        "questionType": "事业",
        "question": "我最近换工作是否合适?",
        "divinationTimeIso": "2026-04-03T20:30:00+08:00",
        "yaoLines": ["少阳"] * 6,
    }
    divination = derive(DivinationPayload.model_validate(cast))
    output = ChatOutput(
        sign_level="中上签",
        conclusion=("宜",),
        focus_points=("世爻",),
        advice=("缓行",),
        keywords=("持世",),
        answer="宜",
        divination_derived=divination,
    ).model_dump(mode="json")
    item = assistant(agent_output=output)
    assert written(item)["agent_output"] == output
    assert set(output) == {
        *("status", "sign_level", "conclusion", "focus_points", "advice", "keywords", "answer", "error"),
        "divination_derived",
    }
    assert output["divination_derived"] == divination.model_dump(mode="json", by_alias=True)
    assert set(get_args(SignLevel)) == {"上上签", "中上签", "中下签", "下下签"}


@pytest.mark.parametrize("role", OF_ITEMS)
@pytest.mark.parametrize("member", ["id", "threadId", "seq", "content", "timestamp"])
def test_a_message_without_one_of_its_members_is_no_message(role: str, member: str) -> None:
    """HIS-05, HIS-06: neither one that is made, nor one that clients are told of."""
    document = {name: value for name, value in USER.items() if name != member} | {"role": role}
    with pytest.raises(msgspec.ValidationError):
        item_of(document)
    with pytest.raises(jsonschema.ValidationError):
        described(OF_ITEMS[role].__name__, document)


@pytest.mark.parametrize(
    "changes",
    [
        {"scope": "history_day"},
        {"scope": None},
        {"day": "2026-04-05"},
        {"hasMore": None},
        {"messages": [{**USER, "role": "tool"}]},
        {"messages": [{**USER, "role": "system"}]},
        {"messages": [USER]},
    ],
)
def test_a_snapshot_has_no_other_scope_day_or_role(changes: dict[str, Any]) -> None:
    """HIS-01, HIS-02, HIS-04."""
    with pytest.raises(jsonschema.ValidationError):
        described("Snapshot", {**sample_without_output(), **changes})


def test_the_documents_sample_is_described() -> None:
    """But for the output, which the document abbreviates."""
    described("Snapshot", sample_without_output())


def test_there_is_no_ui_schema() -> None:
    """HIS-11: in no shape, and not even where one is handed in."""
    cards = {"ui_schema": {"version": "2.0"}, "uiSchema": {"version": "2.0"}}
    items = (user(**cards), assistant(**cards))
    snapshot = Snapshot(scope="history_session_full", thread_id=THREAD, has_more=False, messages=items)
    assert b"schema" not in to_json(snapshot).lower()
    for shape in (Snapshot, *OF_ITEMS.values()):
        assert "schema" not in "".join(shape.__struct_encode_fields__).lower()
