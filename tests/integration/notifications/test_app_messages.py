"""What apps are told of a deployment's events: by APNs and FCM as Amazon SNS hands them on, on virtual time."""

import json
from datetime import timedelta
from itertools import pairwise
from typing import Any

import pytest
from botocore.exceptions import ClientError, EndpointConnectionError

from tests.support.notifications.deployment import BEGINNING, THREAD, NotificationDeployment, event
from tests.support.notifications.phones import APPLICATIONS
from tests.support.notifications.questions import ask
from yarrow.notifications import messages, queue
from yarrow.notifications.devices import list_devices
from yarrow.notifications.send_notifications import MAX_ATTEMPTS
from yarrow.store import clock, table
from yarrow.store.limits import stream_slots

TOLD = {
    "type": "run.completed",
    "threadId": THREAD,
    "runId": "run-1",
    "agent": "assistant",
    "timestamp": clock.iso(BEGINNING),
}


def refusal(code: str, status: int = 400) -> ClientError:
    answer: Any = {"Error": {"Code": code, "Message": code}, "ResponseMetadata": {"HTTPStatusCode": status}}
    return ClientError(answer, "Publish")


def refusing(deployment: NotificationDeployment, error: Exception) -> None:
    """Have SNS refuse every message."""

    def refuse(action: str) -> None:
        if action == "Publish":
            raise error

    deployment.sns.refuse = refuse


@pytest.mark.parametrize("kind", ["apns", "apns_sandbox"])
def test_apns_gets_ids_and_the_key_of_a_title(deployment: NotificationDeployment, kind: str) -> None:
    """EVB-11: and nothing of the content; what is of one session replaces itself."""
    deployment.phone(kind)
    for told in (event(), event("run.failed", run="run-2"), event(threadId="another")):
        deployment.publish(told)
    assert [push["kind"] for push in deployment.sns.pushes] == [kind] * 3
    first, second, third = deployment.sns.pushes
    alert = {"title-loc-key": "yarrow_run_completed"}
    aps = {"alert": alert, "sound": "default", "thread-id": THREAD, "badge": 0}
    assert first["message"] == {"aps": aps, **TOLD}
    assert (first["ttl"], first["urgency"]) == (86_400, "normal")
    assert second["message"]["aps"]["alert"] == {"title-loc-key": "yarrow_run_failed"}
    assert first["topic"] == second["topic"] != third["topic"]


def test_fcm_gets_the_same_for_android_and_for_apples_devices(deployment: NotificationDeployment) -> None:
    """EVB-11."""
    deployment.phone("fcm")
    deployment.publish(event())
    (push,) = deployment.sns.pushes
    message, topic = push["message"], push["topic"]
    assert message["data"] == TOLD
    notification = {"title_loc_key": "yarrow_run_completed", "tag": topic, "notification_count": 0}
    assert message["android"]["notification"] == notification
    assert (message["android"]["ttl"], message["android"]["collapse_key"]) == ("86400s", topic)
    assert message["apns"]["headers"]["apns-collapse-id"] == topic
    assert message["apns"]["headers"]["apns-expiration"] == str(int((BEGINNING + messages.KEPT).timestamp()))
    assert message["apns"]["payload"]["aps"]["alert"] == {"title-loc-key": "yarrow_run_completed"}


def test_a_question_is_urgent_and_the_badge_counts_those_that_are_open(deployment: NotificationDeployment) -> None:
    """EVB-11: kept until it expires; another user's do not count, nor those that are over."""
    for kind in APPLICATIONS:
        deployment.phone(kind, token=kind.encode().hex() * 8)
    open_still = clock.iso(clock.now() + timedelta(days=10_000))  # by any clock
    ask(closes_at=open_still)
    ask(question="1" * 32, closes_at=open_still)
    ask("bob", question="2" * 32, closes_at=open_still)
    ask(question="3" * 32, closes_at=clock.iso(BEGINNING - timedelta(days=1)))
    deployment.publish(event("interrupt.opened"))
    assert [(push["urgency"], push["ttl"]) for push in deployment.sns.pushes] == [("high", 7_200)] * 3
    badges = {push["kind"]: push["message"] for push in deployment.sns.pushes}
    assert badges["apns"]["aps"]["badge"] == badges["apns_sandbox"]["aps"]["badge"] == 2
    assert badges["fcm"]["android"]["notification"]["notification_count"] == 2
    assert badges["apns"]["interruptId"] == badges["fcm"]["data"]["interruptId"] == "0" * 32


def test_a_browser_alone_has_no_question_counted(
    deployment: NotificationDeployment, monkeypatch: pytest.MonkeyPatch
) -> None:
    """EVB-11: a read less for each event."""
    monkeypatch.setattr("yarrow.store.questions.count_open", lambda *_: pytest.fail("counted"))
    browser = deployment.browser()
    deployment.publish(event())
    assert len(browser.messages) == 1


@pytest.mark.parametrize("kind", APPLICATIONS)
def test_content_is_the_body_of_those_that_ask_for_it_and_fits(
    deployment: NotificationDeployment, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    """EVB-11: the longest one is under the 4 KiB that platforms take, which the local SNS checks."""
    monkeypatch.setattr("yarrow.store.run_answers.answer_of", lambda *_: "😀" * 500)
    deployment.phone(kind, include=["answer"])
    deployment.publish(event(runId="r" * 128, jobId="j" * 36))
    (push,) = deployment.sns.pushes
    shown = "😀" * (messages.MAX_TEXT_LENGTH - 1) + "…"
    message = push["message"]
    assert shown == (message["android"]["notification"] if kind == "fcm" else message["aps"]["alert"])["body"]
    assert json.dumps(message, ensure_ascii=False).count(shown) == (2 if kind == "fcm" else 1)


def test_browsers_and_apps_are_told_together_and_quiet_while_watched(deployment: NotificationDeployment) -> None:
    """EVB-11, EVB-09."""
    browser = deployment.browser()
    deployment.phone(token="0a" * 32)
    deployment.phone(token="0b" * 32, whileWatched=True)
    deployment.publish(event())
    assert (len(browser.messages), len(deployment.sns.pushes)) == (1, 2)
    assert stream_slots.acquire("alice", 5, "key-of-run-2") is not None
    deployment.publish(event(run="run-2"))
    assert (len(browser.messages), len(deployment.sns.pushes)) == (1, 3)


def test_another_user_of_the_phone_gets_nothing_of_the_first(deployment: NotificationDeployment) -> None:
    """EVB-10, SEC-03."""
    deployment.phone(user="alice")
    deployment.phone(user="bob")
    deployment.publish(event(user="alice"), event(user="bob", run="run-of-bob"))
    assert [push["message"]["data"]["runId"] for push in deployment.sns.pushes] == ["run-of-bob"]


def test_an_app_that_was_removed_from_its_phone_is_removed(deployment: NotificationDeployment) -> None:
    """EVB-11: SNS takes the first message before it learns so, and refuses the next."""
    deployment.phone()
    deployment.sns.applications.remove_app("a1" * 32)
    deployment.publish(event())
    assert len(list_devices("alice").devices) == 1
    deployment.publish(event("run.failed", run="run-2"))
    deployment.run()
    assert list_devices("alice").devices == ()
    assert deployment.sns.pushes == []
    assert deployment.sns.calls.count("Publish") == 2


@pytest.mark.parametrize("code", ["EndpointDisabled", "NotFound"])
def test_an_endpoint_that_is_gone_removes_its_device(deployment: NotificationDeployment, code: str) -> None:
    """EVB-11: and its items, whose end has the endpoint deleted."""
    device = deployment.phone()
    refusing(deployment, refusal(code))
    deployment.publish(event())
    assert list_devices("alice").devices == ()
    assert list(table.query(f"DEVICE#{device}", start="A", before="~")) == []


@pytest.mark.parametrize(
    "error",
    [
        refusal("Throttled", 429),
        refusal("ThrottlingException"),
        refusal("InternalError", 500),
        EndpointConnectionError(endpoint_url="https://sns.eu-west-1.amazonaws.com"),
    ],
)
def test_sns_that_is_busy_is_tried_again_and_then_no_more(deployment: NotificationDeployment, error: Exception) -> None:
    """EVB-11: after growing pauses, and only that device."""
    browser = deployment.browser()
    deployment.phone()
    times = []

    def refuse(action: str) -> None:
        if action == "Publish":
            times.append(deployment.now)
            raise error

    deployment.sns.refuse = refuse
    deployment.publish(event())
    deployment.run()
    assert [later - earlier for earlier, later in pairwise(times)] == list(queue.PAUSES)
    assert len(times) == MAX_ATTEMPTS
    assert len(browser.messages) == 1
    assert len(list_devices("alice").devices) == 2


@pytest.mark.parametrize(
    "error", [refusal("InvalidParameter"), refusal("PlatformApplicationDisabled"), refusal("AuthorizationError", 403)]
)
def test_what_sns_refuses_is_not_sent_again(deployment: NotificationDeployment, error: Exception) -> None:
    """EVB-11: nor is the device removed, whose fault it is not."""
    deployment.phone()
    refusing(deployment, error)
    deployment.publish(event())
    deployment.run()
    assert deployment.sns.calls.count("Publish") == 1
    assert len(list_devices("alice").devices) == 1
