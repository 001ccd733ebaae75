"""`YarrowAgent` in Node, on top of each released client, over a network that breaks every stream off.

What it tells is compared with what the service keeps; `HttpAgent` is `test_agui_clients`'s.
"""

import json
import uuid
from collections import deque
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tests.clients.agui_clients import VERSIONS, Node, node_with
from tests.clients.dropping_proxy import DroppingProxy, random_cuts
from tests.support.effort import examples
from tests.support.paths import ROOT
from tests.support.stack.app import App, SignIn

SCENES = ("你好", "two at once", "北京天气怎么样?", "fail")
CONVERSATIONS = examples(2)
"""Each is a run of every scene."""

Said = dict[str, Any]
Converse = Callable[..., Said]


@pytest.fixture(scope="module", params=VERSIONS)
def node(request: pytest.FixtureRequest) -> Iterator[Node]:
    """Yield the talks with the agent on top of one version of the client."""
    with node_with(request.param, ROOT / "clients/js/yarrow-agent.js") as node:
        yield node


@pytest.fixture
def converse(node: Node, alice: App, proxy: DroppingProxy) -> Converse:
    """Have the agent hold a conversation as alice through the proxy: what it told of each run, and its messages."""

    def hold(*turns: dict[str, Any], thread: str, **settings: Any) -> Said:
        headers = {"Authorization": alice.http.headers["Authorization"]}
        url = f"{proxy.url}/send-message?agent=scenes"
        arguments = {"url": url, "headers": headers, "threadId": thread, "turns": turns, **settings}
        output = node.converse(**arguments)
        assert [run["warnings"] for run in output["runs"]] == [[] for _ in turns]
        return output

    return hold


def say(text: str, run: str, **parameters: Any) -> dict[str, Any]:
    return {"runId": run, "say": {"id": f"msg-{run}", "content": text}, **parameters}


def kept(app: App, thread: str, run: str, named: str | None = None) -> list[dict[str, Any]]:
    """The run's events as AG-UI has them; `named` is what the application calls the thread."""
    query = {"runId": run, "profile": "agui"}
    text = app.http.get(f"/api/v1/agent/runs/{thread}/events", params=query).text
    events = [json.loads(line.removeprefix("data: ")) for line in text.splitlines() if line.startswith("data: ")]
    return [event | ({"threadId": named or thread} if "threadId" in event else {}) for event in events]


@pytest.mark.timeout(100 + 10 * CONVERSATIONS)
def test_nothing_is_lost_or_told_twice_wherever_a_line_is_cut(
    converse: Converse, sign_in: SignIn, proxy: DroppingProxy
) -> None:
    """EVT-04, EVT-05, EVT-20: an application is told every run to its end, and of no error but the run's own."""
    for seed in range(CONVERSATIONS):
        user, thread = sign_in("alice"), str(uuid.uuid4())  # how many streams one opens is limited
        proxy.cuts, proxy.cursors = random_cuts(seed, 60), []
        turns = [say(scene, f"run-{at}") for at, scene in enumerate(SCENES)]
        headers = {"Authorization": user.http.headers["Authorization"]}
        output = converse(*turns, thread=thread, isCloned=True, headers=headers)
        for at, run in enumerate(output["runs"]):
            assert run["error"] is None
            assert run["events"] == kept(user, thread, f"run-{at}")
        assert len(proxy.cursors) > 2 * len(SCENES)


def test_a_thread_of_any_name_is_told_under_that_name(converse: Converse, alice: App, proxy: DroppingProxy) -> None:
    """C5."""
    proxy.cuts = random_cuts(7, 60)
    (run,) = converse(say("two at once", "run-1"), thread="groceries")["runs"]
    session = run["events"][0]["metadata"]["yarrow.threadId"]
    assert run["events"][1:] == kept(alice, session, "run-1", named="groceries")[1:]
    assert {event.get("threadId", "groceries") for event in run["events"]} == {"groceries"}


RULES = {"id": "rules", "role": "system", "content": "Be brief."}


def test_a_question_is_asked_and_answered_wherever_a_line_is_cut(
    converse: Converse, node: Node, alice: App, proxy: DroppingProxy
) -> None:
    """ASK-02, ASK-03, EVT-04: also under the id of the run that asked; the client's own messages stay."""
    if node.version not in ("agui-0.0.59", "agui-1.0.0"):
        pytest.skip("only clients since 0.0.59 can answer")
    for seed in range(4):
        thread = str(uuid.uuid4())
        proxy.cuts = random_cuts(seed, 60)
        yes = {"payload": {"approved": True}}
        turns = [say("ask in turn", "run-1"), {"runId": "run-1", **yes}, {"runId": "run-2", **yes}]
        output = converse(*turns, thread=thread, initialMessages=[RULES])
        assert [run["error"] for run in output["runs"]] == [None, None, None]
        assert [[one["message"] for one in run["pending"]] for run in output["runs"]] == [
            ["The first?"],
            ["The second?"],
            [],
        ]
        snapshots = [[event["type"] for event in run["events"]].count("MESSAGES_SNAPSHOT") for run in output["runs"]]
        assert snapshots == [1, 1, 0]
        texts = [message["content"] for message in output["messages"] if message["role"] != "user"]
        assert texts == ["Be brief.", "Let me see.", "The first?", "The second?", "answered: true"]
        assert alice.http.get("/api/v1/agent/interrupts").json()["interrupts"] == []


def test_who_leaves_joins_again_and_is_told_the_rest(converse: Converse, alice: App, proxy: DroppingProxy) -> None:
    """EVT-24, CAN-04: to detach cancels nothing; to abort does, and the service says so."""
    thread = str(uuid.uuid4())
    proxy.cuts = deque()
    leaving = say("wait", "run-1", at={"type": "TEXT_MESSAGE_CONTENT", "detach": True})
    assert converse(leaving, thread=thread)["runs"][0]["error"] is None
    joining = {"isJoined": True, "at": {"type": "MESSAGES_SNAPSHOT", "abort": True}}
    (joined,) = converse(joining, thread=thread)["runs"]
    assert [event["type"] for event in joined["events"]][:2] == ["RUN_STARTED", "MESSAGES_SNAPSHOT"]
    assert joined["events"][-1]["code"] == "abort"
    ended = list(alice.watch(thread, "run-1"))[-1]
    assert (ended[1], ended[2]["code"]) == ("RUN_ERROR", "RUN_CANCELED")


def test_a_run_that_is_aborted_is_cancelled_though_the_line_is_cut(
    converse: Converse, alice: App, proxy: DroppingProxy
) -> None:
    """CAN-01."""
    thread = str(uuid.uuid4())
    proxy.cuts = random_cuts(3, 60)
    (run,) = converse(say("wait", "run-1", at={"type": "RUN_STARTED", "abort": True}), thread=thread)["runs"]
    assert run["events"][-1]["code"] == "abort"
    assert list(alice.watch(thread, "run-1"))[-1][2]["code"] == "RUN_CANCELED"


def test_on_another_device_a_thread_is_joined_by_its_history(
    converse: Converse, alice: App, proxy: DroppingProxy
) -> None:
    """HIS-01; of a thread that is not there nothing is told."""
    thread = str(uuid.uuid4())
    proxy.cuts = deque()
    converse(say("你好", "run-1"), thread=thread)
    output = converse({"isJoined": True}, thread=thread, isForgetful=True)
    history = [(message["role"], message["content"]) for message in alice.history(threadId=thread)["messages"]]
    assert [(message["role"], message["content"]) for message in output["messages"]] == history
    assert len(history) == 2
    output = converse({"isJoined": True}, thread=str(uuid.uuid4()), isForgetful=True)
    assert (output["messages"], output["runs"][0]["events"], output["runs"][0]["error"]) == ([], [], None)


def test_what_the_service_refuses_is_the_applications_to_see(converse: Converse, proxy: DroppingProxy) -> None:
    """ERR-01: with its problem, as `HttpAgent` has it."""
    (run,) = converse(say("你好", "x" * 200), thread=str(uuid.uuid4()))["runs"]
    assert run["error"]["status"] == 422
    assert run["error"]["payload"]["code"]
