"""Creates a stack's tables, buckets, queues, state machines and schedules through the AWS API."""

from typing import TYPE_CHECKING

import boto3

from local.stack import ACCOUNT, Stack, Table

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient
    from mypy_boto3_stepfunctions import SFNClient


def create(stack: Stack) -> None:
    """Create everything at the environment's endpoints; returns when it is usable."""
    session = boto3.session.Session()
    dynamodb: DynamoDBClient = session.client("dynamodb")
    for table in stack.tables:
        name = table.definition["TableName"]
        try:
            dynamodb.create_table(**table.definition)
        except dynamodb.exceptions.ResourceInUseException:
            _add_stream(dynamodb, table)  # an external engine has the table from an earlier start
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
    if stack.queues:
        sqs = session.client("sqs")
        for queue in stack.queues:
            sqs.create_queue(QueueName=queue)
    if stack.schedule_groups or stack.schedules:
        scheduler = session.client("scheduler")
        for group in stack.schedule_groups:
            scheduler.create_schedule_group(Name=group)
        for schedule in stack.schedules:
            scheduler.create_schedule(**schedule)


def _add_stream(dynamodb: "DynamoDBClient", table: Table) -> None:
    """Give a table its stream, if it lacks it."""
    name, wanted = table.definition["TableName"], table.definition.get("StreamSpecification")
    described = dynamodb.describe_table(TableName=name)["Table"]
    if wanted and not described.get("StreamSpecification", {}).get("StreamEnabled"):
        dynamodb.update_table(TableName=name, StreamSpecification=wanted)
