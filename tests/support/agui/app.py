"""An AG-UI client of the two functions it needs, called in this process."""

import importlib
import json
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import anyio
import anyio.to_thread

from tests.support.agui.client import data_of, read
from tests.support.functions.payloads import Case, with_query
from yarrow.runs.send_message import session_id_of
from yarrow.store import runs
from yarrow.worker import execute_run

GET_WEATHER = {"tool_call_id": "call_001", "tool_name": "get_weather", "parameters": {"city": "北京"}}


SEARCH = {"tool_call_id": "call_002", "tool_name": "search_local_files", "parameters": {"keyword": "报告"}}


CONFIRM = {
    "tool_call_id": "call_003",
    "tool_name": "confirmAction",
    "parameters": {"action": "删除临时文件", "count": 15},
}


@dataclass
class Context:
    """Lambda's context, with so much time left."""

    milliseconds: int = 900_000

    def get_remaining_time_in_millis(self) -> int:
        return self.milliseconds


@dataclass
class Answer:
    """A response, whole."""

    status: int
    headers: dict[str, str]
    body: bytes = b""

    @property
    def problem(self) -> tuple[int, str]:
        assert self.headers["content-type"] == "application/problem+json"
        return self.status, json.loads(self.body)["code"]

    @property
    def events(self) -> list[dict[str, Any]]:
        assert (self.status, self.headers["content-type"]) == (200, "text/event-stream; charset=utf-8")
        lines = data_of(self.body)
        read(lines)
        return [json.loads(line) for line in lines]


Act = Callable[[], object]


@dataclass
class App:
    """A client of the two routes, as one user. A run is worked on as soon as its stream has begun."""

    case: Case = field(default_factory=Case)
    time_left: int = 900_000

    def ask(self, function: str, event: dict[str, Any], act: Act | None) -> Answer:
        handler = importlib.import_module(f"functions.{function}.app").handler

        async def collect() -> Answer:
            async with handler.open(event, Context(self.time_left)) as response:
                answer = Answer(response.status, response.headers)
                async for chunk in response.body:
                    if act is not None and not answer.body and response.status == 200:
                        await anyio.to_thread.run_sync(act)
                    answer.body += chunk
            return answer

        return anyio.run(collect)

    def post(self, body: dict[str, Any] | str, act: Act | None = None, **query: str) -> Answer:
        event = self.case.payload("api_gateway_send_message")
        text = body if isinstance(body, str) else json.dumps(body, ensure_ascii=False)
        event = (with_query(event, **query) if query else event) | {"body": text}
        if act is None and isinstance(body, dict):
            thread = session_id_of(self.case.user, body["threadId"])

            def work() -> None:
                execute_run.work(runs.key_of(self.case.user, thread, body["runId"]))

            act = work
        return self.ask("send_message", event, act)

    def watch(self, thread: str, run: str, profile: str, after: int | None = None, act: Act | None = None) -> Answer:
        event = self.case.payload("api_gateway_stream_events")
        text = json.dumps(event).replace(self.case.thread, thread)
        event = with_query(json.loads(text), runId=run, profile=profile)
        for headers in (event["headers"], event["multiValueHeaders"]):
            headers.pop("Last-Event-ID", None)
        if after is not None:
            event["headers"]["Last-Event-ID"] = str(after)
            event["multiValueHeaders"]["Last-Event-ID"] = [str(after)]
        return self.ask("stream_events", event, act)


def body(run: str = "run_001", *messages: dict[str, Any], **changes: Any) -> dict[str, Any]:
    """Return what a client posts of a thread."""
    requests = messages or ({"id": "msg_1", "role": "user", "content": "你好"},)
    return {"threadId": "thread_001", "runId": run, "messages": list(requests), "tools": [], "context": []} | changes


def user(text: str) -> dict[str, Any]:
    return {"id": "msg_1", "role": "user", "content": text}


def calling(call: dict[str, Any], **more: Any) -> dict[str, Any]:
    function = {"name": call["tool_name"], "arguments": json.dumps(call["parameters"], ensure_ascii=False)}
    request = {"id": call["tool_call_id"], "type": "function", "function": function}
    return {"id": "msg_2", "role": "assistant", "toolCalls": [request], **more}


def result(call: dict[str, Any], content: str) -> dict[str, Any]:
    return {"id": "msg_3", "role": "tool", "toolCallId": call["tool_call_id"], "content": content}


def tool(call: dict[str, Any]) -> dict[str, Any]:
    return {"name": call["tool_name"], "description": "…", "parameters": {"type": "object"}}


def started(call: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    return "tool.call.started", call
