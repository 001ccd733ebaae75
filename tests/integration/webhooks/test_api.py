"""`/api/v1/webhooks` as a function (EVB-04)."""

import json
import uuid
from typing import Any

import pytest

from tests.support.functions.calls import Answer, invoke
from tests.support.functions.payloads import EVENTS, with_query
from tests.support.webhooks.deployment import OPERATOR, WebhookDeployment, event
from yarrow.protocol.caller import Caller
from yarrow.settings import settings
from yarrow.store.webhooks import webhooks
from yarrow.webhooks.change_webhook import change_webhook

USER = Caller("alice")
FIELDS: dict[str, Any] = {"url": "https://hooks.example.com/in?key=1", "events": ["run.completed", "job.paused"]}


def call(
    name: str, body: Any = None, caller: Caller = OPERATOR, query: dict[str, str] | None = None, **ids: str
) -> Answer:
    payload = json.loads((EVENTS / f"api_gateway_{name}.json").read_text(encoding="utf-8"))
    path = payload["resource"]
    for member, value in ids.items():
        path = path.replace(f"{{{member}}}", value)
    payload |= {"path": path, "pathParameters": ids or None, "body": None if body is None else json.dumps(body)}
    payload["requestContext"]["authorizer"] = caller.to_authorizer()
    answer: Answer = invoke(name, with_query(payload, **query) if query else payload)
    return answer


def created(caller: Caller = OPERATOR, **fields: Any) -> dict[str, Any]:
    answer = call("create_webhook", FIELDS | fields, caller)
    assert answer.status == 201, answer.body
    return answer.document


@pytest.mark.usefixtures("deployment")
def test_the_secret_is_told_once() -> None:
    """EVB-04."""
    webhook = created(agents=["divination"], include=["answer"], description="for the team")
    secret = webhook.pop("secret")
    assert secret.startswith("whsec_")
    assert webhook["scope"] == "deployment"
    assert call("list_webhooks").document == {"webhooks": [webhook]}
    read = call("get_webhook", webhookId=webhook["id"])
    assert read.document == webhook | {"deliveries": [], "hasMore": False}
    assert secret not in read.body.decode()


@pytest.mark.usefixtures("deployment")
def test_operators_share_the_webhooks_of_the_deployment() -> None:
    """EVB-04."""
    webhook = created()
    other = Caller("second operator", operates=True)
    assert call("change_webhook", {"description": "ours"}, other, webhookId=webhook["id"]).status == 200
    assert call("list_webhooks").document["webhooks"][0]["description"] == "ours"


@pytest.mark.parametrize(
    ("mode", "operator", "user"), [("off", 403, 403), ("operators", 201, 403), ("users", 201, 201)]
)
@pytest.mark.usefixtures("deployment")
def test_the_deployment_says_who_may(monkeypatch: pytest.MonkeyPatch, mode: str, operator: int, user: int) -> None:
    """EVB-04."""
    monkeypatch.setitem(settings.__dict__, "webhooks", mode)
    assert call("create_webhook", FIELDS).status == operator
    assert call("create_webhook", FIELDS, USER).status == user


@pytest.mark.usefixtures("deployment")
def test_a_users_webhook_is_theirs_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """EVB-04, SEC-03: an operator manages those of the deployment."""
    monkeypatch.setitem(settings.__dict__, "webhooks", "users")
    webhook = created(USER)
    assert webhook["scope"] == "user"
    for caller in (OPERATOR, Caller("bob")):
        assert call("list_webhooks", caller=caller).document == {"webhooks": []}
        for name in ("get_webhook", "test_webhook", "rotate_webhook_secret"):
            assert call(name, caller=caller, webhookId=webhook["id"]).document["code"] == "WEBHOOK_NOT_FOUND"
        assert call("delete_webhook", caller=caller, webhookId=webhook["id"]).status == 204
    assert len(call("list_webhooks", caller=USER).document["webhooks"]) == 1


@pytest.mark.parametrize(
    "url",
    [
        *("http://hooks.example.com/", "https://", "https://localhost/", "https://127.0.0.1/", "https://[::1]/"),
        *("https://0x7f.1/", "https://2130706433/", "https://127.1/", "https://0177.0.0.1/", "ftp://a.example/"),
        *("https://user@a.example/", "https://a.example#b", "https://a.example\\@b.example/", "https://a.example/ b"),
        *(
            "https://a.example:0/",
            "https://a.example:99999/",
            "https://a..example/",
            "https://.example/",
            "//a.example",
        ),
        *("https://a.example\n/", "https://ä.example/", f"https://a.example/{'a' * 2_048}", "", "javascript:alert(1)"),
    ],
)
@pytest.mark.usefixtures("deployment")
def test_a_url_that_is_none_of_a_receiver_is_refused(url: str) -> None:
    """EVB-04: at once, and not repeated."""
    answer = call("create_webhook", FIELDS | {"url": url})
    assert (answer.status, answer.document["code"]) == (422, "WEBHOOK_INVALID")
    assert not url or len(url) < 4 or url not in answer.body.decode()


@pytest.mark.usefixtures("deployment")
def test_only_the_local_stack_sends_to_its_own_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    """EVB-03."""
    local = FIELDS | {"url": "http://127.0.0.1:4000/in"}
    webhook = created(**local)
    monkeypatch.setitem(settings.__dict__, "in_lambda", True)
    assert call("create_webhook", local).status == 422
    assert call("change_webhook", {"url": local["url"]}, webhookId=webhook["id"]).status == 422


@pytest.mark.parametrize(
    "body",
    [
        *({}, [], None, {"url": "https://a.example"}, FIELDS | {"events": []}, FIELDS | {"events": ["run.started"]}),
        *(
            FIELDS | {"agents": []},
            FIELDS | {"agents": ["A"]},
            FIELDS | {"include": ["question"]},
            FIELDS | {"id": "1"},
        ),
        *(FIELDS | {"secret": "whsec_"}, FIELDS | {"description": "a" * 201}, FIELDS | {"status": "active"}),
    ],
)
@pytest.mark.usefixtures("deployment")
def test_a_webhook_that_is_none_is_refused(body: Any) -> None:
    """EVB-04."""
    assert call("create_webhook", body).document["code"] == "WEBHOOK_INVALID"


@pytest.mark.usefixtures("deployment")
def test_a_create_may_be_repeated(monkeypatch: pytest.MonkeyPatch) -> None:
    """EVB-04: with its id, while nothing has changed."""
    fields: dict[str, Any] = {"id": str(uuid.uuid4())}
    webhook = created(**fields)
    assert created(**fields) == webhook
    assert call("create_webhook", FIELDS | fields | {"events": ["run.failed"]}).status == 422
    assert call("change_webhook", {"description": "changed"}, webhookId=webhook["id"]).status == 200
    assert call("create_webhook", FIELDS | fields).status == 422
    monkeypatch.setitem(settings.__dict__, "webhooks", "users")
    assert created(USER, **fields)["secret"] != webhook["secret"]


def test_a_create_is_repeated_for_ten_minutes(deployment: WebhookDeployment) -> None:
    """EVB-04: who finds the id later gets no secret."""
    fields = FIELDS | {"id": str(uuid.uuid4())}
    created(**fields)
    deployment.wait(minutes=11)
    assert call("create_webhook", fields).status == 422


@pytest.mark.usefixtures("deployment")
def test_their_number_is_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    """EVB-04: and one that is deleted makes room."""
    monkeypatch.setitem(settings.__dict__, "webhooks_per_deployment", 2)
    first, _ = created(), created()
    refused = call("create_webhook", FIELDS)
    assert (refused.document["code"], refused.document["params"]) == ("WEBHOOK_LIMIT", {"limit": 2})
    for _ in range(2):
        assert call("delete_webhook", webhookId=first["id"]).status == 204
    assert created()["id"] != first["id"]


@pytest.mark.usefixtures("deployment")
def test_members_that_are_sent_are_changed() -> None:
    """EVB-04."""
    webhook = created(agents=["assistant"], description="old")
    ids = {"webhookId": webhook["id"]}
    changed = call("change_webhook", {"agents": None, "events": ["run.failed", "run.failed"]}, **ids).document
    assert "agents" not in changed
    assert (changed["events"], changed["description"]) == (["run.failed"], "old")
    assert call("change_webhook", {"description": None}, **ids).document.get("description") is None
    refused: list[Any] = [{"url": None}, {"events": []}, {"status": "paused"}, {"id": webhook["id"]}]
    for body in refused:
        assert call("change_webhook", body, **ids).status == 422


@pytest.mark.usefixtures("deployment")
def test_a_secret_is_rotated() -> None:
    """EVB-04."""
    webhook = created()
    rotated = call("rotate_webhook_secret", {"overlapHours": 1}, webhookId=webhook["id"]).document
    assert rotated["secret"] != webhook["secret"]
    read = call("get_webhook", webhookId=webhook["id"]).document
    assert read["previousSecretExpiresAt"] == rotated["previousSecretExpiresAt"]
    for hours in (-1, 73, "1", 1.5):
        assert call("rotate_webhook_secret", {"overlapHours": hours}, webhookId=webhook["id"]).status == 422


def test_the_log_has_pages(deployment: WebhookDeployment) -> None:
    """EVB-04: latest first."""
    webhook = created()
    for number in range(5):
        deployment.publish(event(number))
    deployment.run()
    found: list[str] = []
    query = {"limit": "2"}
    while True:
        page = call("get_webhook", query=query, webhookId=webhook["id"]).document
        found += [delivery["id"] for delivery in page["deliveries"]]
        if not page["hasMore"]:
            break
        query |= {"after": page["next"]}
    assert found == sorted(found, reverse=True)
    assert len(set(found)) == 5
    for bad in ({"limit": "0"}, {"limit": "101"}, {"after": "msg_1"}, {"after": "msg_" + "g" * 32}):
        assert call("get_webhook", query=bad, webhookId=webhook["id"]).status == 422


def test_tests_and_replays_go_through_the_queue(deployment: WebhookDeployment) -> None:
    """EVB-04: the function that clients call connects to no receiver."""
    webhook = created()
    tested = call("test_webhook", webhookId=webhook["id"])
    assert tested.status == 202
    assert deployment.receivers.requests == []
    deployment.run()
    ids = {"webhookId": webhook["id"], "deliveryId": tested.document["deliveryId"]}
    assert call("replay_delivery", **ids).document == tested.document
    deployment.run()
    assert [request.id for request in deployment.receivers.requests] == [ids["deliveryId"]] * 2
    for wrong in ("msg_" + "0" * 32, "msg_", "%2e"):
        answer = call("replay_delivery", **ids | {"deliveryId": wrong})
        assert answer.document["code"] == "WEBHOOK_DELIVERY_NOT_FOUND"
    call("change_webhook", {"status": "disabled"}, webhookId=webhook["id"])
    assert call("replay_delivery", **ids).document["code"] == "WEBHOOK_DISABLED"


@pytest.mark.usefixtures("deployment")
def test_tests_and_replays_have_a_rate(monkeypatch: pytest.MonkeyPatch) -> None:
    """EVB-04, CMP-12: whoever could have others asked without end would use it for that."""
    monkeypatch.setitem(settings.__dict__, "webhook_sends_per_minute", 1)
    webhook = created()
    answers = [call("test_webhook", webhookId=webhook["id"]).status for _ in range(3)]
    assert answers == [202, 202, 429]


def test_changes_that_come_together_are_all_made(
    deployment: WebhookDeployment, monkeypatch: pytest.MonkeyPatch
) -> None:
    """EVB-04: the second one finds the first."""
    webhook, change = deployment.create(), webhooks.change

    def raced(*arguments: Any) -> Any:
        monkeypatch.setattr(webhooks, "change", change)
        change_webhook(b'{"description": "first"}', OPERATOR, webhook.id)
        return change(*arguments)

    monkeypatch.setattr(webhooks, "change", raced)
    after = change_webhook(b'{"events": ["run.failed"]}', OPERATOR, webhook.id)
    assert (after.description, after.events) == ("first", ("run.failed",))
