"""The emulator's process beyond what moto does: it forgets what has expired."""

import os
import socket
import subprocess
import sys
import threading
import time

import boto3

from local import environment

EXPIRING_OFTEN = """
import socket, sys
from local.emulator import server
server._EXPIRY_SECONDS = 0.05
server.main('http://127.0.0.1:9', socket.socket(fileno=int(sys.argv[1])))
"""
SECONDS = 60


def test_items_that_have_expired_go_by_themselves() -> None:
    """DynamoDB's time to live: else a long `make run` keeps all that it ever stored."""
    variables = environment.isolated(os.environ)
    with (
        socket.create_server(("127.0.0.1", 0)) as listener,
        subprocess.Popen(
            [sys.executable, "-c", EXPIRING_OFTEN, str(listener.fileno())],
            stdin=subprocess.PIPE,
            env=variables,
            pass_fds=[listener.fileno()],
        ) as process,
    ):
        assert process.stdin is not None
        try:
            client = boto3.client(
                "dynamodb",
                endpoint_url=f"http://127.0.0.1:{listener.getsockname()[1]}",
                region_name="us-east-1",
                aws_access_key_id="a",
                aws_secret_access_key="b",
            )
            client.create_table(
                TableName="t",
                KeySchema=[{"AttributeName": "pk", "KeyType": "HASH"}],
                AttributeDefinitions=[{"AttributeName": "pk", "AttributeType": "S"}],
                BillingMode="PAY_PER_REQUEST",
            )
            client.update_time_to_live(
                TableName="t", TimeToLiveSpecification={"Enabled": True, "AttributeName": "expires_at"}
            )
            now = time.time()
            for key, until in (("gone", now - 10), ("kept", now + 3_600)):
                client.put_item(TableName="t", Item={"pk": {"S": key}, "expires_at": {"N": str(int(until))}})
            deadline = time.monotonic() + SECONDS
            while len(left := client.scan(TableName="t")["Items"]) > 1 and time.monotonic() < deadline:
                threading.Event().wait(0.02)
            assert [item["pk"]["S"] for item in left] == ["kept"]
        finally:
            process.stdin.close()
