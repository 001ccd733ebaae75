"""Endpoints of apps in Amazon SNS: an app's token has one in a platform application, whoever registers it."""

import re
from typing import Final

from botocore.exceptions import ClientError

from yarrow.store import clients

_EXISTING: Final = re.compile(r"Endpoint (arn:[a-z-]+:sns:[a-z0-9-]+:\d+:endpoint/\S+) already exists")


class TokenRefusedError(Exception):
    """SNS does not take the token for one of the platform."""


def region_of(arn: str) -> str:
    """Return the region of an application or an endpoint, which may be another one than the stack's."""
    return arn.split(":")[3]


def create(application: str, token: str) -> str:
    """Return the ARN of the token's endpoint in the application, new or not.

    Raises TokenRefusedError and botocore's errors.
    """
    try:
        answer = clients.sns(region_of(application)).create_platform_endpoint(
            PlatformApplicationArn=application, Token=token
        )
    except ClientError as error:
        return _existing(error)
    return str(answer["EndpointArn"])


def enable(endpoint: str, token: str) -> bool:
    """Have notifications go to an endpoint: a token that its platform refused once has disabled it. Returns whether
    there is one. Raises botocore's errors.
    """
    try:
        clients.sns(region_of(endpoint)).set_endpoint_attributes(
            EndpointArn=endpoint, Attributes={"Enabled": "true", "Token": token}
        )
    except ClientError as error:
        if error.response["Error"]["Code"] != "NotFound":
            raise
        return False
    return True


def delete(endpoint: str) -> None:
    """Delete an endpoint, which may be missing. Raises botocore's errors."""
    clients.sns(region_of(endpoint)).delete_endpoint(EndpointArn=endpoint)


def _existing(error: ClientError) -> str:
    """Return the endpoint that has the token already with other attributes, which SNS names in its message alone."""
    about = error.response["Error"]
    if about["Code"] != "InvalidParameter":
        raise error
    found = _EXISTING.search(about.get("Message", ""))
    if found is None:
        raise TokenRefusedError from None
    return found[1]
