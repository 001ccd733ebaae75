"""Reads an event source mapping of a table's stream."""

import json
from collections.abc import Mapping
from typing import Any

from local.stack import StreamMapping, TemplateError
from local.table_stream.filters import check

_UNDERSTOOD = frozenset(
    {
        "BatchSize",
        "BisectBatchOnFunctionError",
        "EventSourceArn",
        "FilterCriteria",
        "FunctionName",
        "FunctionResponseTypes",
        "MaximumBatchingWindowInSeconds",
        "MaximumRecordAgeInSeconds",
        "MaximumRetryAttempts",
        "ParallelizationFactor",
        "StartingPosition",
    }
)
_IGNORED = frozenset({"DestinationConfig"})
"""There are no queues here: what would go to one is logged."""


def read_stream_mapping(name: str, properties: Mapping[str, Any]) -> StreamMapping:
    """Read the mapping with these properties. Raises `TemplateError` for what cannot be served locally."""
    if unknown := sorted(properties.keys() - _UNDERSTOOD - _IGNORED):
        raise TemplateError(f"{name}: the property {unknown[0]} is not supported locally")
    arn = properties["EventSourceArn"]
    if ":dynamodb:" not in arn:
        raise TemplateError(f"{name}: only streams of tables are delivered locally")
    if properties.get("FunctionResponseTypes") != ["ReportBatchItemFailures"]:
        raise TemplateError(f"{name}: only functions that report failed items are served locally")
    filters = properties.get("FilterCriteria", {}).get("Filters", ())
    patterns = tuple(json.loads(entry["Pattern"]) for entry in filters)
    for pattern in patterns:
        check(pattern)
    retries, age = (int(properties.get(key, -1)) for key in ("MaximumRetryAttempts", "MaximumRecordAgeInSeconds"))
    return StreamMapping(
        table=arn.split(":table/")[1].partition("/")[0],
        function=properties["FunctionName"].rpartition(":")[2],
        patterns=patterns,
        batch_size=int(properties.get("BatchSize", 100)),
        parallel=int(properties.get("ParallelizationFactor", 1)),
        retries=None if retries < 0 else retries,
        age=None if age < 0 else age,
        bisects=bool(properties.get("BisectBatchOnFunctionError")),
    )
