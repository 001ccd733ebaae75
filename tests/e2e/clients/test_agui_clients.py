"""Released AG-UI clients at the door: `HttpAgent` in Node, against the local stack.

Every stream they read is also held to `tests.support.agui.client`, with the official models and a validator of
producers.
"""

import json
import uuid
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from itertools import count
from typing import Any

import httpx
import pytest

from tests.clients.agui_clients import CLIENTS, VERSIONS, Node, node_with
from tests.clients.dropping_proxy import Cut, Ending, dropping
from tests.support.agui.client import data_of, read
from tests.support.example_cast import EXAMPLE

SCENARIOS: list[dict[str, Any]] = json.loads((CLIENTS / "scenarios.json").read_text(encoding="utf-8"))
SCENES = ("你好", "帮我搜索本地的报告文件", "北京天气怎么样?", "删除所有临时文件", "two at once", "fail")
CONFIRM = SCENARIOS[3]["turns"][0]["tools"]

Event = dict[str, Any]
Turn = dict[str, Any]


@pytest.fixture(scope="module", params=VERSIONS)
def node(request: pytest.FixtureRequest) -> Iterator[Node]:
    with node_with(request.param) as node:
        yield node


@pytest.fixture
def http(stack: str) -> Iterator[httpx.Client]:
    """Yield a new user's own way to the service."""
    with httpx.Client(base_url=stack, timeout=20) as client:
        claims = {"sub": f"alice-{uuid.uuid4()}", "locale": "zh-CN", "zoneinfo": "Asia/Shanghai"}
        token = client.post("/local/token", json=claims).json()["token"]
        client.headers["Authorization"] = f"Bearer {token}"
        yield client


Talk = Callable[..., dict[str, Any]]


@pytest.fixture
def talk(node: Node, http: httpx.Client) -> Talk:
    """Have the client hold a conversation as that user: what it said of every run, and its messages."""

    def converse(
        *turns: Turn, thread: str, agent: str | None = "scenes", url: str = "", **headers: str
    ) -> dict[str, Any]:
        url = str(http.base_url.join(f"{url}/send-message")) + (f"?agent={agent}" if agent else "")
        authorization = {"Authorization": http.headers["Authorization"]}
        output = node.converse(url=url, headers=authorization | headers, threadId=thread, turns=turns)
        _check(output, turns)
        return output

    return converse


OF_A_CALL_BEFORE = "AGUI207"
"""The rule of the validator that a run has the call of each result: one that goes on has those of calls before it."""


def _check(output: dict[str, Any], turns: Sequence[Turn]) -> None:
    """Nothing surprised the client, and of every stream it made the messages that the order rules make of it."""
    messages = {message["id"]: _plain(message) for message in output["messages"]}
    for run, turn in zip(output["runs"], turns, strict=True):
        assert run["warnings"] == []
        tolerated = (OF_A_CALL_BEFORE,) if "payload" in turn else ()
        (body,) = run["bodies"]
        if body is not None and run["error"] is None and ("RUN_FINISHED" in body or "RUN_ERROR" in body):
            for message in read(data_of(body.encode()), *tolerated).messages:
                assert messages[message["id"]] == _plain(message)


def _plain(message: dict[str, Any]) -> dict[str, Any]:
    """A message without its metadata, of which older clients keep nothing."""
    return {name: value for name, value in message.items() if name != "metadata"}


numbers = count()


def say(text: str, **parameters: Any) -> Turn:
    number = next(numbers)
    return {"runId": f"run-{number}", "say": {"id": f"msg-{number}", "content": text}, **parameters}


def answer(text: str) -> Turn:
    """A turn in which the client's tools have answered."""
    return {"runId": f"run-{next(numbers)}", "answer": text}


def types(run: dict[str, Any]) -> list[str]:
    return [event["type"] for event in run["events"]]


def text_of(run: dict[str, Any]) -> str:
    return "".join(event["delta"] for event in run["events"] if event["type"] == "TEXT_MESSAGE_CONTENT")


def modulo_ids(events: list[Event]) -> list[Event]:
    """Events with the names of messages and calls in the order they come, and without what is not in the document."""
    names: dict[str, str] = {}
    emitted = []
    for event in events:
        members = {name: value for name, value in event.items() if name not in ("protocolVersion", "metadata")}
        if members.get("outcome", {}).get("type") == "success":  # with the calls that wait, for clients of 1.0
            del members["outcome"]
        for name in ("messageId", "parentMessageId", "toolCallId"):
            if name in members:
                members[name] = names.setdefault(members[name], f"{name} {len(names)}")
        emitted.append(members)
    return emitted


@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda item: item["name"])
def test_a_scenario_of_the_document_comes_event_by_event(talk: Talk, scenario: dict[str, Any]) -> None:
    """EVT-01, EVT-07 … EVT-12, EVT-16 … EVT-24, CMP-07: with its threads, runs, tools and results, but for the ids."""
    output = talk(*scenario["turns"], thread=scenario["turns"][0]["threadId"])
    assert [run["error"] for run in output["runs"]] == [None] * len(scenario["told"])
    for run, result in zip(output["runs"], scenario["told"], strict=True):
        assert modulo_ids(run["events"]) == modulo_ids(result)


def test_a_divination_reaches_the_application(talk: Talk) -> None:
    """EVT-24, DIV-33a, CMP-07: the hexagrams as a custom event, the answer as a message, its parts as the result."""
    cast = say(EXAMPLE["question"], forwardedProps={"divinationPayload": EXAMPLE})
    message = talk(cast, thread=str(uuid.uuid4()), agent=None)
    (run,) = message["runs"]
    output = {event["type"]: event for event in run["events"]}
    assert (output["CUSTOM"]["name"], output["CUSTOM"]["value"]["guaName"]) == ("yarrow.divination-derived", "水火既济")
    result = output["RUN_FINISHED"]["result"]
    assert message["messages"][-1]["content"] == text_of(run) == result["answer"]
    assert result["divination_derived"] == output["CUSTOM"]["value"]
    assert output["TEXT_MESSAGE_END"]["metadata"] == result


def test_calls_of_several_tools_and_text_between_them_are_told_apart(talk: Talk) -> None:
    """EVT-11, EVT-12, EVT-22: the answers come in the other order, and each goes to its call."""
    output = talk(say("two at once"), thread=str(uuid.uuid4()))
    calls = {call["id"]: call["function"] for message in output["messages"] for call in message.get("toolCalls", ())}
    results = {message["toolCallId"]: message["content"] for message in output["messages"] if message["role"] == "tool"}
    answered = {json.loads(calls[call]["arguments"])["city"]: content for call, content in results.items()}
    assert answered == {"北京": "晴", "上海": "雨"}
    assert text_of(output["runs"][0]) == "Both at once.晴 and 雨."


def test_what_the_agent_thought_is_kept_and_sent_back(talk: Talk) -> None:
    """MSG-06, CMP-07: as messages of their own, with their encrypted values; those without text, too."""
    message = talk(say("think"), say("what did you think?"), thread=str(uuid.uuid4()))
    assert [run["error"] for run in message["runs"]] == [None, None]
    kept = [(item["content"], item["encryptedValue"]) for item in message["messages"] if item["role"] == "reasoning"]
    assert kept == [("Hm, well", "yarrow1.sealed"), ("", "yarrow1.hidden")]
    roles = ["user", "reasoning", "assistant", "tool", "reasoning", "assistant", "user", "assistant"]
    assert [item["role"] for item in message["messages"]] == roles
    assert message["messages"][-1]["content"] == "Hm, well(yarrow1.sealed) (yarrow1.hidden)"


@pytest.mark.parametrize(
    ("turn", "headers", "refusal"),
    [
        (say(" "), {}, (422, "AGENT_RUN_MESSAGES_INVALID")),
        (say("hello", forwardedProps={"runtime_mode": "nonsense"}), {}, (422, "AGENT_RUNTIME_MODE_INVALID")),
        (say("hello", tools=[{**CONFIRM[0], "name": "x" * 257}]), {}, (422, "AGENT_RUN_INPUT_INVALID")),
        (say("hello"), {"Authorization": "Bearer nonsense"}, (401, "AUTH_UNAUTHORIZED")),
    ],
)
def test_a_refusal_is_an_error_of_the_client(
    talk: Talk, turn: Turn, headers: dict[str, str], refusal: tuple[int, str]
) -> None:
    """EVT-24, ERR-01: with its status and its problem, before there is any event."""
    (run,) = talk(turn, thread=str(uuid.uuid4()), **headers)["runs"]
    assert run["events"] == []
    assert problem(run) == refusal


def problem(run: dict[str, Any]) -> tuple[int, str]:
    payload = run["error"]["payload"]
    return run["error"]["status"], (json.loads(payload) if isinstance(payload, str) else payload)["code"]


def test_a_failure_is_an_event_and_the_conversation_goes_on(talk: Talk) -> None:
    """EVT-08, EVT-17, EVT-24: what was said before it is kept."""
    failed, next_one = talk(say("fail"), say("你好"), thread=str(uuid.uuid4()))["runs"]
    assert (failed["error"], text_of(failed)) == (None, "I will")
    assert failed["events"][-1] == {
        "type": "RUN_ERROR",
        "message": "the agent cannot go on",
        "code": "acme.broken",
    }
    assert types(next_one)[-1] == "RUN_FINISHED"


def cancel(thread: str, run: str) -> str:
    return f"/api/v1/agent/runs/{thread}/cancel?runId={run}"


def test_a_cancel_ends_the_stream_as_the_client_knows_it(talk: Talk, http: httpx.Client, node: Node) -> None:
    """EVT-08, EVT-28, CAN-04: an outcome for who knows of it, else an error."""
    thread, waiting = str(uuid.uuid4()), say("wait")
    url = str(http.base_url.join(cancel(thread, waiting["runId"])))
    waiting["at"] = {"type": "TEXT_MESSAGE_CONTENT", "post": url}
    canceled, next_one = talk(waiting, say("你好"), thread=thread)["runs"]
    *_, end = canceled["events"]
    if node.version.startswith("agui-1"):
        assert (end["type"], end["outcome"]) == ("RUN_FINISHED", {"type": "cancelled"})
    else:
        assert (end["type"], end["code"]) == ("RUN_ERROR", "RUN_CANCELED")
    assert types(next_one)[-1] == "RUN_FINISHED"


def test_a_client_that_goes_away_may_say_something_else(talk: Talk, http: httpx.Client) -> None:
    """C40, EVT-24, CAN-04: the run it left goes on, until there is another message."""
    thread, left = str(uuid.uuid4()), say("wait", at={"type": "TEXT_MESSAGE_CONTENT", "abort": True})
    gone, taken = talk(left, say("你好"), thread=thread)["runs"]
    assert gone["events"][-1]["code"] == "abort"  # of the client's own making
    assert types(taken)[-1] == "RUN_FINISHED"
    history = http.get("/api/v1/agent/history", params={"threadId": thread}).json()["messages"]
    assert [message["content"] for message in history if message["role"] == "user"] == ["wait", "你好"]


def waiting(thread: str) -> dict[str, Any]:
    """A request for a run that says something and then waits."""
    message = {"id": "msg_1", "role": "user", "content": "wait"}
    return {"threadId": thread, "runId": "run_1", "messages": [message], "tools": [], "context": [], "state": {}}


def following(thread: str) -> dict[str, Any]:
    """A request with another message, after that run was left."""
    request = waiting(thread)
    message = {"id": "msg_2", "role": "user", "content": "你好"}
    return {**request, "runId": "run_2", "messages": [*request["messages"], message]}


def see_words(response: httpx.Response) -> None:
    """Read a stream until its agent says something."""
    assert response.status_code == 200
    assert any("TEXT_MESSAGE_CONTENT" in line for line in response.iter_lines())


def events(thread: str, run: str) -> str:
    return f"/api/v1/agent/runs/{thread}/events?runId={run}"


def test_a_message_right_after_the_connection_was_closed_cancels_the_run_before(http: httpx.Client) -> None:
    """C40, CAN-04: closed in the middle of the stream."""
    thread = str(uuid.uuid4())
    with http.stream("POST", "/send-message?agent=scenes", json=waiting(thread)) as left:
        see_words(left)
    taken = http.post("/send-message?agent=scenes", json=following(thread))
    assert taken.status_code == 200, taken.text
    assert read(data_of(taken.content)).end is not None
    ends = [json.loads(data_of(http.get(events(thread, run)).content)[-1]) for run in ("run_1", "run_2")]
    assert [(end["type"], end.get("code")) for end in ends] == [("RUN_ERROR", "RUN_CANCELED"), ("RUN_FINISHED", None)]


def test_a_run_that_another_device_watches_is_not_cancelled(http: httpx.Client) -> None:
    """C40: the message is refused until the other device has left, too."""
    thread = str(uuid.uuid4())
    with httpx.Client(base_url=http.base_url, headers=http.headers, timeout=20) as device:
        with http.stream("POST", "/send-message?agent=scenes", json=waiting(thread)) as left:
            see_words(left)
            watching = device.send(device.build_request("GET", events(thread, "run_1")), stream=True)
        refused = http.post("/send-message?agent=scenes", json=following(thread))
        assert (refused.status_code, refused.json()["code"]) == (409, "AGENT_RUN_IN_PROGRESS")
        watching.close()
    taken = http.post("/send-message?agent=scenes", json=following(thread))
    assert taken.status_code == 200, taken.text
    assert read(data_of(taken.content)).end is not None


@pytest.mark.parametrize("size", [600, 900, 1_500])
def test_a_run_whose_stream_broke_off_is_asked_for_again(talk: Talk, stack: str, size: int) -> None:
    """C39: under the same id, with the half that came in the list; no client shows both."""
    thread, request = str(uuid.uuid4()), say("two at once")
    with dropping(stack) as proxy:
        proxy.cuts = deque([Cut(size, Ending.CLEAN)])
        output = talk(request, {"runId": request["runId"]}, thread=thread, url=proxy.url)
        assert not proxy.cuts
    broken, whole = output["runs"]
    assert (types(broken)[0], types(whole)[-1]) == ("RUN_STARTED", "RUN_FINISHED")
    assert "RUN_FINISHED" not in types(broken)
    words = [message.get("content") or "" for message in output["messages"] if message["role"] == "assistant"]
    assert "".join(words) == "Both at once.晴 and 雨."


def test_a_conversation_is_kept_once_though_it_is_sent_every_time(talk: Talk, http: httpx.Client) -> None:
    """EVT-19, EVT-21, EVT-24, CMP-09: what the client has and what the history has are the same."""
    thread = str(uuid.uuid4())
    turns = [say("你好"), say("你好"), say("删除所有临时文件", tools=CONFIRM), answer("confirmed"), say("你好")]
    messages = talk(*turns, thread=thread)["messages"]
    words = [(message["role"], message["content"]) for message in messages if message["role"] != "tool"]
    history = http.get("/api/v1/agent/history", params={"threadId": thread}).json()["messages"]
    assert [(message["role"], message["content"]) for message in history] == words
    assert [role for role, _ in words] == [*["user", "assistant"] * 3, "assistant", "user", "assistant"]


def test_the_assistant_can_be_tried_without_a_model(talk: Talk) -> None:
    """EVT-10 … EVT-12, EVT-20 … EVT-22, EVT-24: its own tools, and one of the client's that asks the user."""
    question = '/call get_current_time {"time_zone": "Asia/Shanghai"}\n/call calendar_read {"day": "2026-03-17"}'
    confirm = say('/call confirmAction {"action": "删除临时文件"}', tools=CONFIRM)
    output = talk(say(question), confirm, answer("confirmed"), thread="thread_001", agent=None)
    at_once, called, continued = output["runs"]
    assert [text for text in types(at_once) if text.startswith("TOOL_CALL")] == [
        *["TOOL_CALL_START", "TOOL_CALL_ARGS", "TOOL_CALL_END"] * 2,
        *["TOOL_CALL_RESULT"] * 2,
    ]
    assert types(called) == ["RUN_STARTED", "TOOL_CALL_START", "TOOL_CALL_ARGS", "TOOL_CALL_END", "RUN_FINISHED"]
    assert "“confirmAction”的结果：confirmed" in text_of(continued)


@pytest.mark.parametrize("scene", SCENES)
def test_every_form_of_a_stream_is_valid_and_tells_the_same(http: httpx.Client, scene: str) -> None:
    """EVT-01, EVT-14, EVT-24, CMP-09: at the door, joined from the start, and as a snapshot."""
    question = say(scene, tools=[*SCENARIOS[1]["turns"][0]["tools"], *CONFIRM])
    thread = str(uuid.uuid4())
    body = {"threadId": thread, "runId": question["runId"], "protocolVersion": "1.0", "tools": question["tools"]}
    message = {"role": "user", **question["say"]}
    response = http.post("/send-message", params={"agent": "scenes"}, json={**body, "messages": [message]})
    at_the_door = read(data_of(response.content))
    for profile, before in (("agui", []), ("snapshot", [message])):
        query = {"runId": question["runId"], "profile": profile, "protocolVersion": "1.0"}
        joined = read(data_of(http.get(f"/api/v1/agent/runs/{thread}/events", params=query).content))
        assert joined.messages == [*before, *at_the_door.messages]
        assert joined.end == at_the_door.end


def _asks(run: dict[str, Any]) -> list[dict[str, Any]]:
    """The interrupts in a run's end."""
    interrupts: list[dict[str, Any]] = run["events"][-1]["outcome"]["interrupts"]
    return interrupts


def test_a_question_is_answered_by_the_next_run(talk: Talk, node: Node) -> None:
    """ASK-02, CMP-07: `pendingInterrupts` of the client, and its `resume`; older ones show the question as text."""
    asks = say("ask me")
    if node.version not in ("agui-0.0.59", "agui-1.0.0"):
        output = talk(asks, say("你好"), thread=str(uuid.uuid4()))
        first, second = output["runs"]
        assert text_of(first).endswith("Shall I send it?")
        assert (second["error"], text_of(second)) == (None, "你好!有什么可以帮你的吗?")
        return
    said = {"runId": f"run-{next(numbers)}", "payload": {"approved": True}}
    output = talk(asks, said, thread=str(uuid.uuid4()))
    first, second = output["runs"]
    (interrupt,) = _asks(first)
    assert [pending["id"] for pending in first["pending"]] == [interrupt["id"]]
    assert (interrupt["reason"], interrupt["message"]) == ("confirmation", "Shall I send it?")
    assert second["error"] is None
    assert second["pending"] == []
    assert types(second)[:2] == ["RUN_STARTED", "TOOL_CALL_RESULT"]
    assert second["events"][1]["content"] == "sent"
    assert text_of(second) == "The user has answered."


def test_a_cast_about_two_matters_asks_which(talk: Talk, node: Node) -> None:
    """DIV-36, ASK-02: a client of 1.0 is asked, and gets the hexagrams with the answer; others get the reading."""
    both = "我今年能考上研究生吗？我和女朋友能复合吗？"
    cast = {**EXAMPLE, "question": both, "questionType": "其他"}
    asks = say(both, forwardedProps={"divinationPayload": cast})
    thread = str(uuid.uuid4())
    if node.version != "agui-1.0.0":
        (run,) = talk(asks, thread=thread, agent=None)["runs"]
        assert run["events"][-1]["result"]["divination_derived"]["question"] == both
        return
    said = {"runId": f"run-{next(numbers)}", "payload": "我和女朋友能复合吗？"}
    first, second = talk(asks, said, thread=thread, agent=None)["runs"]
    (interrupt,) = first["pending"]
    assert interrupt["responseSchema"]["enum"] == ["我今年能考上研究生吗？", "我和女朋友能复合吗？"]
    assert "CUSTOM" not in types(first)
    assert second["events"][-1]["result"]["divination_derived"]["question"] == "我和女朋友能复合吗？"
    assert second["pending"] == []


def test_an_open_question_is_not_passed_over(talk: Talk, node: Node, http: httpx.Client) -> None:
    """ASK-02: a new page of a client of 1.0 does not know of the question, and learns its code."""
    if node.version != "agui-1.0.0":
        pytest.skip("only clients of 1.0 can answer")
    thread = str(uuid.uuid4())
    talk(say("ask me"), thread=thread)
    (run,) = talk(say("你好"), thread=thread)["runs"]
    assert types(run) == ["RUN_STARTED", "RUN_ERROR"]
    assert run["events"][1]["code"] == "AGENT_INTERRUPT_OPEN"
    (listed,) = http.get("/api/v1/agent/interrupts").json()["interrupts"]
    assert (listed["threadId"], listed["agent"]) == (thread, "scenes")
    answered = http.post(f"/api/v1/agent/interrupts/{listed['id']}", json={"status": "cancelled"})
    assert answered.status_code == 202
    events = http.get(f"/api/v1/agent/runs/{thread}/events", params={"runId": answered.json()["runId"]}).text
    assert "The user has cancelled." in events
    assert http.get("/api/v1/agent/interrupts").json() == {"interrupts": [], "hasMore": False}


def test_a_resume_under_the_run_that_asked_is_one(talk: Talk, node: Node) -> None:
    """ASK-03: as CopilotKit sends it, which adds a tool message for the call; TanStack's binding names that run."""
    if node.version != "agui-1.0.0":
        pytest.skip("only clients of 1.0 can answer")
    asks = say("ask me")
    said = {"runId": asks["runId"], "payload": {"approved": False}, "answer": '{"approved":false}'}
    first, second = talk(asks, said, thread=str(uuid.uuid4()))["runs"]
    (interrupt,) = _asks(first)
    binding = interrupt["metadata"]["tanstack:interruptBinding"]
    assert (binding["kind"], binding["interruptedRunId"], binding["generation"]) == ("generic", asks["runId"], 0)
    started, *_, finished = second["events"]
    assert (started["runId"], finished["runId"]) == (asks["runId"], asks["runId"])
    assert started["metadata"]["yarrow.runId"] != asks["runId"]
    assert text_of(second) == "The user has refused."
