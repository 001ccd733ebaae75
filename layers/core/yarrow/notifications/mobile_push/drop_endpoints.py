"""Deletes the endpoints in Amazon SNS of devices that are gone: removed, erased with their user, or forgotten after a
time. The table's stream tells of each, once its item is gone.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from botocore.exceptions import BotoCoreError, ClientError

from yarrow.notifications.mobile_push import endpoints
from yarrow.observability.logs import logger
from yarrow.store import devices


def drop_endpoints(changes: Iterable[tuple[str, Mapping[str, Any]]]) -> list[str]:
    """Delete the endpoints whose items are gone; returns the numbers of the records to redeliver.

    `changes` are keys of items, or items, with the sequence numbers of their records.
    """
    failed: list[str] = []
    for number, item in changes:
        endpoint = devices.endpoint_of(item)
        if endpoint is None:
            continue
        try:
            if not devices.is_there(item):  # else the device was registered anew meanwhile
                endpoints.delete(endpoint)
        except ClientError as error:
            if error.response["Error"]["Code"] == "AuthorizationError":
                # Its application is no longer the deployment's.
                logger.warning("an endpoint of another application stays", extra={"endpoint": endpoint})
                continue
            failed.append(number)
            logger.warning("an endpoint could not be deleted", exc_info=True)
        except BotoCoreError:
            failed.append(number)
            logger.warning("an endpoint could not be deleted", exc_info=True)
    return failed
