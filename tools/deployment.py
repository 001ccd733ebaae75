"""Configures commands for a deployed stack from its outputs."""

import os
from typing import Any, Final

from botocore.session import Session

VARIABLES: Final = {
    "TableName": "TABLE_NAME",
    "BucketName": "BUCKET_NAME",
    "StateMachineArn": "STATE_MACHINE_ARN",
    "JobSchedules": "SCHEDULE_GROUP",
    "QuestionTimers": "QUESTION_TIMERS",
}
"""Stack outputs, and the variables that hold the same value."""


def use(stack: str) -> None:
    """Use a stack with the caller's AWS credentials and region; metrics are disabled.

    Call it before settings are read. Raises botocore's ClientError if the stack does not exist, LookupError if it is
    not Yarrow's.
    """
    outputs = outputs_of(stack)
    if missing := sorted(VARIABLES.keys() - outputs.keys()):
        raise LookupError(f"the stack {stack} has no output {missing[0]}")
    os.environ.update({variable: outputs[name] for name, variable in VARIABLES.items()})
    os.environ["POWERTOOLS_METRICS_DISABLED"] = "true"


def outputs_of(stack: str) -> dict[str, str]:
    """Return a stack's outputs. Raises botocore's ClientError if it does not exist."""
    client: Any = Session().create_client("cloudformation")
    (found,) = client.describe_stacks(StackName=stack)["Stacks"]
    return {output["OutputKey"]: output["OutputValue"] for output in found.get("Outputs", [])}
