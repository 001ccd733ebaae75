"""The requests that the documents print, as they print them."""

import json

import pytest

from tests.support.run_bodies import DIVINATION, THREAD, admitted, parsed, refusal, user_message
from yarrow_agents.divination import error_codes
from yarrow_agents.divination.input_rules import divination_payload

TEXT = """
{ "threadId": "550e8400-e29b-41d4-a716-446655440000", "runId": "run-001", "state": {}, "messages": [ { "id": "msg-001",
"role": "user", "content": "帮我查一下北京今天的天气" } ], "tools": [], "context": [], "forwardedProps": {
"runtime_mode": "chat" } }
"""

PICTURE = """
{ "threadId": "550e8400-e29b-41d4-a716-446655440000", "runId": "run-002", "state": {}, "messages": [ { "id": "msg-001",
"role": "user", "content": [ { "type": "text", "text": "这张图片里的内容是什么?" }, { "type": "binary", "mimeType":
"image/png", "url": "https://storage.example.com/agent-inputs/user-123/image.png?signature=xxx" } ] } ], "tools": [],
"context": [], "forwardedProps": { "runtime_mode": "chat" } }
"""

TOOLS = """
{ "threadId": "550e8400-e29b-41d4-a716-446655440000", "runId": "run-003", "state": {}, "messages": [ { "id": "msg-001",
"role": "user", "content": "北京天气怎么样?" } ], "tools": [ { "name": "get_weather", "description":
"获取指定城市的天气信息", "parameters": { "type": "object", "properties": { "city": { "type": "string", "description":
"城市名称" } }, "required": ["city"] } } ], "context": [], "forwardedProps": { "runtime_mode": "chat" } }
"""

CLIENT_TIME = """
{ "threadId": "550e8400-e29b-41d4-a716-446655440000", "runId": "run-004", "state": {}, "messages": [ { "id": "msg-001",
"role": "user", "content": "帮我明天早上9点创建一个日历" } ], "tools": [], "context": [], "forwardedProps": {
"runtime_mode": "chat", "client_time": { "device_timezone": "America/Los_Angeles", "client_now_iso":
"2026-03-16T09:12:33-07:00", "client_epoch_ms": 1773658353000 } } }
"""


@pytest.mark.parametrize(
    ("sample", "run_id", "text"),
    [
        (TEXT, "run-001", "帮我查一下北京今天的天气"),
        (PICTURE, "run-002", "这张图片里的内容是什么?"),
        (TOOLS, "run-003", "北京天气怎么样?"),
        (CLIENT_TIME, "run-004", "帮我明天早上9点创建一个日历"),
    ],
)
def test_a_request_of_run_input_md_keeps_the_rules_of_every_run(sample: str, run_id: str, text: str) -> None:
    """RUN-01, CMP-08."""
    read = parsed(json.loads(sample))
    assert (read.thread_id, read.run_id, read.runtime_mode) == (THREAD, run_id, "chat")
    assert user_message(read).text() == text


@pytest.mark.parametrize("sample", [TEXT, PICTURE, TOOLS, CLIENT_TIME])
def test_a_request_of_run_input_md_asks_for_no_divination(sample: str) -> None:
    """FWD-02, DIV-07, C36: a general chat, which the divination agent refuses for want of a cast."""
    problem = refusal(json.loads(sample))
    assert (problem.status, problem.code) == (422, error_codes.REQUIRED)


def test_what_the_requests_of_run_input_md_add_is_read() -> None:
    """MSG-02, TOOL-01, FWD-03."""
    (picture,) = user_message(parsed(json.loads(PICTURE))).pictures()
    assert (picture.mime_type, picture.data) == ("image/png", None)
    (tool,) = parsed(json.loads(TOOLS)).tools
    assert tool.parameters["required"] == ["city"]
    client_time = parsed(json.loads(CLIENT_TIME)).client_time
    assert client_time is not None
    assert client_time.device_timezone == "America/Los_Angeles"


def test_the_request_of_divination_run_md_is_accepted_in_full() -> None:
    """RUN-01, RUN-21, DIV-01 … DIV-07: with a UUID for its placeholder."""
    read = admitted(json.loads(DIVINATION) | {"threadId": THREAD})
    assert read.client_time is not None
    cast = divination_payload(read.extensions)
    assert cast.question == user_message(read).text() == "我最近换工作是否合适?"
    assert cast.yao_lines == ("少阳", "少阴", "老阳", "少阴", "少阳", "老阴")
    assert cast.divination_time_iso.timestamp() * 1000 == read.client_time.client_epoch_ms
