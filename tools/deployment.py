"""The deployment that a command is about: what the outputs of its stack say, as its functions have it."""

import os
from typing import Any, Final

from botocore.session import Session

VARIABLES: Final = {"TableName": "TABLE_NAME", "BucketName": "BUCKET_NAME", "StateMachineArn": "STATE_MACHINE_ARN"}
"""By an output of the stack, the variable of the functions that has the same."""


def use(stack: str) -> None:
    """Work on a stack, with the AWS credentials and region of whoever runs the command; metrics are not counted.

    Comes before anything is asked of the settings. Raises botocore's ClientError when there is no such stack, and
    LookupError when it is none of Yarrow's.
    """
    client: Any = Session().create_client("cloudformation")
    (found,) = client.describe_stacks(StackName=stack)["Stacks"]
    outputs = {each["OutputKey"]: each["OutputValue"] for each in found.get("Outputs", [])}
    if missing := sorted(VARIABLES.keys() - outputs.keys()):
        raise LookupError(f"the stack {stack} has no output {missing[0]}")
    os.environ.update({variable: outputs[name] for name, variable in VARIABLES.items()})
    os.environ["POWERTOOLS_METRICS_DISABLED"] = "true"
