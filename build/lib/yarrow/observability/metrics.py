"""The metrics: each a line on standard output in CloudWatch's embedded metric format, written when it happens.

Nothing is gathered, so nothing is lost when an invocation ends, and threads and invocations that share a process do not
mix. A line is a line of the log, too: it has a message and the ids of its invocation. It does not depend on the log
level. `POWERTOOLS_METRICS_DISABLED` turns metrics off.
"""

import json
import sys
from collections.abc import Mapping
from enum import Enum
from typing import Any, Final

from aws_lambda_powertools.metrics.functions import is_metrics_disabled
from aws_lambda_powertools.metrics.provider.cloudwatch_emf.cloudwatch import AmazonCloudWatchEMFProvider

from yarrow.observability import logs
from yarrow.settings import settings

NAMESPACE: Final = "Yarrow"

SERVICE: Final = "Service"
"""The dimension that every metric has: the name of the deployment."""


class Metric(Enum):
    """A metric by its name, with its unit."""

    RUNS_FINISHED = "RunsFinished", "Count"
    RUNS_FAILED = "RunsFailed", "Count"
    RUNS_CANCELED = "RunsCanceled", "Count"
    RUNS_LOST = "RunsLost", "Count"
    RUN_DURATION = "RunDuration", "Milliseconds"
    TIME_TO_FIRST_EVENT = "TimeToFirstEvent", "Milliseconds"
    EVENTS = "Events", "Count"
    STREAM_RESUMES = "StreamResumes", "Count"
    CANCELS = "Cancels", "Count"
    MODEL_TOKENS = "ModelTokens", "Count"
    READINGS_DECLINED = "ReadingsDeclined", "Count"
    REQUESTS_FAILED = "RequestsFailed", "Count"
    LIMITS_REACHED = "LimitsReached", "Count"

    def __init__(self, title: str, unit: str) -> None:
        self.title = title
        self.unit = unit


def emit(message: str, values: Mapping[Metric, float], *, by: Mapping[str, str] | None = None, **ids: str) -> None:
    """Write values of one moment: for all together and, given `by`, for these dimensions.

    `message` and `ids` are for who searches the log; they make no dimension.
    """
    if is_metrics_disabled():
        return
    provider = AmazonCloudWatchEMFProvider(namespace=NAMESPACE, service="")  # of its own: it is not shared
    for metric, value in values.items():
        provider.add_metric(metric.title, metric.unit, value)
    if by:
        provider.add_dimensions(**by)
    told = {name: value for name, value in logs.correlation().items() if value is not None}
    line: dict[str, Any] = {
        **provider.serialize_metric_set(metadata={"level": "INFO", "message": message, **told, **ids}),
        SERVICE: settings.service_name,
    }
    for described in line["_aws"]["CloudWatchMetrics"]:  # two deployments in one account are not mixed
        described["Dimensions"] = [[SERVICE, *dimensions] for dimensions in described["Dimensions"]]
    # In one piece, or another thread's line would come between it and its end.
    sys.stdout.write(json.dumps(line, separators=(",", ":")) + "\n")
    sys.stdout.flush()
