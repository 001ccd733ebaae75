"""The REQUEST authorizer: a bearer credential becomes a policy and the caller's identity."""

from yarrow.web.cold_start import pause_garbage_collection, resume_garbage_collection

pause_garbage_collection()

from typing import Any, Final

from aws_lambda_powertools.utilities.typing import LambdaContext

from yarrow.observability.logs import invocation, logger
from yarrow.protocol.caller import Caller
from yarrow.web import tokens
from yarrow.web.tokens import InvalidTokenError

FORM_ROUTES: Final = frozenset({"/api/v1/agent/attachments", "/api/v1/agent/transcribe"})
"""API Gateway stores the bodies of these before any other function runs; their answers are not cached."""


def handler(event: dict[str, Any], context: LambdaContext) -> dict[str, Any]:
    """Allow everything the credential opens, not only this request: API Gateway caches the answer by the header.

    A form beyond its user's rate is denied: a 403.

    Raises "Unauthorized" for a 401. Other errors, such as an unreachable issuer, become a 503.
    """
    with invocation(context, request_id=event.get("requestContext", {}).get("requestId")):
        try:
            caller, opened = _identify(_authorization(event), event["resource"])
        except InvalidTokenError as error:
            logger.info("credential refused", extra={"reason": str(error)})
            raise Exception("Unauthorized") from None  # noqa: TRY002 - the exact word API Gateway turns into a 401
        is_open = event["resource"] not in FORM_ROUTES or _may_send_form(caller.user_id)
    stage = "/".join(event["methodArn"].split("/")[:2])
    effect, resources = "Allow" if is_open else "Deny", [f"{stage}/{each}" for each in opened]
    statement = {"Action": "execute-api:Invoke", "Effect": effect, "Resource": resources}
    return {
        "principalId": caller.user_id,
        "policyDocument": {"Version": "2012-10-17", "Statement": [statement]},
        "context": caller.to_authorizer(),
    }


def _may_send_form(user_id: str) -> bool:
    from yarrow.access import limits  # imports boto3, which tokens do not need
    from yarrow.protocol.problems import Problem

    try:
        limits.count_form(user_id)
    except Problem as problem:
        logger.info("too many forms", extra={"reason": problem.detail})
        return False
    return True


def _authorization(event: dict[str, Any]) -> str:
    headers = (event.get("multiValueHeaders") or {}).items()
    values = [value for name, several in headers if name.lower() == "authorization" for value in several]
    return values[0] if len(values) == 1 else ""


def _identify(authorization: str, resource: str) -> tuple[Caller, list[str]]:
    if not tokens.bearer(authorization).startswith(tokens.API_KEY_PREFIX):
        return tokens.identify(authorization), ["*/*"]
    if resource not in tokens.API_KEY_ROUTES:
        raise InvalidTokenError("an API key on another route")
    from yarrow.web import api_keys  # imports boto3, which tokens do not need

    return api_keys.identify(authorization), [each for route in tokens.API_KEY_ROUTES.values() for each in route]


resume_garbage_collection()
