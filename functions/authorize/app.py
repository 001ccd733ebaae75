"""The REQUEST authorizer: a bearer credential becomes a policy and the caller's identity."""

from yarrow.web.cold_start import pause_garbage_collection, resume_garbage_collection

pause_garbage_collection()

from typing import Any

from aws_lambda_powertools.utilities.typing import LambdaContext

from yarrow.observability.logs import invocation, logger
from yarrow.web.authorization import authorize
from yarrow.web.tokens import InvalidTokenError


def handler(event: dict[str, Any], context: LambdaContext) -> dict[str, Any]:
    """See `authorize` for what is allowed.

    Raises "Unauthorized" for a 401. Other errors, such as an unreachable issuer, become a 503.
    """
    with invocation(context, request_id=event.get("requestContext", {}).get("requestId")):
        try:
            return authorize(event).policy(event["methodArn"])
        except InvalidTokenError as error:
            logger.info("credential refused", extra={"reason": str(error)})
            raise Exception("Unauthorized") from None  # noqa: TRY002 - the exact word API Gateway turns into a 401


resume_garbage_collection()
