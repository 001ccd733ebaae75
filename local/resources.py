"""Creates a stack's tables, buckets, queues, state machines and schedules through the AWS API.

Resources from an earlier start are updated to the template.
"""

from contextlib import suppress
from typing import TYPE_CHECKING, Any

import boto3

from local.stack import ACCOUNT, Stack, TableDefinition

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
            _update_table(dynamodb, table)  # from an earlier start
        dynamodb.get_waiter("table_exists").wait(TableName=name, WaiterConfig={"Delay": 1})
        if table.ttl_attribute:
            dynamodb.update_time_to_live(
                TableName=name, TimeToLiveSpecification={"Enabled": True, "AttributeName": table.ttl_attribute}
            )
    s3 = session.client("s3")
    for bucket in stack.buckets:
        with suppress(s3.exceptions.BucketAlreadyOwnedByYou, s3.exceptions.BucketAlreadyExists):
            s3.create_bucket(Bucket=bucket)
    step_functions: SFNClient = session.client("stepfunctions")
    for machine in stack.state_machines:
        role = f"arn:aws:iam::{ACCOUNT}:role/{machine.name}"
        made: Any = step_functions.create_state_machine(name=machine.name, definition=machine.definition, roleArn=role)
        # CreateTable leaves an existing table unchanged.
        step_functions.update_state_machine(
            stateMachineArn=made["stateMachineArn"], definition=machine.definition, roleArn=role
        )
    if stack.queues:
        sqs = session.client("sqs")
        for queue in stack.queues:
            sqs.create_queue(QueueName=queue)
    if stack.schedule_groups or stack.schedules:
        _create_schedules(session.client("scheduler"), stack)


def _create_schedules(scheduler: Any, stack: Stack) -> None:
    """Create or update the template's schedules; delete others in their groups, from an earlier template."""
    for group in stack.schedule_groups:
        with suppress(scheduler.exceptions.ConflictException):
            scheduler.create_schedule_group(Name=group)
    for schedule in stack.schedules:
        try:
            scheduler.create_schedule(**schedule)
        except scheduler.exceptions.ConflictException:
            scheduler.update_schedule(**({"State": "ENABLED"} | dict(schedule)))
    wanted = {(schedule["GroupName"], schedule["Name"]) for schedule in stack.schedules if "GroupName" in schedule}
    for group in {group for group, _ in wanted}:
        for page in scheduler.get_paginator("list_schedules").paginate(GroupName=group):
            for schedule in page["Schedules"]:
                if (group, schedule["Name"]) not in wanted:
                    scheduler.delete_schedule(GroupName=group, Name=schedule["Name"])


def _update_table(dynamodb: "DynamoDBClient", table: TableDefinition) -> None:
    """Update a table's stream and indexes to its definition, one at a time as DynamoDB requires."""
    definition = table.definition
    name, stream = definition["TableName"], definition.get("StreamSpecification")
    described: Any = dynamodb.describe_table(TableName=name)["Table"]
    if stream and not described.get("StreamSpecification", {}).get("StreamEnabled"):
        dynamodb.update_table(TableName=name, StreamSpecification=stream)
    there = {index["IndexName"]: index["KeySchema"] for index in described.get("GlobalSecondaryIndexes", ())}
    wanted = {index["IndexName"]: index for index in definition.get("GlobalSecondaryIndexes", ())}
    changed = {index for index, key in there.items() if index not in wanted or wanted[index]["KeySchema"] != key}
    updates: list[Any] = [{"Delete": {"IndexName": index}} for index in sorted(changed)]
    updates += [{"Create": index} for name, index in wanted.items() if name in changed or name not in there]
    for update in updates:
        dynamodb.update_table(
            TableName=name,
            AttributeDefinitions=definition["AttributeDefinitions"],
            GlobalSecondaryIndexUpdates=[update],
        )
        dynamodb.get_waiter("table_exists").wait(TableName=name, WaiterConfig={"Delay": 1})
