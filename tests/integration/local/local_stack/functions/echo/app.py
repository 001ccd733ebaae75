"""A buffered function: tells what it was given, or misbehaves as the query asks."""

import json
import os
import threading

import boto3


def handler(event, context):
    query = event["queryStringParameters"] or {}
    match query.get("answer"):
        case "error":
            raise LookupError("nothing there")
        case "malformed":
            return {"status": 200}
        case "large":
            return {"statusCode": 200, "body": "x" * int(query["size"])}
        case "slow":
            threading.Event().wait(5)
        case "object":
            s3 = boto3.client("s3")
            s3.put_object(Bucket=os.environ["BUCKET_NAME"], Key="a/b", Body=b"stored")
            return {
                "statusCode": 200,
                "body": s3.get_object(Bucket=os.environ["BUCKET_NAME"], Key="a/b")["Body"].read().decode(),
            }
    output = {"event": event, "function": context.function_name, "remaining": context.get_remaining_time_in_millis()}
    return {
        "statusCode": 200,
        "headers": {"Content-Type": "application/json"},
        "multiValueHeaders": {"X-Many": ["one", "two"]},
        "body": json.dumps(output),
    }
