"""Apps as devices: registered with a token, moved to the user who is signed in, and gone with their endpoints."""

import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from functions.publish_events import app as publish_app
from local.dynamodb.table import ItemChange
from local.stack import Stack
from local.table_stream.filters import matches
from tests.support.functions.calls import Context
from tests.support.functions.deployment import configured
from tests.support.memory_aws.aws import MemoryAws
from tests.support.memory_aws.table import error
from tests.support.notifications.phones import APPLICATIONS, MemorySns
from yarrow.notifications import devices as use_cases
from yarrow.protocol.problems import Code, Problem
from yarrow.settings import settings
from yarrow.store import clock, devices, table

TOKEN = "0A" * 32


class Deployment:
    """The table, SNS, and the table's stream, which calls `publish_events` when a test says so."""

    def __init__(self, stack: Stack) -> None:
        self.aws, self.sns = MemoryAws(), MemorySns()
        self.aws.others["sns"] = self.sns
        self.removed: list[ItemChange] = []
        changed = self.aws.table._only._on_change

        def on_change(table_: Any, change: ItemChange) -> None:
            changed(table_, change)
            if change.event == "REMOVE":
                self.removed.append(change)

        self.aws.table._only._on_change = on_change
        self.patterns = [
            pattern
            for mapping in stack.stream_mappings
            if mapping.function.endswith("PublishEventsFunction")
            for pattern in mapping.patterns
        ]

    def deliver(self) -> list[str]:
        """Give the function the records that its filters let through; returns those to redeliver."""
        records = [
            {
                "eventName": "REMOVE",
                "dynamodb": {"SequenceNumber": str(number), "Keys": change.key, "StreamViewType": "NEW_IMAGE"},
            }
            for number, change in enumerate(self.removed)
        ]
        wanted = [record for record in records if any(matches(pattern, record) for pattern in self.patterns)]
        answer = publish_app.handler({"Records": wanted}, Context("publish_events"))
        return [failure["itemIdentifier"] for failure in answer["batchItemFailures"]]


@pytest.fixture(autouse=True)
def deployment(stack: Stack, monkeypatch: pytest.MonkeyPatch) -> Iterator[Deployment]:
    found = Deployment(stack)
    with configured(stack, REQUESTS_PER_MINUTE="0"), found.aws.installed():
        monkeypatch.setitem(settings.__dict__, "push_applications", APPLICATIONS)
        yield found


def register(user: str = "alice", token: str = TOKEN, kind: str = "apns", **members: Any) -> tuple[Any, bool]:
    return use_cases.register_device(json.dumps({"kind": kind, "token": token, **members}).encode(), user)


def refused(**members: Any) -> Problem:
    with pytest.raises(Problem) as caught:
        register(**members)
    return caught.value


def ids(user: str = "alice") -> list[str]:
    return [device.id for device in use_cases.list_devices(user).devices]


@pytest.mark.parametrize("kind", APPLICATIONS)
def test_an_app_is_registered_and_the_same_one_refreshed(deployment: Deployment, kind: str) -> None:
    """EVB-10: it has one endpoint in the application of its kind, and is shown without token and endpoint."""
    first, is_new = register(kind=kind)
    again, is_new_again = register(kind=kind, events=["run.failed"], include=["answer"], name="Phone")
    assert (is_new, is_new_again) == (True, False)
    assert (again.id, again.created_at, again.kind) == (first.id, first.created_at, kind)
    assert (again.events, again.include, again.name) == (("run.failed",), ("answer",), "Phone")
    assert len(deployment.sns.endpoints) == 1
    assert "arn:" not in repr(use_cases.list_devices("alice")) + repr(again)
    (stored,) = devices.of_user("alice")
    assert stored.endpoint.startswith(APPLICATIONS[kind].replace(":app/", ":endpoint/"))
    assert (stored.public_key, stored.secret) == (None, None)
    assert TOKEN not in repr(deployment.aws.table.items)


def test_a_token_is_the_same_however_it_is_written() -> None:
    """Hexadecimal digits of APNs; a token of FCM has large and small letters, which differ."""
    assert register(token=TOKEN.lower())[0].id == register(token=TOKEN.upper())[0].id
    assert register(kind="fcm", token="a")[0].id != register(kind="fcm", token="A")[0].id


def test_the_list_says_which_kinds_the_deployment_notifies(monkeypatch: pytest.MonkeyPatch) -> None:
    """EVB-10."""
    assert use_cases.list_devices("alice").kinds == ("web", "apns", "apns_sandbox", "fcm")
    monkeypatch.setitem(settings.__dict__, "push_applications", {"fcm": APPLICATIONS["fcm"]})
    monkeypatch.setitem(settings.__dict__, "web_push_contact", "")
    assert use_cases.list_devices("alice").kinds == ("fcm",)


@pytest.mark.parametrize("kind", APPLICATIONS)
def test_a_kind_without_an_application_is_refused(
    deployment: Deployment, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """EVB-10: and nothing is asked of SNS."""
    others = {name: arn for name, arn in APPLICATIONS.items() if name != kind}
    monkeypatch.setitem(settings.__dict__, "push_applications", others)
    problem = refused(kind=kind)
    assert (problem.code, problem.detail) == (Code.DEVICE_KIND_UNSUPPORTED, "invalid kind")
    assert deployment.sns.calls == []


@pytest.mark.parametrize(
    "members",
    [
        {"token": ""},
        {"token": "xy" * 32},
        {"token": "0" * 63},
        {"token": "0" * 402},
        {"kind": "fcm", "token": "with a blank"},
        {"kind": "fcm", "token": "x" * 2_049},
        {"kind": "fcm", "token": "字"},
        {"token": None},
        {"subscription": {}},
        {"events": []},
    ],
)
def test_what_is_no_app_is_refused(deployment: Deployment, members: Any) -> None:
    """ERR-11."""
    assert refused(**members).code is Code.DEVICE_INVALID
    assert (ids(), deployment.sns.calls) == ([], [])


def test_a_token_that_sns_refuses_is_refused(deployment: Deployment) -> None:
    """EVB-10: What SNS says about it is not repeated."""

    def refuse(action: str) -> None:
        raise error(action, "InvalidParameter", f"Invalid parameter: Token Reason: {TOKEN}")

    deployment.sns.refuse = refuse
    problem = refused()
    assert (problem.code, problem.detail) == (Code.DEVICE_INVALID, "invalid token")
    assert TOKEN not in str(problem.params)


def test_an_app_goes_to_the_user_who_signs_in(deployment: Deployment) -> None:
    """EVB-10, SEC-03: the one before gets nothing on this phone any more, and can remove nothing of the other's."""
    other, _ = register("alice", token="0b" * 32)
    device, _ = register("alice")
    moved, is_new = register("bob")
    assert (moved.id, is_new) == (device.id, True)
    assert (ids("alice"), ids("bob")) == ([other.id], [device.id])
    use_cases.remove_device("alice", device.id)
    assert deployment.deliver() == []
    assert ids("bob") == [device.id]
    assert len(deployment.sns.endpoints) == 2


def test_an_app_that_two_users_register_at_once_is_of_one_of_them() -> None:
    """EVB-10: whoever comes last has it, alone."""
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(register, ["alice", "bob"] * 2))
    assert sorted([len(ids("alice")), len(ids("bob"))]) == [0, 1]


def test_all_kinds_count_together(deployment: Deployment) -> None:
    """EVB-10: a refused app leaves no endpoint, and whoever had it before is not told of runs on this phone."""
    for number in range(devices.MAX_DEVICES):
        register(token=f"{number:064x}")
    register("bob", token=TOKEN)
    assert refused(token=TOKEN).code is Code.DEVICE_LIMIT
    assert len(ids()) == devices.MAX_DEVICES
    assert TOKEN.lower() not in deployment.sns.endpoints


def test_a_removed_app_takes_its_endpoint_along(deployment: Deployment) -> None:
    """EVB-10: once the table's stream tells of it, however often it does so."""
    device, _ = register()
    use_cases.remove_device("alice", device.id)
    for _ in range(2):
        assert deployment.deliver() == []
    assert deployment.sns.endpoints == []
    assert deployment.aws.table.items == [item for item in deployment.aws.table.items if "DEVICES" in str(item["sk"])]


def test_an_app_that_nobody_refreshes_takes_its_endpoint_along(deployment: Deployment) -> None:
    """EVB-10: Time to live deletes the item, whose key alone the stream tells."""
    register()
    deployment.aws.table._only.ttl_attribute = "expires_at"
    deployment.aws.table._only.delete_expired(clock.now().timestamp() + (devices.KEPT_DAYS + 1) * 86_400)
    assert deployment.deliver() == []
    assert deployment.sns.endpoints == []
    assert ids() == []


def test_an_app_that_came_again_keeps_its_endpoint(deployment: Deployment) -> None:
    """EVB-10: the record of its removal may come late."""
    device, _ = register()
    use_cases.remove_device("alice", device.id)
    register("bob")
    assert deployment.deliver() == []
    assert deployment.sns.endpoints == [TOKEN.lower()]


def test_an_endpoint_that_went_while_its_app_was_registered_is_made_anew(deployment: Deployment) -> None:
    """EVB-10."""
    device, _ = register()
    use_cases.remove_device("alice", device.id)

    def late(action: str) -> None:
        if action == "SetEndpointAttributes":
            deployment.sns.refuse = lambda _: None
            deployment.sns.applications.call("DeleteEndpoint", {"EndpointArn": devices.of_user("bob")[0].endpoint})

    deployment.sns.refuse = late
    assert register("bob")[1]
    assert deployment.sns.endpoints == [TOKEN.lower()]
    (stored,) = devices.of_user("bob")
    deployment.sns.applications.call("SetEndpointAttributes", {"EndpointArn": stored.endpoint})


def test_an_endpoint_that_was_disabled_is_enabled_with_the_next_registration(deployment: Deployment) -> None:
    """EVB-10: SNS names it in an error."""
    register()
    (stored,) = devices.of_user("alice")
    disable = {"Attributes.entry.1.key": "Enabled", "Attributes.entry.1.value": "false"}
    deployment.sns.applications.call("SetEndpointAttributes", {"EndpointArn": stored.endpoint, **disable})
    register()
    assert devices.of_user("alice")[0].endpoint == stored.endpoint
    assert deployment.sns.calls[-2:] == ["CreatePlatformEndpoint", "SetEndpointAttributes"]


@pytest.mark.parametrize(("code", "comes_again"), [("InternalError", True), ("AuthorizationError", False)])
def test_an_endpoint_that_cannot_be_deleted_is_tried_again(
    deployment: Deployment, code: str, comes_again: bool
) -> None:
    """EVB-10: but not one of an application that is no longer the deployment's, which would hold up the stream."""
    device, _ = register()
    use_cases.remove_device("alice", device.id)

    def refuse(action: str) -> None:
        raise error(action, code, "")

    deployment.sns.refuse = refuse
    assert bool(deployment.deliver()) is comes_again
    deployment.sns.refuse = lambda _: None
    assert deployment.deliver() == []


def test_a_browser_has_no_item_of_an_endpoint() -> None:
    """EVB-07."""
    about: dict[str, Any] = {"events": ("run.failed",), "created_at": clock.now_iso(), "refreshed_at": clock.now_iso()}
    endpoint = "https://push.example.com/1"
    browser = devices.StoredDevice(id=devices.id_of(endpoint), kind="web", endpoint=endpoint, **about)
    devices.save("alice", browser)
    assert [item["sk"] for item in table.query(f"DEVICE#{browser.id}", start="A", before="~")] == ["DEVICE"]
