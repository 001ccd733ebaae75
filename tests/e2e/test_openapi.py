"""The description of the API, held against the running stack: whatever is sent, each answer is one it describes."""

import os
import subprocess
import sys
import uuid
from pathlib import Path
from typing import Any

import httpx
import pytest

from functions.openapi import REQUESTS
from tests.support.described_api import REQUEST_SECONDS, RUN, THREAD, api, user_with_a_run
from tests.support.paths import ROOT
from tools.make_openapi import TARGET

DIVINATION = REQUESTS["divination"]

GENERATED = Path(__file__).with_name("generated") / "generated_requests.py"


@pytest.fixture(scope="module")
def alice(stack: str) -> dict[str, str]:
    return user_with_a_run(stack)


def test_the_stack_describes_itself_to_anyone(stack: str) -> None:
    answer = httpx.get(f"{stack}/openapi.json")
    assert (answer.status_code, answer.headers["content-type"]) == (200, "application/json")
    assert answer.text == TARGET.read_text(encoding="utf-8")
    assert answer.headers["access-control-allow-origin"] == "*"


JOB = {
    "input_template": "{{date}}",
    "schedule": {"type": "daily", "run_at": {"hour": 7, "minute": 30}},
    "timezone": "UTC",
    "status": "disabled",
}
DEVICE = {
    "kind": "web",
    "subscription": {
        "endpoint": "https://updates.push.services.mozilla.com/wpush/v2/openapi",
        "keys": {
            "p256dh": "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
            "auth": "BTBZMqHH6r4Tts7J_aSIgg",
        },
    },
}
OUTCOME_OF_THREAD = {"path_parameters": {"threadId": THREAD}, "media_type": "application/json"}
RUN_OF_THREAD = {"path_parameters": {"threadId": THREAD}, "query": {"runId": RUN}}


@pytest.mark.parametrize(
    ("operation", "request_", "status"),
    [
        ("submit_run", {"body": DIVINATION | {"threadId": str(uuid.uuid4())}, "media_type": "application/json"}, 202),
        ("stream_events", RUN_OF_THREAD, 200),
        ("stream_events", RUN_OF_THREAD | {"headers": {"Last-Event-ID": "3"}}, 200),
        ("record_outcome", OUTCOME_OF_THREAD | {"body": {"outcome": "partly", "runId": RUN}}, 200),
        ("cancel_run", RUN_OF_THREAD, 200),
        ("get_history", {}, 200),
        ("get_history", {"query": {"threadId": THREAD}}, 200),
        ("get_history", {"query": {"threadId": THREAD, "scope": "history_day"}}, 200),
        ("list_interrupts", {"query": {"limit": 1}}, 200),
        ("get_usage", {"query": {"from": "2026-11-01", "to": "2026-11-02"}}, 200),
        ("list_memories", {"query": {"limit": 1}}, 200),
        ("delete_memory", {"path_parameters": {"memoryId": "0" * 32}}, 204),
        ("register_device", {"body": DEVICE, "media_type": "application/json"}, 201),
        ("list_devices", {}, 200),
        ("remove_device", {"path_parameters": {"deviceId": THREAD}}, 204),
        ("list_mcp_connections", {}, 200),
        ("remove_mcp_connection", {"path_parameters": {"connectionId": THREAD}}, 204),
        ("list_webhooks", {}, 403),
        ("create_job", {"body": JOB, "media_type": "application/json"}, 201),
        ("list_jobs", {}, 200),
        ("describe_api", {}, 200),
        ("describe_mcp_resource", {}, 200),
        (
            "send_mcp_message",
            {"body": {"jsonrpc": "2.0", "id": 1, "method": "ping"}, "media_type": "application/json"},
            200,
        ),
        ("get_mcp", {}, 405),
        ("delete_mcp", {}, 405),
    ],
)
def test_what_succeeds_is_answered_as_described(
    stack: str, alice: dict[str, str], operation: str, request_: dict[str, Any], status: int
) -> None:
    """RUN-19, RUN-20, EVT-03, HIS-04, HIS-12: Each event of a stream matches the schema of its type."""
    case = api.find_operation_by_id(operation).Case(**request_)
    assert case.call_and_validate(base_url=stack, headers=alice, timeout=REQUEST_SECONDS).status_code == status


@pytest.mark.timeout(600)
def test_every_answer_is_described(stack: str) -> None:
    """ERR-01, ERR-02, ERR-11, SEC-01: in a process of its own, since every process that collects these requests makes
    them first.
    """
    output = subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", str(GENERATED)],
        env=os.environ | {"STACK": stack},
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert output.returncode == 0, output.stdout
    assert f"{len(list(api.get_all_operations()))} passed" in output.stdout
