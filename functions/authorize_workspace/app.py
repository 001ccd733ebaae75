"""The REQUEST authorizer of workspace connections: a ticket or a bearer token becomes the caller's identity."""

from yarrow.web.cold_start import pause_garbage_collection, resume_garbage_collection

pause_garbage_collection()

from typing import Any

from aws_lambda_powertools.utilities.typing import LambdaContext

from yarrow.observability.logs import invocation, logger
from yarrow.store.clients import at_start, dynamodb
from yarrow.web.tokens import InvalidTokenError
from yarrow.web.workspace_authorization import ForbiddenOriginError, authorize


def handler(event: dict[str, Any], context: LambdaContext) -> dict[str, Any]:
    """Allow the connection (SEC-04), or deny it to a page of another origin.

    Raises "Unauthorized" for a 401. Other errors, such as an unreachable issuer, become a 500.
    """
    with invocation(context, request_id=event["requestContext"].get("requestId")):
        try:
            authorized = authorize(event)
        except ForbiddenOriginError:
            logger.info("connection refused", extra={"reason": "another origin"})
            return _decision("anonymous", "Deny", event["methodArn"], {})
        except InvalidTokenError as error:
            logger.info("connection refused", extra={"reason": str(error)})
            raise Exception("Unauthorized") from None  # noqa: TRY002 - the exact word API Gateway turns into a 401
    return _decision(authorized.caller.user_id, "Allow", event["methodArn"], authorized.context())


def _decision(principal: str, effect: str, resource: str, context: dict[str, str]) -> dict[str, Any]:
    statement = {"Action": "execute-api:Invoke", "Effect": effect, "Resource": resource}
    return {
        "principalId": principal,
        "policyDocument": {"Version": "2012-10-17", "Statement": [statement]},
        "context": context,
    }


at_start(dynamodb)
resume_garbage_collection()
