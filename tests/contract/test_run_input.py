"""The rules of `run-input.md`, row by row: the exact message, the code, the value that just passes and the one that
just does not (CMP-08). Their order is in `test_run_input_order`, the shapes in `test_run_input_shapes`."""

import dataclasses
import json
from typing import Any

import pytest

from tests.support.run_bodies import CLIENT_TIME, PICTURE, THREAD, admitted, body, parsed, props, refusal, user, without
from yarrow.protocol.problems import Code, Problem
from yarrow.protocol.run_input.body import RunInput, parse_run_input, read_body

INPUT, MESSAGES, MODE = (
    Code.AGENT_RUN_INPUT_INVALID,
    Code.AGENT_RUN_MESSAGES_INVALID,
    Code.AGENT_RUNTIME_MODE_INVALID,
)

SYSTEM = {"id": "s", "role": "system", "content": "…"}
USER_FIRST = user("问")
ASTRAL = "𠮷"

UUID = "threadId must be a valid UUID"
RUN_ID = "runId must be a non-empty string"
TOO_LONG = "RunAgentInput user message text exceeds limit"
ONE_USER = "RunAgentInput.messages must contain exactly one user message"
IMAGE = "binary content requires image mimeType"
PROPS = "invalid RunAgentInput.forwardedProps"


def text(content: str) -> dict[str, str]:
    return {"type": "text", "text": content}


def picture(**changes: Any) -> dict[str, Any]:
    return body(messages=[user([{**PICTURE, **changes}])])


def client_time(**changes: Any) -> dict[str, Any]:
    """A body with a client_time, changed in some members."""
    return body(forwardedProps=props(client_time={**CLIENT_TIME, **changes}))


REFUSED = [
    # threadId
    ("RUN-04", body(threadId="thread_001"), INPUT, UUID),
    ("RUN-04", body(threadId=""), INPUT, UUID),
    ("RUN-04", body(threadId=None), INPUT, UUID),
    ("RUN-04", body(threadId=7), INPUT, UUID),
    ("RUN-04", body(threadId=[THREAD]), INPUT, UUID),
    ("RUN-04", body(threadId=THREAD + "0"), INPUT, UUID),
    ("RUN-04", body(threadId=THREAD + "\n"), INPUT, UUID),
    ("RUN-04", body(threadId=THREAD.replace("-", "")), INPUT, UUID),
    ("RUN-04", body(threadId="{" + THREAD + "}"), INPUT, UUID),
    ("RUN-04", body(threadId="urn:uuid:" + THREAD), INPUT, UUID),
    ("RUN-04", body(threadId="g" + THREAD[1:]), INPUT, UUID),
    ("RUN-04", body(threadId="٣" + THREAD[1:]), INPUT, UUID),
    ("RUN-04", without(body(), "threadId"), INPUT, UUID),
    # runId
    ("RUN-05", body(runId="r" * 129), INPUT, "runId exceeds length limit"),
    ("RUN-05", body(runId="卦" * 129), INPUT, "runId exceeds length limit"),
    ("RUN-05", body(runId=""), INPUT, RUN_ID),
    ("RUN-05", body(runId=None), INPUT, RUN_ID),
    ("RUN-05", body(runId=1), INPUT, RUN_ID),
    ("RUN-05", without(body(), "runId"), INPUT, RUN_ID),
    ("RUN-25", body(parentRunId="r" * 129), INPUT, "parentRunId must be a string of at most 128 characters"),
    ("RUN-25", body(parentRunId=1), INPUT, "parentRunId must be a string of at most 128 characters"),
    # messages
    ("RUN-06", body(messages=[USER_FIRST, *[SYSTEM] * 200]), MESSAGES, "RunAgentInput.messages exceeds limit"),
    ("RUN-06", body(messages=None), MESSAGES, "RunAgentInput.messages must be an array"),
    ("RUN-06", body(messages={"0": USER_FIRST}), MESSAGES, "RunAgentInput.messages must be an array"),
    ("RUN-06", without(body(), "messages"), MESSAGES, "RunAgentInput.messages must be an array"),
    ("RUN-08", body(messages=[]), MESSAGES, ONE_USER),
    ("RUN-08", body(messages=[SYSTEM]), MESSAGES, ONE_USER),
    ("RUN-08", body(messages=[USER_FIRST, USER_FIRST]), MESSAGES, ONE_USER),
    ("RUN-08", body(messages=[SYSTEM, USER_FIRST, USER_FIRST]), MESSAGES, ONE_USER),
    ("RUN-09", body(messages=[SYSTEM, USER_FIRST]), MESSAGES, "RunAgentInput.messages[0].role must be user"),
    ("RUN-09", body(messages=[None, USER_FIRST]), MESSAGES, "RunAgentInput.messages[0].role must be user"),
    # the user's content
    ("RUN-07", body(messages=[user("字" * 10_001)]), MESSAGES, TOO_LONG),
    ("RUN-07", body(messages=[user(ASTRAL * 10_001)]), MESSAGES, TOO_LONG),
    ("RUN-07", body(messages=[user([text("字" * 10_001)])]), MESSAGES, TOO_LONG),
    ("RUN-07", body(messages=[user([text("字" * 5_000), PICTURE, text("字" * 5_001)])]), MESSAGES, TOO_LONG),
    ("RUN-10", picture(mimeType="text/plain"), MESSAGES, IMAGE),
    ("RUN-10", picture(mimeType="application/image/png"), MESSAGES, IMAGE),
    ("RUN-10", picture(mimeType="image/"), MESSAGES, IMAGE),
    ("RUN-10", picture(mimeType="image/png\n"), MESSAGES, IMAGE),
    ("RUN-10", picture(mimeType="image/*"), MESSAGES, IMAGE),
    ("RUN-10", picture(mimeType="ımage/png"), MESSAGES, IMAGE),
    ("RUN-10", picture(mimeType="image/图"), MESSAGES, IMAGE),
    ("RUN-10", picture(mimeType=None), MESSAGES, IMAGE),
    ("RUN-10", body(messages=[user([without(PICTURE, "mimeType")])]), MESSAGES, IMAGE),
    ("RUN-11", picture(url=""), MESSAGES, "binary content requires url"),
    ("RUN-11", picture(url=None), MESSAGES, "binary content requires url"),
    ("RUN-11", body(messages=[user([without(PICTURE, "url")])]), MESSAGES, "binary content requires url"),
    ("RUN-12", picture(data="aGk="), MESSAGES, "binary content data is not allowed"),
    ("RUN-12", picture(data=""), MESSAGES, "binary content data is not allowed"),
    ("RUN-12", picture(data="aGk=", url=None), MESSAGES, "binary content data is not allowed"),
    ("RUN-13", body(messages=[user([PICTURE] * 4)]), MESSAGES, "Too many attachments"),
    # forwardedProps
    ("RUN-14", without(body(), "forwardedProps"), MODE, PROPS),
    ("RUN-14", body(forwardedProps=None), MODE, PROPS),
    ("RUN-14", body(forwardedProps=[]), MODE, PROPS),
    ("RUN-14", body(forwardedProps="chat"), MODE, PROPS),
    ("RUN-14", body(forwardedProps={}), MODE, PROPS),
    ("RUN-14", body(forwardedProps=props(runtime_mode=None)), MODE, PROPS),
    ("RUN-14", body(forwardedProps=props(runtime_mode="")), MODE, PROPS),
    ("RUN-14", body(forwardedProps=props(runtime_mode="Chat")), MODE, PROPS),
    ("RUN-14", body(forwardedProps=props(runtime_mode=["chat"])), MODE, PROPS),
    ("FWD-01", body(forwardedProps=props(extra=1)), INPUT, PROPS),
    ("FWD-01", body(forwardedProps=props(runtimemode="chat")), INPUT, PROPS),
    ("FWD-02", body(forwardedProps=props(runtime_mode="automation")), MODE, PROPS),
    ("FWD-03", body(forwardedProps=props(client_time="now")), INPUT, PROPS),
    ("FWD-03", body(forwardedProps=props(client_time=[])), INPUT, PROPS),
]


@pytest.mark.parametrize(("requirement", "sent", "code", "detail"), REFUSED)
def test_a_body_that_breaks_a_rule_is_refused_in_its_words(
    requirement: str, sent: dict[str, Any], code: Code, detail: str
) -> None:
    """ERR-04, ERR-09, CMP-08: The response is 422 with the documents' message and the code of the rule's kind."""
    problem = refusal(sent)
    assert (problem.status, problem.code, problem.detail) == (422, code, detail)


CLIENT_TIME_REFUSED: list[tuple[str, str, Any]] = [
    ("FWD-04", "device_timezone", value)
    for value in (
        *("", "Mars/Olympus", "+08:00", "UTC+8", "America", "asia/shanghai", "../UTC", "/UTC", "UTC\0", "x" * 9_999),
        *("localtime", "posixrules", "posix/UTC", "right/UTC", None, 8, ["UTC"]),
    )
] + [
    ("FWD-05", "client_now_iso", value)
    for value in (
        *("", "now", "2026-04-03", "2026-04-03T20:30:00", "2026-04-03 20:30:00+08:00", "2026-04-03T20:30+08:00"),
        *("2026-02-30T20:30:00+08:00", "2026-04-03T25:30:00Z", None, 1775219400000),
    )
]
EPOCHS: list[Any] = [True, 1775219400000.0, "1775219400000", None, [], 2**53, -(2**53), 10**4_000]
CLIENT_TIME_REFUSED += [("FWD-06", "client_epoch_ms", value) for value in EPOCHS]


@pytest.mark.parametrize(("requirement", "member", "value"), CLIENT_TIME_REFUSED, ids=lambda value: repr(value)[:40])
def test_a_client_time_that_breaks_a_rule_is_refused_by_the_members_name(
    requirement: str, member: str, value: Any
) -> None:
    """FWD-03: The member is present and invalid, or missing."""
    for sent in (
        client_time(**{member: value}),
        body(forwardedProps=props(client_time=without(CLIENT_TIME, member))),
    ):
        problem = refusal(sent)
        assert (problem.status, problem.code) == (422, Code.AGENT_RUN_INPUT_INVALID)
        assert problem.detail == f"invalid client_time.{member}"


ACCEPTED = [
    ("RUN-04", body(threadId=THREAD.upper())),
    ("RUN-04", body(threadId="00000000-0000-0000-0000-000000000000")),
    ("RUN-05", body(runId="r")),
    ("RUN-05", body(runId="r" * 127)),
    ("RUN-05", body(runId="r" * 128)),
    ("RUN-05", body(runId=ASTRAL * 128)),
    ("RUN-25", body(parentRunId="r" * 128)),
    ("RUN-25", body(parentRunId=None)),
    ("RUN-06", body(messages=[USER_FIRST, *[SYSTEM] * 198])),
    ("RUN-06", body(messages=[USER_FIRST, *[SYSTEM] * 199])),
    ("RUN-07", body(messages=[user("字" * 9_999)])),
    ("RUN-07", body(messages=[user("字" * 10_000)])),
    ("RUN-07", body(messages=[user(ASTRAL * 10_000)])),
    ("RUN-07", body(messages=[user([text("字" * 5_000), PICTURE, text(ASTRAL * 5_000)])])),
    ("RUN-07", body(messages=[user([text("字" * 10_000), {**PICTURE, "text": "no text of the user's"}])])),
    ("RUN-10", picture(mimeType="image/svg+xml")),
    ("RUN-10", picture(mimeType="Image/PNG")),
    ("RUN-12", picture(data=None)),
    ("RUN-13", body(messages=[user([PICTURE] * 2)])),
    ("RUN-13", body(messages=[user([PICTURE] * 3)])),
    ("FWD-03", body(forwardedProps=props(client_time=None))),
    ("FWD-03", client_time()),
    ("FWD-04", client_time(device_timezone="UTC")),
    ("FWD-04", client_time(device_timezone="America/Argentina/Buenos_Aires")),
    ("FWD-04", client_time(device_timezone="US/Pacific")),
    ("FWD-05", client_time(client_now_iso="2026-04-03T12:30:00Z")),
    ("FWD-05", client_time(client_now_iso="2026-04-03T12:30:00.123-00:30")),
    ("FWD-06", client_time(client_epoch_ms=0)),
    ("FWD-06", client_time(client_epoch_ms=-1)),
    ("FWD-06", client_time(client_epoch_ms=2**53 - 1)),
]


@pytest.mark.parametrize(("requirement", "sent"), ACCEPTED)
def test_a_body_just_within_its_rules_is_accepted(requirement: str, sent: dict[str, Any]) -> None:
    """CMP-08: Each case is the valid side of a boundary."""
    assert admitted(sent).thread_id == sent["threadId"]


@pytest.mark.parametrize("filler", ["x", "卦"])
@pytest.mark.parametrize("over", [-1, 0, 1])
def test_a_body_is_at_most_256_kib_of_bytes(over: int, filler: str) -> None:
    """RUN-03, ERR-09: 262,143 and 262,144 bytes are read, 262,145 are too large."""
    size = 262_144 + over
    empty = len(json.dumps(body(padding="")).encode())
    padding = filler * ((size - empty) // len(filler.encode()))
    raw = json.dumps(body(padding="")).encode().replace(b'"padding": ""', b'"padding": "%s"' % padding.encode())
    raw += b" " * (size - len(raw))
    assert len(raw) == size
    if over <= 0:
        assert parse_run_input(read_body(raw)).run_id == "run-001"
        return
    with pytest.raises(Problem) as caught:
        read_body(raw)
    assert (caught.value.status, caught.value.code) == (413, Code.AGENT_RUN_INPUT_INVALID)
    assert caught.value.detail == "RunAgentInput payload exceeds size limit"


@pytest.mark.parametrize("mode", ["chat", "follow_up", "automation"])
def test_the_runtime_mode_is_the_callers_word(mode: str) -> None:
    """RUN-14, RUN-18, FWD-02: each of the three is read as it is, and nowhere does it have a default."""
    assert parsed(body(forwardedProps={"runtime_mode": mode})).runtime_mode == mode
    (field,) = (field for field in dataclasses.fields(RunInput) if field.name == "runtime_mode")
    assert (field.default, field.default_factory) == (dataclasses.MISSING, dataclasses.MISSING)


def test_a_client_time_is_read_as_it_was_sent() -> None:
    """FWD-03."""
    read = parsed(client_time()).client_time
    assert read is not None
    assert dataclasses.asdict(read) == CLIENT_TIME
    assert parsed(body()).client_time is None


@pytest.mark.parametrize("absent", [(), ("state", "tools", "context")])
def test_state_tools_and_context_are_empty_where_they_are_absent(absent: tuple[str, ...]) -> None:
    """RUN-22: what an agent requires of them is its binding's affair."""
    read = parsed(without(body(), *absent))
    assert (read.state, read.tools, read.context) == ({}, [], [])
    assert read.sent_members == {"state", "tools", "context"} - set(absent)


@pytest.mark.parametrize("state", [{"a": [1, None]}, [], "x", 0, False])
def test_the_state_may_be_any_json(state: Any) -> None:
    """RUN-22: kept as it is, also where it is false."""
    assert parsed(body(state=state)).state == state
