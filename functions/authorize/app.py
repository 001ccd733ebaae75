"""The REQUEST authorizer of the API: from a bearer token to a policy and the caller's identity."""

from typing import Any

from aws_lambda_powertools import Logger
from aws_lambda_powertools.utilities.typing import LambdaContext

from yarrow.web.tokens import InvalidTokenError, identify

logger = Logger()


def handler(event: dict[str, Any], _context: LambdaContext) -> dict[str, Any]:
    """Allow the whole stage, since API Gateway caches the answer by header alone; raise "Unauthorized" for a 401."""
    headers = {name.lower(): value for name, value in (event.get("headers") or {}).items()}
    try:
        caller = identify(headers.get("authorization", ""))
    except InvalidTokenError as error:
        logger.info("token refused", extra={"reason": str(error)})
        raise Exception("Unauthorized") from None  # noqa: TRY002 - the exact word API Gateway turns into a 401
    api_and_stage = "/".join(event["methodArn"].split("/")[:2])
    statement = {"Action": "execute-api:Invoke", "Effect": "Allow", "Resource": f"{api_and_stage}/*/*"}
    return {
        "principalId": caller.user_id,
        "policyDocument": {"Version": "2012-10-17", "Statement": [statement]},
        "context": caller.to_authorizer(),
    }
