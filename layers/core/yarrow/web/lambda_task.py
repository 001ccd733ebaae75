"""Lambda handlers for state machine tasks and EventBridge events."""

import os
import sys
from collections.abc import Callable
from functools import wraps
from typing import Any, NoReturn, TypeVar

from yarrow.observability import logs
from yarrow.settings import settings
from yarrow.store.table import is_busy

Result = TypeVar("Result")


def task(do: Callable[[dict[str, Any]], Result]) -> Callable[[dict[str, Any], object], Result]:
    """Wrap `do`. Errors keep their class name, for the state machine's retries, but not their message: Lambda logs it
    (SEC-05). Transient AWS errors are `TransientError`. SystemExit ends Lambda's process: `Runtime.ExitError`.
    """

    @wraps(do)
    def handler(event: dict[str, Any], context: object) -> Result:
        with logs.invocation(context):
            try:
                return do(event)
            except SystemExit:
                if settings.in_lambda:
                    _end_process()
                raise
            except Exception as error:
                logs.logger.exception("the task failed")
                raise _without_words(error) from None

    return handler


def _end_process() -> NoReturn:
    """End the process without joining threads, which may never end (RNR-72)."""
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(1)


def _without_words(error: Exception) -> Exception:
    name = "TransientError" if is_busy(error) else type(error).__name__
    return logs.unworded(name, f"see the log of request {logs.correlation()['function_request_id']}")
