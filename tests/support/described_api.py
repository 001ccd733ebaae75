"""The API as its description has it, for tests that make requests from it: schemathesis's view of `openapi.json`."""

import uuid
from typing import Any

import httpx
import schemathesis
from hypothesis import assume
from hypothesis import strategies as st
from schemathesis import Case

from functions.openapi import REQUESTS
from tools.make_openapi import TARGET
from yarrow.protocol.run_ids import is_uuid

DIVINATION = REQUESTS["divination"]

THREAD, RUN = str(uuid.uuid4()), "run-1"
"""A session and its run that generated requests often name; whoever sends them makes it."""

REQUEST_SECONDS = 10

schemathesis.openapi.format("iana-time-zone", st.sampled_from(["UTC", "Asia/Shanghai", "America/Los_Angeles"]))

api = schemathesis.openapi.from_path(
    TARGET,
    config=schemathesis.Config.from_dict(
        {
            "dictionaries": {"threads": {"values": [THREAD]}, "runs": {"values": [RUN]}},
            "parameters": {
                "path.threadId": {"dictionary": "threads", "probability": 0.5},
                "query.threadId": {"dictionary": "threads", "probability": 0.5},
                "query.runId": {"dictionary": "runs", "probability": 0.7},
            },
            # Unknown parameters and the caller's token are no part of what a request may get wrong here.
            "generation": {"allow-extra-parameters": False, "with-security-parameters": False, "deterministic": True},
            # API Gateway answers an unknown method as it does an unknown route, with 404.
            "phases": {"coverage": {"unexpected-methods": []}},
            "operations": [
                # Hundreds of requests, at the limits of each member of a large body; tests of its schema are quicker.
                *(
                    {"include-operation-id": name, "phases": {"coverage": {"enabled": False}}}
                    for name in ("submit_run", "create_job", "change_job", "register_device")
                ),
                # Which cursors a run has reached, no schema can say;
                *(
                    {"include-operation-id": name, "checks": {"positive_data_acceptance": {"enabled": False}}}
                    for name in ("stream_events", "read_stream")
                ),
                # what is wrong with a form that API Gateway stores, the operation tells that it redirects to;
                *(
                    {"include-operation-id": name, "checks": {"negative_data_rejection": {"enabled": False}}}
                    for name in ("upload_attachment", "upload_recording")
                ),
                # two methods only say that there is another one;
                *(
                    {"include-operation-id": name, "checks": {"positive_data_acceptance": {"enabled": False}}}
                    for name in ("get_mcp", "delete_mcp", "send_mcp_message")
                ),
                # nor which tools this deployment has, or what a template may hold, or which points a curve has;
                *(
                    {"include-operation-id": name, "checks": {"positive_data_acceptance": {"enabled": False}}}
                    for name in ("create_job", "change_job", "register_device")
                ),
                # nor what a conversation of an AG-UI client may hold, of which what is not known is passed over;
                {
                    "include-operation-id": "send_message",
                    "checks": {
                        "positive_data_acceptance": {"enabled": False},
                        "negative_data_rejection": {"enabled": False},
                    },
                },
                # nor which view of the history a query asks for: that view ignores or refuses what is for the others.
                {
                    "include-operation-id": "get_history",
                    "checks": {
                        "positive_data_acceptance": {"enabled": False},
                        "negative_data_rejection": {"enabled": False},
                    },
                },
            ],
        }
    ),
)


def fitted(case: Case[Any]) -> Case[Any]:
    """A request as this deployment can take it, where no schema says how: a follow-up goes to the session that is
    there, any other run to one of its own, and each to an agent that it is described for.

    Whole numbers are written as such: to JSON Schema `1.0` is an integer; FWD-06 wants `1`.
    """
    body: Any = case.body
    match body:
        case {"threadId": thread, "forwardedProps": {"runtime_mode": mode} as props} if is_uuid(thread):
            of_divination = "divinationPayload" in props
            assume(mode != "follow_up" or of_divination)  # another agent of Yarrow takes none
            assume(of_divination or not _is_silent(body))  # the assistant wants a word or a picture
            case.body = body | {"threadId": THREAD if mode == "follow_up" else str(uuid.uuid4())}
            case.query = {**(case.query or {}), "agent": "divination" if of_divination else "assistant"}
    body = case.body
    match body:
        case {"forwardedProps": {"client_time": {"client_epoch_ms": float(moment)} as client_time} as props}:
            if moment.is_integer():
                whole = client_time | {"client_epoch_ms": int(moment)}
                case.body = body | {"forwardedProps": props | {"client_time": whole}}
    return case


def _is_silent(body: dict[str, Any]) -> bool:
    """Whether the message is there and has neither text nor a picture."""
    match body.get("messages"):
        case [{"role": "user", "content": str(text)}, *_]:
            return not text.strip()
        case [{"role": "user", "content": list(blocks)}, *_]:
            return not any(block.get("type") != "text" or block.get("text", "").strip() for block in blocks)
    return False


def user_with_a_run(stack: str) -> dict[str, str]:
    """The headers of a user whose one session has a run that ended."""
    with httpx.Client(base_url=stack, timeout=REQUEST_SECONDS) as http:
        token = http.post("/local/token", json={"sub": f"alice-{uuid.uuid4()}"}).json()["token"]
        http.headers["Authorization"] = f"Bearer {token}"
        assert http.post("/api/v1/agent/runs", json=DIVINATION | {"threadId": THREAD, "runId": RUN}).status_code == 202
        assert "RUN_FINISHED" in http.get(f"/api/v1/agent/runs/{THREAD}/events", params={"runId": RUN}).text
    return {"Authorization": f"Bearer {token}"}
