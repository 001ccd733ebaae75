"""`clients/kotlin` on the JVM: over a network that cuts every stream, and through the death of its process."""

import json
import uuid
from collections import deque
from collections.abc import Iterator
from contextlib import ExitStack
from itertools import cycle
from pathlib import Path
from typing import Any

import pytest

from tests.clients.dropping_proxy import Cut, DroppingProxy, Ending, random_cuts
from tests.clients.kotlin_client import COMPILED, KotlinClient, kotlin_client
from tests.support.effort import examples
from tests.support.stack.app import App
from tests.support.stack.runs import body

RUNS = examples(10)
"""`EFFORT=20` makes it 200."""
AT_ONCE = 10
TEXTS = ("two at once", "北京天气怎么样?", "你好", "fail")

pytestmark = pytest.mark.skipif(COMPILED.missing() is not None, reason=str(COMPILED.missing()))


@pytest.fixture(scope="module")
def client() -> Iterator[KotlinClient]:
    """One virtual machine for all tests that do not kill it."""
    with kotlin_client() as process:
        yield process


def token_of(app: App) -> str:
    return str(app.http.headers["Authorization"]).removeprefix("Bearer ")


def journal(app: App, thread: str) -> list[dict[str, Any]]:
    """What is stored of the run, as the client tells it."""
    return [{"id": number, "event": event} for number, _, event in app.watch(thread, "run-1")]


def test_its_own_tests_pass() -> None:
    """EVT-04: frames, waits, refusals and files, without a service."""
    ended = COMPILED.unit_tests()
    assert ended.returncode == 0, ended.stdout


def test_many_runs_are_whole_though_streams_are_cut_anywhere(
    stack: str, proxy: DroppingProxy, client: KotlinClient
) -> None:
    """EVT-03, EVT-04, EVT-05: at once, by several users; nothing is lost or told twice, and each run ends."""
    proxy.cuts = random_cuts(18, 5 * RUNS)
    with ExitStack() as open_clients:
        users = [App(stack, f"kotlin-{number}") for number in range(AT_ONCE)]
        for user in users:
            open_clients.callback(user.http.close)
        for first in range(0, RUNS, AT_ONCE):
            texts = cycle(TEXTS)
            runs = [(user, str(uuid.uuid4()), next(texts)) for user in users[: RUNS - first]]
            task: dict[str, Any] = {"url": proxy.url, "agent": "scenes", "hurry": 20}
            tasks = [
                client.start(**task, tokens=[token_of(user)], input=body(thread, "run-1", text))
                for user, thread, text in runs
            ]
            for (user, thread, _), end in zip(runs, client.ends(*tasks), strict=True):
                assert end["error"] is None, end
                assert end["told"] == journal(user, thread)
                assert end["told"][-1]["event"]["type"] in {"RUN_FINISHED", "RUN_ERROR"}
    assert len(proxy.cursors) > 2 * RUNS


def test_a_token_is_renewed_in_the_middle_of_a_run(alice: App, proxy: DroppingProxy, client: KotlinClient) -> None:
    """SEC-01: once; a second refusal is the app's to see."""
    thread, good = str(uuid.uuid4()), token_of(alice)
    events = []
    proxy.cuts = deque([Cut(400, Ending.CLEAN)] * 100)  # it comes again until the end, whenever the refusal is ready
    task = client.start(
        url=proxy.url, tokens=[good, good], agent="scenes", input=body(thread, "run-1", "slowly"), hurry=20
    )
    for line in client.lines():
        if "ended" in line:
            break
        events.append(line["told"])
        if len(events) == 3:
            proxy.answers.append((401, 0))
    assert line == {"task": task, "ended": {"error": None, "status": None, "code": None, "refusals": [good]}}
    assert events == journal(alice, thread)
    end = client.does(url=proxy.url, tokens=["stale", "stale too", good], thread=thread, run="run-1")
    assert end == {
        "told": [],
        "error": "Refused",
        "status": 401,
        "code": "AUTH_UNAUTHORIZED",
        "refusals": ["stale"],
    }


def test_a_run_outlives_the_process(alice: App, proxy: DroppingProxy, client: KotlinClient, tmp_path: Path) -> None:
    """EVT-04, RUN-20: killed again and again, it goes on from its file; what was stored is not asked for again."""
    thread, file = str(uuid.uuid4()), tmp_path / "run"
    task: dict[str, Any] = {"url": proxy.url, "tokens": [token_of(alice)], "agent": "scenes", "store": str(file)}
    task |= {"input": body(thread, "run-1", "slowly"), "hurry": 20}
    proxy.cuts = random_cuts(2, 100)
    for told_before_death in (1, 20):
        with kotlin_client() as dying:
            dying.start(**task)
            events = []
            for line in dying.lines():
                events.append(line["told"])
                if len(events) == told_before_death:
                    dying.process.kill()
        kept = [json.loads(line) for line in file.read_bytes().splitlines(keepends=True)[1:] if line.endswith(b"\n")]
        assert kept[: len(events)] == events
    streams = len(proxy.cursors)
    end = client.does(**task)
    assert proxy.cursors[streams] == str(kept[-1]["id"])
    whole = journal(alice, thread)
    assert (end["told"], end["error"]) == (whole, None)
    assert [json.loads(line) for line in file.read_bytes().splitlines()[1:]] == whole


def test_a_death_before_the_service_answered_loses_no_run(
    alice: App, stack: str, client: KotlinClient, tmp_path: Path
) -> None:
    """RUN-20: what is on the disk is submitted, perhaps again; a torn line is nothing."""
    thread, file = str(uuid.uuid4()), tmp_path / "run"
    begun = json.dumps({"input": body(thread, "run-1", "你好"), "agent": "scenes"}) + "\n"
    file.write_text(begun + '{"id":1,"eve', encoding="utf-8")
    task: dict[str, Any] = {"url": stack, "tokens": [token_of(alice)], "store": str(file)}
    end = client.does(**task)
    assert (end["told"], end["error"]) == (journal(alice, thread), None)
    file.write_text(begun, encoding="utf-8")
    assert client.does(**task) == end


def test_a_run_is_cancelled_and_its_history_read(alice: App, stack: str, client: KotlinClient) -> None:
    """CAN-04, HIS-01: and what the service refuses has its code."""
    thread = str(uuid.uuid4())
    task: dict[str, Any] = {"url": stack, "tokens": [token_of(alice)], "thread": thread, "run": "run-1"}
    end = client.does(**task, agent="scenes", input=body(thread, "run-1", "wait"), cancelAfter=2)
    assert end["told"][-1]["event"]["code"] == "RUN_CANCELED"
    assert end["told"] == journal(alice, thread)
    again = client.start(**task, do="cancel")
    assert next(client.lines()) == {"task": again, "cancel": {"accepted": True}}  # it is cancelled
    client.ends(again)
    history = client.start(**task, do="history")
    assert next(client.lines()) == {"task": history, "history": alice.history(threadId=thread)}
    client.ends(history)
    missing = client.does(**task | {"run": "run-2"})
    assert (missing["error"], missing["status"], missing["code"]) == ("Refused", 404, "AGENT_RUN_NOT_FOUND")


def test_a_question_is_found_and_answered_and_capabilities_read(alice: App, stack: str, client: KotlinClient) -> None:
    """ASK-04, ASK-01: from another device than the one that began the run."""
    thread = str(uuid.uuid4())
    task: dict[str, Any] = {"url": stack, "tokens": [token_of(alice)]}
    asked = client.does(**task, agent="scenes", input=body(thread, "run-1", "ask for a text"))
    (interrupt,) = asked["told"][-1]["event"]["outcome"]["interrupts"]
    listed = client.start(**task, do="interrupts")
    found = next(client.lines())["interrupts"]["interrupts"]
    client.ends(listed)
    assert interrupt["id"] in [one["id"] for one in found]
    answer: dict[str, Any] = {**task, "do": "answer", "interrupt": interrupt["id"]}
    answered = client.start(**answer, payload="Dear Alice")
    run_id = next(client.lines())["answer"]["runId"]
    client.ends(answered)
    goes_on = client.does(**task, thread=thread, run=run_id)
    assert goes_on["told"][-1]["event"]["type"] == "RUN_FINISHED"
    (again,) = client.ends(client.start(**answer))
    assert (again["error"], again["code"]) == ("Refused", "AGENT_INTERRUPT_ANSWERED")
    read = client.start(**task, do="capabilities", agent="scenes")
    assert next(client.lines())["capabilities"]["humanInTheLoop"]["interrupts"] is True
    client.ends(read)


def test_an_app_is_registered_refreshed_and_removed(alice: App, client: KotlinClient, stack: str) -> None:
    """EVB-10: by its token of FCM, in the ten lines of the README."""
    task: dict[str, Any] = {"url": stack, "tokens": [token_of(alice)]}

    def done(what: str, **given: str) -> dict[str, Any]:
        (end,) = client.ends(client.start(**task, do=what, **given))
        assert end["error"] is None, end
        answer: dict[str, Any] = end[what]
        return answer

    token = f"token:{uuid.uuid4()}"
    first, again = (done("register", token=token, name=name) for name in ("Pixel", "My phone"))
    assert (first["id"], first["kind"], first["include"]) == (again["id"], "fcm", ["answer"])
    listed = done("devices")
    assert [(device["id"], device["name"]) for device in listed["devices"]] == [(first["id"], "My phone")]
    assert "fcm" in listed["kinds"]
    for _ in range(2):
        done("remove", device=first["id"])
    assert done("devices")["devices"] == []
