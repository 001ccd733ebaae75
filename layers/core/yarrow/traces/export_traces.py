"""Sends the traces of runs that have ended: an event each of the deployment's bus, at least once (EVB-02).

Ids are derived, so spans that are sent again are the same ones.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from botocore.exceptions import BotoCoreError, ClientError

from yarrow.observability.logs import logger
from yarrow.observability.metrics import Metric, emit
from yarrow.protocol import trace_context
from yarrow.settings import settings
from yarrow.store import runs
from yarrow.traces import endpoint, otlp, stored_run
from yarrow.traces import semantic_conventions as names
from yarrow.traces.run_trace import trace_of
from yarrow.traces.spans import Value, known

MAX_BYTES: Final = 4_000_000
"""Of a request before it is compressed; CloudWatch takes 5 MB."""

Message = tuple[str, Mapping[str, Any]]
"""The id of a message and the event of EventBridge in it."""


def export_traces(messages: Sequence[Message]) -> list[str]:
    """Send the traces of the events' runs; returns the ids of the messages that are to come again."""
    waiting: list[tuple[str, bytes]] = []
    failed: list[str] = []
    for message_id, event in messages:
        try:
            spans = _encoded(str(event["detail"]["data"]["runKey"]))
        except stored_run.NotEndedError:
            failed.append(message_id)
        except (BotoCoreError, ClientError):
            logger.warning("a run could not be read for its trace", exc_info=True)
            failed.append(message_id)
        except Exception:  # the traces of other runs must not wait for it
            logger.exception("a trace could not be made")
            failed.append(message_id)
        else:
            waiting += [(message_id, spans)] if spans else []
    return failed + _sent(waiting)


def _encoded(run_key: str) -> bytes:
    """Return a run's spans as fields of ScopeSpans; empty for a run that is gone or not sampled."""
    run = runs.read(run_key)
    if run is None or not trace_context.context_of(run.key, run.trace_parent).is_sampled:
        return b""
    content = settings.traces_have_content
    stored = stored_run.read(run, content=content)
    return otlp.encoded(trace_of(stored, content=content))


def _sent(waiting: Sequence[tuple[str, bytes]]) -> list[str]:
    """Send spans in requests of at most MAX_BYTES; returns the messages that the endpoint did not take.

    After a failure nothing else is sent: an endpoint that is down would take each request's whole time.
    """
    for index, group in enumerate(groups := _groups(waiting)):
        try:
            endpoint.send(otlp.request_of(_resource(), [spans for _, spans in group]))
        except endpoint.RefusedError as error:
            logger.exception("the endpoint refuses traces", extra={"reason": str(error), "runs": len(group)})
            emit("traces were refused", {Metric.TRACES_REFUSED: len(group)})
        except (endpoint.EndpointError, BotoCoreError, ClientError) as error:
            left = [message_id for later in groups[index:] for message_id, _ in later]
            reason = str(error) if isinstance(error, endpoint.EndpointError) else type(error).__name__
            logger.warning("traces are sent again later", extra={"reason": reason, "runs": len(left)})
            return left
    return []


def _groups(waiting: Sequence[tuple[str, bytes]]) -> list[list[tuple[str, bytes]]]:
    groups: list[list[tuple[str, bytes]]] = []
    size = MAX_BYTES
    for message in waiting:
        if size + len(message[1]) > MAX_BYTES:
            groups.append([])
            size = 0
        groups[-1].append(message)
        size += len(message[1])
    return groups


def _resource() -> Mapping[str, Value]:
    region = settings.region
    return known(
        {
            names.SERVICE_NAME: settings.service_name,
            names.SERVICE_VERSION: settings.release or None,
            names.CLOUD_PROVIDER: "aws" if region else None,
            names.CLOUD_REGION: region or None,
        }
    )
