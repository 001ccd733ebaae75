"""The routes of `functions/webhooks`."""

from typing import Final

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from yarrow.access import limits
from yarrow.protocol.webhooks.responses import AcceptedDelivery, RotatedSecret, WebhookList
from yarrow.store.webhooks import webhooks
from yarrow.web.app import caller
from yarrow.web.json_body import NO_STORE, BodyResponse, json_body
from yarrow.webhooks.access import owner_of, shown, shown_with_secret
from yarrow.webhooks.change_webhook import change_webhook, rotate_secret
from yarrow.webhooks.create_webhook import create_webhook
from yarrow.webhooks.delete_webhook import delete_webhook
from yarrow.webhooks.list_deliveries import list_deliveries
from yarrow.webhooks.send_now import replay_delivery, send_test

_WEBHOOKS: Final = "/api/v1/webhooks"
_WEBHOOK: Final = f"{_WEBHOOKS}/{{webhookId}}"


async def _create_webhook(request: Request) -> Response:
    """Respond 201 with the webhook and its secret (EVB-04)."""
    webhook = create_webhook(await json_body(request), caller(request))
    return BodyResponse(shown_with_secret(webhook), 201, NO_STORE)


async def _list_webhooks(request: Request) -> Response:
    """Respond 200 with all webhooks that the caller manages."""
    limits.count(caller(request).user_id, "webhook_reads")
    owner = owner_of(caller(request))
    return BodyResponse(WebhookList(webhooks=tuple(map(shown, webhooks.of(owner)))), headers=NO_STORE)


async def _get_webhook(request: Request) -> Response:
    """Respond 200 with the webhook and a page of its deliveries, latest first."""
    query = request.query_params
    page = list_deliveries(caller(request), request.path_params["webhookId"], query.get("limit"), query.get("after"))
    return BodyResponse(page, headers=NO_STORE)


async def _change_webhook(request: Request) -> Response:
    """Respond 200 with the changed webhook."""
    body = await json_body(request)
    webhook = change_webhook(body, caller(request), request.path_params["webhookId"])
    return BodyResponse(shown(webhook), headers=NO_STORE)


async def _delete_webhook(request: Request) -> Response:
    """Respond 204, also for a webhook that is deleted already."""
    delete_webhook(caller(request), request.path_params["webhookId"])
    return Response(status_code=204)


async def _rotate_webhook_secret(request: Request) -> Response:
    """Respond 200 with the new secret."""
    body = await json_body(request)
    webhook = rotate_secret(body, caller(request), request.path_params["webhookId"])
    rotated = RotatedSecret(
        id=webhook.id,
        secret=shown_with_secret(webhook).secret,
        previous_secret_expires_at=webhook.previous_until,
    )
    return BodyResponse(rotated, headers=NO_STORE)


async def _test_webhook(request: Request) -> Response:
    """Respond 202 with the id of the test's delivery."""
    delivery_id = send_test(caller(request), request.path_params["webhookId"])
    return BodyResponse(AcceptedDelivery(delivery_id=delivery_id), 202)


async def _replay_delivery(request: Request) -> Response:
    """Respond 202 with the id of the delivery."""
    path = request.path_params
    delivery_id = replay_delivery(caller(request), path["webhookId"], path["deliveryId"])
    return BodyResponse(AcceptedDelivery(delivery_id=delivery_id), 202)


ROUTES = (
    Route(_WEBHOOKS, _create_webhook, methods=["POST"], name="create_webhook"),
    Route(_WEBHOOKS, _list_webhooks, methods=["GET"], name="list_webhooks"),
    Route(_WEBHOOK, _get_webhook, methods=["GET"], name="get_webhook"),
    Route(_WEBHOOK, _change_webhook, methods=["PATCH"], name="change_webhook"),
    Route(_WEBHOOK, _delete_webhook, methods=["DELETE"], name="delete_webhook"),
    Route(f"{_WEBHOOK}/rotate", _rotate_webhook_secret, methods=["POST"], name="rotate_webhook_secret"),
    Route(f"{_WEBHOOK}/test", _test_webhook, methods=["POST"], name="test_webhook"),
    Route(f"{_WEBHOOK}/deliveries/{{deliveryId}}/replay", _replay_delivery, methods=["POST"], name="replay_delivery"),
)
