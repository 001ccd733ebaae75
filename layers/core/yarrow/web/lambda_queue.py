"""A Lambda handler for batches of an SQS queue whose messages are JSON objects."""

from collections.abc import Callable, Mapping, Sequence
from functools import wraps
from typing import Any

from yarrow.formats import json_text
from yarrow.observability import logs

Handler = Callable[[dict[str, Any], object], dict[str, Any]]
Message = tuple[str, Mapping[str, Any]]
"""The id of a message and its body."""


def batch(handle: Callable[[Sequence[Message]], list[str]]) -> Handler:
    """Return a handler; messages whose ids `handle` returns come again, and so do those that are no JSON. An exception
    fails the whole batch; Lambda logs only its kind (SEC-05).
    """

    @wraps(handle)
    def handler(event: dict[str, Any], context: object) -> dict[str, Any]:
        with logs.invocation(context):
            messages: list[Message] = []
            failed: list[str] = []
            for record in event["Records"]:
                try:
                    messages.append((record["messageId"], json_text.loads(record["body"].encode())))
                except json_text.UnreadableError:
                    logs.logger.warning("a message is no JSON")
                    failed.append(record["messageId"])
            try:
                failed += handle(messages)
            except Exception as error:
                logs.logger.exception("a batch failed")
                raise logs.unworded(type(error).__name__, "see the log") from None
        return {"batchItemFailures": [{"itemIdentifier": message_id} for message_id in failed]}

    return handler
