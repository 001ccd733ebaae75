"""`clients/js/yarrow.js` in Node and in a browser, over a network that breaks every stream off."""

import json
import shutil
import subprocess
import time
import uuid
from collections import deque
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from functions.openapi import REQUESTS
from tests.clients.dropping_proxy import Cut, DroppingProxy, Ending, Place, random_cuts
from tests.support.effort import examples
from tests.support.paths import ROOT
from tests.support.stack import browser
from tests.support.stack.app import App, SignIn, cancel
from tests.support.stack.runs import body, submit

DIVINATION = REQUESTS["divination"]

MODULE = ROOT / "clients" / "js" / "yarrow.js"
CLIENTS = ROOT / "tests" / "clients"
SECONDS = 30
RUNS = examples(10)
"""`EFFORT=20` makes it 200."""
RUNS_OF_A_USER = 4
TEXTS = ("北京天气怎么样?", "two at once", "你好", "fail")


def token_of(app: App) -> str:
    return str(app.http.headers["Authorization"]).removeprefix("Bearer ")


def follow(app: App, url: str, **task: Any) -> dict[str, Any]:
    """What the module told in Node, and its error."""
    if shutil.which("node") is None:
        pytest.skip("needs Node 20 or newer")
    value = json.dumps({"url": url, "tokens": [token_of(app)], **task})
    command = ["node", str(CLIENTS / "run.mjs")]
    ended = subprocess.run(command, input=value, capture_output=True, text=True, timeout=SECONDS, check=False)
    assert ended.returncode == 0, ended.stderr
    output: dict[str, Any] = json.loads(ended.stdout)
    return output


def journal(app: App, thread: str) -> list[dict[str, Any]]:
    """What is stored of the run, as the module tells it."""
    return [{"id": number, "event": event} for number, _, event in app.watch(thread, "run-1")]


@pytest.fixture
def thread(alice: App) -> str:
    """A thread with a run that has ended, of some events."""
    thread = str(uuid.uuid4())
    alice.submit(thread, "run-1")
    assert journal(alice, thread)[-1]["event"]["type"] == "RUN_FINISHED"
    return thread


def test_frames_are_the_same_however_the_bytes_arrive() -> None:
    """EVT-03: each stream of the vectors whole, byte by byte, and in two at each place."""
    if shutil.which("node") is None:
        pytest.skip("needs Node 20 or newer")
    command = ["node", str(CLIENTS / "frames.mjs"), str(ROOT / "clients/sse-vectors.json")]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS, check=False)
    assert (ended.returncode, json.loads(ended.stdout)) == (0, []), ended.stderr


def test_an_outcome_is_recorded_and_shown(stack: str) -> None:
    """By the documents that `api.d.ts` has types of."""
    if shutil.which("node") is None:
        pytest.skip("needs Node 20 or newer")
    app, thread = App(stack, f"outcome-{uuid.uuid4()}", locale="zh-CN"), str(uuid.uuid4())
    with closing(app.http):
        cast = DIVINATION | {"threadId": thread, "runId": "run-1"}
        assert app.http.post("/api/v1/agent/runs", json=cast).status_code == 202
        assert journal(app, thread)[-1]["event"]["type"] == "RUN_FINISHED"
        task = {"url": stack, "token": token_of(app), "threadId": thread, "outcome": {"outcome": "partly"}}
    command = ["node", str(CLIENTS / "outcome.mjs")]
    ended = subprocess.run(
        command, input=json.dumps(task), capture_output=True, text=True, timeout=SECONDS, check=False
    )
    assert ended.returncode == 0, ended.stderr
    reply = json.loads(ended.stdout)
    assert reply["history"]["outcome"] == reply["recorded"]
    assert (reply["recorded"]["outcome"], reply["recorded"]["runId"]) == ("partly", "run-1")


def test_clients_that_are_refused_together_come_back_apart_and_ever_later() -> None:
    """EVT-06: each time told to come back in a second."""
    if shutil.which("node") is None:
        pytest.skip("needs Node 20 or newer")
    refusals = 12
    command = ["node", str(CLIENTS / "waits.mjs"), str(refusals)]
    both = [json.loads(subprocess.run(command, capture_output=True, timeout=SECONDS, check=True).stdout) for _ in "ab"]
    for number, waits in enumerate(zip(*both, strict=True)):
        assert waits[0] != waits[1]
        assert min(waits) >= max(1000, min(500 * 2**number, 30_000))
    assert [len(waits) for waits in both] == [refusals] * 2
    assert max(map(max, both)) <= 45_000


def test_a_client_that_was_sent_away_comes_back_at_once_after_its_own_cancel() -> None:
    """EVT-05, STP-05: a run that sleeps has no stream; that its client is away is no loss of the connection."""
    if shutil.which("node") is None:
        pytest.skip("needs Node 20 or newer")
    ended = subprocess.run(["node", str(CLIENTS / "rests.mjs")], capture_output=True, timeout=SECONDS, check=True)
    seen = json.loads(ended.stdout)
    assert (seen["told"], seen["cursors"]) == ([1, 2], [None, "1"])
    assert (seen["resumed"], seen["isAway"]) == ([], True)
    assert 15_000 <= seen["waits"] <= 30_000
    assert seen["took"] < seen["waits"] / 2


def test_a_run_is_whole_though_every_stream_breaks_off(alice: App, proxy: DroppingProxy) -> None:
    """EVT-03, EVT-04, EVT-05: before every event and in the middle of the next; nothing is lost or told twice."""
    thread = str(uuid.uuid4())
    output = follow(alice, proxy.url, agent="scenes", input=body(thread, "run-1", "two at once"))
    assert output == {"told": journal(alice, thread), "error": None, "refusals": []}
    events = len(output["told"])
    assert events > 15
    assert proxy.cursors == [None, *(str(number) for number in range(1, events) for _ in range(2))]


@pytest.fixture
def chinese(stack: str) -> Iterator[tuple[App, str]]:
    """A run that has ended, with characters of several bytes, and whose it is: streams are limited by user."""
    app, thread = App(stack, f"chinese-{uuid.uuid4()}", locale="zh-CN"), str(uuid.uuid4())
    with closing(app.http):
        submit(app, "scenes", thread, "run-1", "北京天气怎么样?")
        assert journal(app, thread)[-1]["event"]["type"] == "RUN_FINISHED"
        yield app, thread


@pytest.mark.timeout(100 + 2 * RUNS)
def test_nothing_is_lost_or_repeated_wherever_a_proxy_cuts(sign_in: SignIn, proxy: DroppingProxy) -> None:
    """EVT-04, EVT-05: before the first byte, in a frame, between two and in a character; cleanly and by RST."""
    if shutil.which("node") is None:
        pytest.skip("needs Node 20 or newer")
    proxy.cuts = random_cuts(18, 5 * RUNS)
    apps = [sign_in(f"user-{number}", locale="zh-CN") for number in range(-(-RUNS // RUNS_OF_A_USER))]
    runs = [(apps[number // RUNS_OF_A_USER], str(uuid.uuid4())) for number in range(RUNS)]
    inputs = [body(thread, "run-1", TEXTS[number % len(TEXTS)]) for number, (_, thread) in enumerate(runs)]
    tasks = [{"token": token_of(app), "input": arguments} for (app, _), arguments in zip(runs, inputs, strict=True)]
    value = json.dumps({"url": proxy.url, "agent": "scenes", "tasks": tasks, "atOnce": 8, "hurry": 50})
    command = ["node", str(CLIENTS / "runs.mjs")]
    ended = subprocess.run(
        command, input=value, capture_output=True, text=True, timeout=SECONDS + 2 * RUNS, check=False
    )
    assert ended.returncode == 0, ended.stderr
    for (app, thread), events in zip(runs, json.loads(ended.stdout), strict=True):
        assert events == journal(app, thread)
        assert events[-1]["event"]["type"] in {"RUN_FINISHED", "RUN_ERROR"}
    assert set(proxy.made) == {(place, ending) for place in Place for ending in Ending}, proxy.made


@pytest.mark.parametrize(
    ("ending", "place"), [(Ending.CLEAN, None), (Ending.CLEAN, Place.CHARACTER), (Ending.RESET, None)]
)
def test_a_cut_in_the_first_frame_is_no_end(
    chinese: tuple[App, str], proxy: DroppingProxy, ending: Ending, place: Place | None
) -> None:
    """EVT-04: nor is one right behind the last event that an app has shown, whether that ended the run or not."""
    app, thread = chinese
    whole = journal(app, thread)
    for after in (0, 3, whole[-1]["id"]):
        proxy.cuts = deque(Cut(size, ending, place) for size in (0, 0, 0, 20, 1, 0))
        output = follow(app, proxy.url, thread=thread, run="run-1", after=after, hurry=200)
        assert (output["told"], output["error"]) == (whole[after:], None)


def test_a_run_is_joined_after_the_last_event_that_is_known(alice: App, proxy: DroppingProxy, thread: str) -> None:
    """EVT-04: whatever came before an app was closed; after the last one there is nothing."""
    whole = journal(alice, thread)
    assert follow(alice, proxy.url, thread=thread, run="run-1", after=4)["told"] == whole[4:]
    last = whole[-1]["id"]
    assert follow(alice, str(alice.http.base_url), thread=thread, run="run-1", after=last)["told"] == []


def test_the_events_may_come_as_ag_ui_has_them(alice: App, proxy: DroppingProxy, thread: str) -> None:
    """EVT-04, EVT-24: under the same numbers; those of steps are left out."""
    output = follow(alice, proxy.url, thread=thread, run="run-1", profile="agui")
    types = [item["event"]["type"] for item in output["told"]]
    stored = [item["event"]["type"].replace("DIVINATION_DERIVED", "CUSTOM") for item in journal(alice, thread)]
    assert types == [text for text in stored if not text.startswith("STEP_")]


def test_a_conversation_is_joined_by_a_snapshot(alice: App, proxy: DroppingProxy, thread: str) -> None:
    """EVT-24: which is asked for again where it broke off; what comes behind it comes once."""
    proxy.cuts = deque([Cut(400, Ending.CLEAN), Cut(400, Ending.RESET)])
    output = follow(alice, proxy.url, thread=thread, run="run-1", profile="snapshot", hurry=200)["told"]
    assert len({item["id"] for item in output}) == 1
    types = [item["event"]["type"] for item in output]
    assert types[-1] == "RUN_FINISHED"
    assert [message["role"] for message in output[types.index("MESSAGES_SNAPSHOT")]["event"]["messages"]] == [
        "user",
        "assistant",
    ]


def test_a_refused_token_is_replaced_once(alice: App, stack: str, thread: str) -> None:
    """SEC-01: a second refusal is the app's to see."""
    good = token_of(alice)
    output = follow(alice, stack, tokens=["stale", good], thread=thread, run="run-1")
    assert (output["told"], output["refusals"]) == (journal(alice, thread), ["stale"])
    output = follow(alice, stack, tokens=["stale", "stale too", good], thread=thread, run="run-1")
    refused = {"name": "Refused", "status": 401, "code": "AUTH_UNAUTHORIZED"}
    assert output == {"told": [], "error": refused, "refusals": ["stale"]}


def test_what_passes_is_tried_again_when_the_service_says(alice: App, proxy: DroppingProxy, thread: str) -> None:
    """EVT-06: too many streams, a busy service, no connection at all."""
    proxy.answers.extend([(429, 1), (503, 0), None])
    start = time.monotonic()
    assert follow(alice, proxy.url, thread=thread, run="run-1")["told"] == journal(alice, thread)
    assert time.monotonic() - start > 1
    assert not proxy.answers


@pytest.mark.parametrize("status", [410, 403, 422])
def test_what_does_not_pass_is_the_apps_to_see(alice: App, proxy: DroppingProxy, thread: str, status: int) -> None:
    """EVT-04, ERR-01: at once."""
    proxy.answers.append((status, 0))
    refused = {"name": "Refused", "status": status, "code": "OF_THE_TEST"}
    assert follow(alice, proxy.url, thread=thread, run="run-1")["error"] == refused
    assert proxy.cursors == []


def test_an_app_that_stops_watching_cancels_nothing(alice: App, proxy: DroppingProxy) -> None:
    """EVT-04, EVT-05, CAN-04: it may come back, here after the run was cancelled."""
    thread = str(uuid.uuid4())
    task = {"agent": "scenes", "input": body(thread, "run-1", "wait")}
    stopped = follow(alice, proxy.url, **task, stopAfter=4)
    assert (len(stopped["told"]), stopped["error"]["name"]) == (4, "AbortError")
    assert cancel(alice, thread).status_code == 200
    again = follow(alice, proxy.url, **task, after=4)
    assert again["told"][-1]["event"]["code"] == "RUN_CANCELED"
    assert [*stopped["told"], *again["told"]] == journal(alice, thread)


# ---- In React Native -------------------------------------------------------------------------------------------------
def test_a_run_is_polled_where_responses_have_no_stream(alice: App, proxy: DroppingProxy) -> None:
    """EVT-04, EVT-05: events come while the run goes on, over connections that break; nothing is lost or told twice."""
    thread = str(uuid.uuid4())
    task = {"agent": "scenes", "input": body(thread, "run-1", "wait"), "isReactNative": True}
    proxy.cuts = deque([Cut(0, Ending.RESET), Cut(60, Ending.CLEAN), Cut(60, Ending.RESET)])
    shown = follow(alice, proxy.url, **task, stopAfter=4, hurry=50)
    assert (len(shown["told"]), shown["error"]["name"]) == (4, "AbortError")
    assert cancel(alice, thread).status_code == 200
    rest = follow(alice, proxy.url, **task, after=4)
    assert [*shown["told"], *rest["told"]] == journal(alice, thread)


def test_a_snapshot_is_polled_too(alice: App, stack: str, thread: str) -> None:
    """EVT-24."""
    streamed = follow(alice, stack, thread=thread, run="run-1", profile="snapshot")
    assert follow(alice, stack, thread=thread, run="run-1", profile="snapshot", isReactNative=True) == streamed


# ---- In a browser ----------------------------------------------------------------------------------------------------
def test_a_page_of_another_origin_watches_a_run(alice: App, proxy: DroppingProxy, tmp_path: Path) -> None:
    """EVT-03, EVT-04, SEC-01: preflights, a refused token and a Retry-After are all for the browser to read."""
    thread = str(uuid.uuid4())
    task: dict[str, Any] = {"url": proxy.url, "tokens": ["stale", token_of(alice)], "agent": "scenes"}
    task["input"] = body(thread, "run-1", "你好")
    proxy.answers.extend([(429, 0), None])
    files = {"/": ("text/html", CLIENTS / "run.html"), "/yarrow.js": ("text/javascript", MODULE)}
    reply = browser.report_of(files, task, tmp_path, SECONDS)
    assert reply == {"told": journal(alice, thread), "error": None}
    assert len(proxy.cursors) > 10


def test_event_source_stops_at_the_end_of_a_run(alice: App, proxy: DroppingProxy, thread: str, tmp_path: Path) -> None:
    """EVT-05: it reconnects after every stream, with the last event's number, until it gets 204."""
    proxy.added, proxy.cuts = {"Authorization": f"Bearer {token_of(alice)}"}, deque([Cut(300, Ending.RESET)])
    whole = journal(alice, thread)
    types = sorted({item["event"]["type"] for item in whole})
    task = {"url": f"{proxy.url}/api/v1/agent/runs/{thread}/events?runId=run-1", "types": types}
    output = browser.report_of({"/": ("text/html", CLIENTS / "event_source.html")}, task, tmp_path, SECONDS)
    assert output == [item["id"] for item in whole]
    assert proxy.cursors[0] is None
    assert len(proxy.cursors) == 2  # the third request got no stream


def test_browsers_and_apps_are_registered_refreshed_and_removed(alice: App, sign_in: SignIn, stack: str) -> None:
    """EVB-07, EVB-10: a browser that another user has had gets a new subscription, an app moves with its token."""
    if shutil.which("node") is None:
        pytest.skip("needs Node 20 or newer")
    tokens = [token_of(alice), token_of(sign_in("bob"))]
    value = json.dumps({"url": stack, "tokens": tokens, "app": uuid.uuid4().hex * 2})
    command = ["node", str(CLIENTS / "devices.mjs")]
    ended = subprocess.run(command, input=value, capture_output=True, text=True, timeout=SECONDS, check=False)
    assert ended.returncode == 0, ended.stderr
    told = json.loads(ended.stdout)
    first, other, phone = (told[name]["id"] for name in ("first", "other", "phone"))
    assert (told["first"]["name"], told["first"]["include"]) == ("desk", ["answer"])
    assert told["again"]["id"] == first != other
    assert len(told["keys"]) == 2  # it subscribed once for each user
    assert told["moved"]["id"] == phone
    assert (told["before"], told["after"]) == ([[phone, first], [other]], [[first], [other]])
    assert told["kinds"] == ["web", "apns", "apns_sandbox", "fcm"]
    assert told["refused"] == {"status": 422, "code": "DEVICE_KIND_UNSUPPORTED"}
    assert told["unsupported"] == "DEVICE_KIND_UNSUPPORTED"
