"""A Lambda handler for what is no request: a task of the state machine, an event of EventBridge."""

import os
import sys
from collections.abc import Callable
from functools import wraps
from typing import Any, NoReturn

from yarrow.observability import logs
from yarrow.settings import settings
from yarrow.store.table import is_busy

Handler = Callable[[dict[str, Any], object], None]


def task(do: Callable[[dict[str, Any]], None]) -> Handler:
    """A handler that does this with its event.

    An error comes out under its name, by which the state machine tells what may be tried again, and without its words:
    Lambda logs what comes out, and the execution keeps it (SEC-05). Its message is the request id that finds the log.
    An error of AWS that may pass is a `TransientError`, for botocore calls most of its errors alike. SystemExit ends
    the process where that is Lambda's, which tells the state machine `Runtime.ExitError`.
    """

    @wraps(do)
    def handler(event: dict[str, Any], context: object) -> None:
        with logs.invocation(context):
            try:
                do(event)
            except SystemExit:
                if settings.in_lambda:
                    _end_process()
                raise
            except Exception as error:
                logs.logger.exception("the task failed")
                raise _without_words(error) from None

    return handler


def _end_process() -> NoReturn:
    """End it at once. The interpreter would wait for its threads first, and one of them may never end (RNR-72)."""
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(1)


def _without_words(error: Exception) -> Exception:
    name = "TransientError" if is_busy(error) else type(error).__name__
    kind: type[Exception] = type(name, (Exception,), {})
    return kind(f"see the log of request {logs.correlation()['function_request_id']}")
