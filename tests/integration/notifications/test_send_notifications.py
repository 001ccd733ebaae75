"""What devices are told of a deployment's events: by browsers that decrypt it, on virtual time."""

from collections.abc import Iterator
from datetime import timedelta
from itertools import pairwise
from typing import Any

import pytest

from tests.bench import scale
from tests.support.functions.api_calls import watched
from tests.support.notifications.deployment import BEGINNING, SERVICE, THREAD, NotificationDeployment, event
from tests.support.notifications.questions import ask
from yarrow.notifications import messages, queue
from yarrow.notifications.devices import list_devices
from yarrow.notifications.send_notifications import MAX_ATTEMPTS
from yarrow.outbound.posting import PostResult
from yarrow.store import clock, devices, questions, table
from yarrow.store.limits import stream_slots


def test_every_device_of_the_user_is_told_and_no_other(deployment: NotificationDeployment) -> None:
    """EVB-09: ids and nothing of the content."""
    own = [deployment.browser(name) for name in "12"]
    other = deployment.browser("3", "bob")
    deployment.publish(event())
    told = {
        "type": "run.completed",
        "threadId": THREAD,
        "runId": "run-1",
        "agent": "assistant",
        "timestamp": clock.iso(BEGINNING),
    }
    assert [browser.messages for browser in own] == [[told], [told]]
    assert other.messages == []


def test_a_message_makes_the_calls_that_the_length_of_a_burst_is_reckoned_from(
    deployment: NotificationDeployment,
) -> None:
    """As docs/scale.md has it."""
    browser = deployment.browser()
    with watched() as calls:
        deployment.publish(event())
    assert (len(browser.messages), calls.made) == (1, ["GetItem"] * scale.NOTIFICATION_CALLS)


def test_a_question_is_urgent_and_kept_until_it_expires(deployment: NotificationDeployment) -> None:
    """EVB-09: an end is kept for a day; what is of one session has one topic, so that a later message replaces it."""
    browser = deployment.browser()
    ask()
    deployment.now += timedelta(minutes=10)
    for one in (event(), event("interrupt.opened"), event("run.failed", threadId="another")):
        deployment.publish(one)
    kept = [(headers["Urgency"], int(headers["TTL"])) for _, headers in browser.requests]
    assert kept == [("normal", 85_800), ("high", 6_600), ("normal", 85_800)]
    first, second, third = (headers["Topic"] for _, headers in browser.requests)
    assert first == second != third
    assert len(first) == 32
    assert [message.get("interruptId") for message in browser.messages] == [None, "0" * 32, None]


def test_of_what_comes_together_a_device_gets_the_latest_of_each_session(deployment: NotificationDeployment) -> None:
    """EVB-09: which would replace the others; posts side by side may arrive in another order."""
    one, other = deployment.browser("1"), deployment.browser("2", events=["run.completed"])
    later = clock.iso(BEGINNING + timedelta(seconds=1))
    deployment.publish(
        {**event("run.failed", run="run-2"), "timestamp": later},
        event(),
        event("run.failed", run="run-3", threadId="another"),
    )
    deployment.run()
    assert sorted((message["runId"], message["type"]) for message in one.messages) == [
        ("run-2", "run.failed"),
        ("run-3", "run.failed"),
    ]
    assert [message["runId"] for message in other.messages] == ["run-1"]


def test_a_run_that_asks_is_told_of_by_its_question_alone(deployment: NotificationDeployment) -> None:
    """EVB-09."""
    browser = deployment.browser()
    deployment.publish(event(outcome="interrupt"))
    assert browser.messages == []


def test_a_question_that_was_answered_meanwhile_is_told_to_nobody(deployment: NotificationDeployment) -> None:
    """EVB-09: nor one that has expired."""
    browser = deployment.browser()
    table.transact(*questions.close("alice", ask(), "answered", "0" * 64, "key"))
    deployment.publish(event("interrupt.opened"))
    deployment.publish(event("interrupt.opened", interruptId="1" * 32))
    assert browser.messages == []


def test_what_happened_long_ago_is_told_to_nobody(deployment: NotificationDeployment) -> None:
    """EVB-09: events may come a day late."""
    browser = deployment.browser()
    deployment.now += messages.KEPT
    deployment.publish(event())
    assert browser.messages == []


def test_a_device_is_told_what_it_asks_for(deployment: NotificationDeployment) -> None:
    """EVB-09."""
    browser = deployment.browser(events=["run.failed"])
    deployment.publish(event(), event("run.failed"))
    assert [message["type"] for message in browser.messages] == ["run.failed"]


# ---- Content ---------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("text", "shown"),
    [("It is\n\nready.", "It is ready."), ("字" * 500, "字" * (messages.MAX_TEXT_LENGTH - 1) + "…")],
)
def test_content_is_sent_to_devices_that_ask_for_it(
    deployment: NotificationDeployment, monkeypatch: pytest.MonkeyPatch, text: str, shown: str
) -> None:
    """EVB-09: the beginning of an answer or a question, whatever fits a push."""
    monkeypatch.setattr("yarrow.store.run_answers.answer_of", lambda *_: text)
    asking, other = deployment.browser("1", include=["answer", "question"]), deployment.browser("2")
    ask(message=text)
    deployment.publish(event())
    deployment.publish(event("interrupt.opened"))
    assert [message.get("answer", message.get("question")) for message in asking.messages] == [shown, shown]
    assert not any({"answer", "question"} & message.keys() for message in other.messages)


# ---- Quiet -----------------------------------------------------------------------------------------------------------
def test_who_watches_a_run_is_not_told_of_it(deployment: NotificationDeployment) -> None:
    """EVB-09: nor who has just seen its end, before the event comes; a device may ask to be told all the same."""
    quiet, always = deployment.browser("1"), deployment.browser("2", whileWatched=True)
    slot = stream_slots.acquire("alice", 5, "key-of-run-1")
    assert slot is not None
    deployment.publish(event())
    stream_slots.release(slot, has_shown_end=True)
    deployment.publish(event())
    assert (len(quiet.messages), len(always.messages)) == (0, 2)


def test_a_stream_that_was_left_before_the_end_is_no_reason_to_be_quiet(deployment: NotificationDeployment) -> None:
    """EVB-09: nor is one of another run, or of another user."""
    browser = deployment.browser()
    slot = stream_slots.acquire("alice", 5, "key-of-run-1")
    assert slot is not None
    stream_slots.release(slot)
    for user, run in (("alice", "key-of-run-2"), ("bob", "key-of-run-1")):
        assert stream_slots.acquire(user, 5, run) is not None
    deployment.publish(event())
    assert len(browser.messages) == 1


# ---- Push services ---------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("status", [404, 410])
def test_a_device_that_is_gone_is_removed(deployment: NotificationDeployment, status: int) -> None:
    """EVB-09: the others are told, and it is not asked again."""
    gone, there = deployment.browser("1"), deployment.browser("2")
    gone.answer = lambda: PostResult(1, status)
    deployment.publish(event(), event("run.failed", run="run-2", threadId="another"))
    deployment.run()
    assert len(there.messages) == 2
    assert [device.id for device in list_devices("alice").devices] == [devices.id_of(there.endpoint)]
    assert len(gone.requests) <= 2


@pytest.mark.parametrize(
    "result", [PostResult(1, 429), PostResult(1, 500), PostResult(1, 503), PostResult(1, error="no")]
)
def test_a_push_service_that_is_busy_is_tried_again_and_then_no_more(
    deployment: NotificationDeployment, result: PostResult
) -> None:
    """EVB-09: after growing pauses, and only that device."""
    busy, there = deployment.browser("1"), deployment.browser("2")
    busy.answer = lambda: result
    deployment.publish(event())
    deployment.run()
    times = [at for at, _ in busy.requests]
    assert [later - earlier for earlier, later in pairwise(times)] == list(queue.PAUSES)
    assert len(times) == MAX_ATTEMPTS
    assert len(there.messages) == 1
    assert deployment.queue.dead == []
    assert len(list_devices("alice").devices) == 2


@pytest.mark.parametrize(("seconds", "pause"), [(5.0, 10), (120.0, 120), (86_400.0, 900)])
def test_a_push_service_says_when_to_come_again(deployment: NotificationDeployment, seconds: float, pause: int) -> None:
    """EVB-09: as far as a queue can wait; the message comes once."""
    browser = deployment.browser()
    answers: Iterator[Any] = iter([PostResult(1, 429, retry_after=seconds), PostResult(1, 201)])
    browser.answer = lambda: next(answers)
    deployment.publish(event())
    deployment.run()
    assert [at for at, _ in browser.requests] == [BEGINNING, BEGINNING + timedelta(seconds=pause)]
    assert len(browser.messages) == 1


@pytest.mark.parametrize("status", [400, 401, 403, 413, 302])
def test_what_a_push_service_refuses_is_not_sent_again(deployment: NotificationDeployment, status: int) -> None:
    """EVB-09: nor is the device removed, whose fault it is not."""
    browser = deployment.browser()
    browser.answer = lambda: PostResult(1, status)
    deployment.publish(event())
    deployment.run()
    assert len(browser.requests) == 1
    assert len(list_devices("alice").devices) == 1


def test_a_device_that_was_removed_is_not_tried_again(deployment: NotificationDeployment) -> None:
    """EVB-09: nor is a question that was answered between two attempts."""
    browser = deployment.browser()
    browser.answer = lambda: PostResult(1, 503)
    question = ask()
    deployment.publish(event(), event("interrupt.opened", threadId="another"))
    table.transact(*questions.close("alice", question, "answered", "0" * 64, "key"))
    devices.remove("alice", devices.id_of(SERVICE + "1"))
    deployment.run()
    assert len(browser.requests) == 2


def test_a_message_that_cannot_be_handled_is_put_aside_and_holds_up_no_other(
    deployment: NotificationDeployment,
) -> None:
    """EVB-09."""
    browser = deployment.browser()
    deployment.queue.put("no JSON")
    deployment.queue.put({"detail": {"type": "run.completed", "data": {}}})
    deployment.publish(event())
    deployment.run()
    assert len(browser.messages) == 1
    assert len(deployment.queue.dead) == 2
