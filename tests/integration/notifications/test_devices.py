"""Devices of users: registered, refreshed, listed and removed, each its user's alone."""

import json
import uuid
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any

import pytest

from local.stack import Stack
from tests.support.functions.deployment import configured
from tests.support.memory_aws.aws import MemoryAws
from yarrow.notifications import devices as use_cases
from yarrow.protocol.problems import Code, Problem
from yarrow.settings import settings
from yarrow.store import clock, devices, table

KEYS = {
    "p256dh": "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
    "auth": "BTBZMqHH6r4Tts7J_aSIgg",
}
ENDPOINT = "https://updates.push.services.mozilla.com/wpush/v2/"


@pytest.fixture(autouse=True)
def memory(stack: Stack) -> Iterator[MemoryAws]:
    aws = MemoryAws()
    with configured(stack, REQUESTS_PER_MINUTE="0"), aws.installed():
        yield aws


def body(place: str = "1", **members: Any) -> dict[str, Any]:
    subscription = {"endpoint": ENDPOINT + place, "expirationTime": None, "keys": KEYS}
    return {"kind": "web", "subscription": subscription, **members}


def register(user: str = "alice", document: Any = None) -> tuple[Any, bool]:
    return use_cases.register_device(json.dumps(body() if document is None else document).encode(), user)


def ids(user: str = "alice") -> list[str]:
    return [device.id for device in use_cases.list_devices(user).devices]


def refused(document: Any, user: str = "alice") -> Problem:
    with pytest.raises(Problem) as caught:
        register(user, document)
    return caught.value


def test_a_device_is_registered_and_the_same_one_refreshed() -> None:
    """EVB-07: it asks for all events and no content unless it says so; a second registration replaces the first."""
    first, is_new = register()
    assert is_new
    assert (first.kind, first.events, first.include) == ("web", ("run.completed", "run.failed", "interrupt.opened"), ())
    again, is_new = register(document=body(events=["run.failed"], include=["answer", "answer"], name="Firefox"))
    assert not is_new
    assert (again.id, again.created_at, again.events) == (first.id, first.created_at, ("run.failed",))
    assert (again.include, again.name, again.while_watched) == (("answer",), "Firefox", False)
    assert use_cases.list_devices("alice").devices == (again,)


def test_the_same_device_twice_in_a_millisecond_is_refreshed(monkeypatch: pytest.MonkeyPatch) -> None:
    """EVB-07: what is stored says whether it is new; times do not, for two requests can come at the same."""
    now = clock.now()
    monkeypatch.setattr("yarrow.store.clock.now", lambda: now)
    assert [register()[1] for _ in range(2)] == [True, False]


def test_a_list_shows_no_endpoint_and_the_key_to_subscribe_to() -> None:
    """EVB-07: whoever has an endpoint and its keys can write to the browser."""
    register()
    found = use_cases.list_devices("alice")
    assert ENDPOINT not in repr(found)
    assert KEYS["auth"] not in repr(found)
    assert found.web is not None
    assert len(found.web.application_server_key) == 87


def test_a_device_that_was_registered_last_comes_first() -> None:
    first, second = (register(document=body(place))[0].id for place in "12")
    assert ids() == [second, first]
    register()
    assert ids() == [first, second]


def test_a_removed_device_is_gone_and_can_come_back() -> None:
    device, _ = register()
    for _ in range(2):
        use_cases.remove_device("alice", device.id.upper())
    assert ids() == []
    assert table.get({"pk": f"DEVICE#{device.id}", "sk": "DEVICE"}) is None
    assert register("bob")[0].id == device.id


@pytest.mark.parametrize("no_id", ["", "1", "../x", "0" * 36])
def test_what_is_no_id_is_refused(no_id: str) -> None:
    with pytest.raises(Problem) as caught:
        use_cases.remove_device("alice", no_id)
    assert caught.value.code is Code.DEVICE_INVALID


def test_a_browser_of_another_user_is_not_taken_over() -> None:
    """EVB-07, SEC-03: its user's notifications would be shown to someone else; nor can another user remove it."""
    device, _ = register("alice")
    assert refused(body(), "bob").code is Code.DEVICE_OF_OTHER_USER
    use_cases.remove_device("bob", device.id)
    assert (ids("alice"), ids("bob")) == ([device.id], [])


def test_a_user_has_so_many_devices_and_no_more() -> None:
    """EVB-07: whoever has them all can still refresh one, and replace one by removing it."""
    registered = [register(document=body(str(number)))[0].id for number in range(devices.MAX_DEVICES)]
    problem = refused(body("more"))
    assert (problem.code, problem.params) == (Code.DEVICE_LIMIT, {"limit": devices.MAX_DEVICES})
    assert not register(document=body("0"))[1]
    use_cases.remove_device("alice", registered[0])
    assert register(document=body("more"))[1]
    assert len(ids()) == devices.MAX_DEVICES


def test_devices_that_come_at_once_are_all_kept() -> None:
    """EVB-07: none writes over another."""
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda place: register(document=body(place)), "1234"))
    assert len(ids()) == 4


def test_a_device_that_nobody_refreshes_is_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    """EVB-07: another user may then have the browser."""
    device, _ = register()
    later = clock.now() + timedelta(days=devices.KEPT_DAYS, seconds=1)
    monkeypatch.setattr("yarrow.store.clock.now", lambda: later)
    monkeypatch.setattr("yarrow.store.clock.epoch_in", lambda days: int(later.timestamp()) + days * 86_400)
    assert ids() == []
    assert register("bob")[0].id == device.id


@pytest.mark.parametrize(
    ("document", "code"),
    [
        (body(kind="pigeon"), Code.DEVICE_KIND_UNSUPPORTED),
        (body(kind="fcm"), Code.DEVICE_INVALID),
        ({}, Code.DEVICE_INVALID),
        ([], Code.DEVICE_INVALID),
        (body(events=[]), Code.DEVICE_INVALID),
        (body(events=["run.canceled"]), Code.DEVICE_INVALID),
        (body(include=["everything"]), Code.DEVICE_INVALID),
        (body(more=1), Code.DEVICE_INVALID),
        (body(subscription={"endpoint": ENDPOINT}), Code.DEVICE_INVALID),
        (body(subscription={"endpoint": ENDPOINT, "keys": KEYS | {"auth": "short"}}), Code.DEVICE_INVALID),
        (body(subscription={"endpoint": ENDPOINT, "keys": KEYS | {"p256dh": "A" * 87}}), Code.DEVICE_INVALID),
        (body(name="x" * 101), Code.DEVICE_INVALID),
        (body(name="x" * 9_000), Code.REQUEST_TOO_LARGE),
    ],
)
def test_what_is_no_device_is_refused(document: Any, code: Code) -> None:
    """ERR-11."""
    assert refused(document).code is code
    assert ids() == []


@pytest.mark.parametrize(
    "endpoint",
    [
        "http://updates.push.services.mozilla.com/wpush",
        "ftp://updates.push.services.mozilla.com/wpush",
        "https://example.com/wpush",
        "https://evilpush.apple.com.example.com/x",
        "https://notpush.apple.com.",
        "https://xpush.apple.com/",
        "https://user:word@web.push.apple.com/",
        "https://web.push.apple.com@10.0.0.1/",
        "https://web.push.apple.com:port/",
        "https://web.push.apple.com\\@10.0.0.1/",
        "https://10.0.0.1/web.push.apple.com",
        "https://169.254.169.254/latest/meta-data",
        "https://[::1]/",
        "https://127.0.0.1/",
        "http://localhost:9001/2018-06-01/runtime/invocation/next",
        "https://[::ffff:10.0.0.1]/",
        "https://2130706433/",
        "https://web.push.apple.com/#fragment",
        "//web.push.apple.com/",
        "web.push.apple.com",
        "https://",
        "https:///x",
        "https://[::1/",
        "https://wéb.push.apple.com/",
    ],
)
def test_an_endpoint_that_is_no_push_service_is_refused(endpoint: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """EVB-07, SEC-07: private, not https, or a host that the deployment does not send to."""
    monkeypatch.setitem(settings.__dict__, "in_lambda", True)
    problem = refused(body(subscription={"endpoint": endpoint, "keys": KEYS}))
    assert problem.code is Code.DEVICE_ENDPOINT_FORBIDDEN
    assert endpoint not in str(problem.params) + problem.detail


@pytest.mark.parametrize(
    "endpoint",
    [
        "https://fcm.googleapis.com/fcm/send/abc:def",
        "https://updates.push.services.mozilla.com/wpush/v2/a",
        "https://web.push.apple.com/Q",
        "https://WNS2-pn1p.notify.windows.com/w/?token=a%2b",
    ],
)
def test_the_push_services_of_browsers_are_taken(endpoint: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """EVB-07."""
    monkeypatch.setitem(settings.__dict__, "in_lambda", True)
    assert register(document=body(subscription={"endpoint": endpoint, "keys": KEYS}))[1]


def test_the_local_stack_alone_sends_to_its_own_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    """EVB-07."""
    document = body(subscription={"endpoint": f"http://127.0.0.1:3000/{uuid.uuid4()}", "keys": KEYS})
    assert register(document=document)[1]
    monkeypatch.setitem(settings.__dict__, "in_lambda", True)
    assert refused(document).code is Code.DEVICE_ENDPOINT_FORBIDDEN


def test_a_deployment_without_a_contact_takes_no_browser(monkeypatch: pytest.MonkeyPatch) -> None:
    """EVB-07: notifications are off by default."""
    monkeypatch.setitem(settings.__dict__, "web_push_contact", "")
    assert refused(body()).code is Code.DEVICE_KIND_UNSUPPORTED
    assert use_cases.list_devices("alice").web is None
