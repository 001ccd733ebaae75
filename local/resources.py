"""Creates a stack's tables, buckets and state machines through the AWS API."""

import contextlib
from typing import TYPE_CHECKING

import boto3

from local.stack import ACCOUNT, Stack

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient
    from mypy_boto3_stepfunctions import SFNClient


def create(stack: Stack) -> None:
    """Create everything at the environment's endpoints; returns when it is usable."""
    session = boto3.session.Session()
    dynamodb: DynamoDBClient = session.client("dynamodb")
    for table in stack.tables:
        name = table.definition["TableName"]
        # An external engine may have the table from an earlier start.
        with contextlib.suppress(dynamodb.exceptions.ResourceInUseException):
            dynamodb.create_table(**table.definition)
        dynamodb.get_waiter("table_exists").wait(TableName=name, WaiterConfig={"Delay": 1})
        if table.ttl_attribute:
            dynamodb.update_time_to_live(
                TableName=name, TimeToLiveSpecification={"Enabled": True, "AttributeName": table.ttl_attribute}
            )
    s3 = session.client("s3")
    for bucket in stack.buckets:
        s3.create_bucket(Bucket=bucket)
    step_functions: SFNClient = session.client("stepfunctions")
    for machine in stack.state_machines:
        step_functions.create_state_machine(
            name=machine.name, definition=machine.definition, roleArn=f"arn:aws:iam::{ACCOUNT}:role/{machine.name}"
        )
