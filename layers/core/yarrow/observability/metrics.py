"""Metrics in CloudWatch's embedded metric format, a line on standard output each.

Nothing is buffered: none is lost or mixed between threads. Lines have message and ids, whatever the log level.
`POWERTOOLS_METRICS_DISABLED` turns them off.
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
"""Dimension of every metric: the deployment."""


class Metric(Enum):
    """Name and unit."""

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
    RUN_COST = "RunCost", "None"
    HAND_OVERS = "HandOvers", "Count"
    STEPS_NOT_REPEATED = "StepsNotRepeated", "Count"
    VERSIONS_CHANGED = "VersionsChanged", "Count"
    READINGS_DECLINED = "ReadingsDeclined", "Count"
    REQUESTS_FAILED = "RequestsFailed", "Count"
    LIMITS_REACHED = "LimitsReached", "Count"
    WORKSPACE_CONNECTIONS = "WorkspaceConnections", "Count"
    WORKSPACE_FRAMES = "WorkspaceFrames", "Count"
    WORKSPACE_GONE = "WorkspaceConnectionsGone", "Count"
    WORKSPACE_PUSH_DELAY = "WorkspacePushDelay", "Milliseconds"

    NOTIFICATIONS_SENT = "NotificationsSent", "Count"
    NOTIFICATIONS_FAILED = "NotificationsFailed", "Count"

    JOB_RUNS_STARTED = "JobRunsStarted", "Count"
    JOB_SLOTS_SKIPPED = "JobSlotsSkipped", "Count"
    JOB_SLOTS_REFUSED = "JobSlotsRefused", "Count"
    JOBS_PAUSED = "JobsPaused", "Count"
    TRACES_REFUSED = "TracesRefused", "Count"

    SCHEDULES_REPAIRED = "SchedulesRepaired", "Count"

    WEBHOOKS_DELIVERED = "WebhooksDelivered", "Count"
    WEBHOOK_ATTEMPTS_FAILED = "WebhookAttemptsFailed", "Count"
    WEBHOOKS_UNDELIVERED = "WebhooksUndelivered", "Count"
    WEBHOOKS_DISABLED = "WebhooksDisabled", "Count"

    def __init__(self, title: str, unit: str) -> None:
        self.title = title
        self.unit = unit


def emit(message: str, values: Mapping[Metric, float], *, by: Mapping[str, str] | None = None, **ids: str) -> None:
    """Write metrics without further dimensions and, given `by`, with these; `message` and `ids` are no dimensions."""
    if is_metrics_disabled():
        return
    provider = AmazonCloudWatchEMFProvider(namespace=NAMESPACE, service="")  # Powertools' default provider is shared
    for metric, value in values.items():
        provider.add_metric(metric.title, metric.unit, value)
    if by:
        provider.add_dimensions(**by)
    correlation = {name: value for name, value in logs.correlation().items() if value is not None}
    line: dict[str, Any] = {
        **provider.serialize_metric_set(metadata={"level": "INFO", "message": message, **correlation, **ids}),
        SERVICE: settings.service_name,
    }
    for described in line["_aws"]["CloudWatchMetrics"]:  # keeps deployments in one account apart
        described["Dimensions"] = [[SERVICE, *dimensions] for dimensions in described["Dimensions"]]
    # One write, so that lines of threads do not mix.
    sys.stdout.write(json.dumps(line, separators=(",", ":")) + "\n")
    sys.stdout.flush()
