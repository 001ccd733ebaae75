"""The log: whose every line is, and what no line holds."""

import asyncio
import hashlib
import json
import logging
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Annotated, Any

import httpx2
import pytest
from botocore.exceptions import ClientError, EndpointConnectionError
from pydantic import BaseModel, ConfigDict, Field

from tests.support.growth import growth
from tests.support.log_lines import Context, LogLines
from tests.support.paths import ROOT
from yarrow.observability import failures, logs, redaction
from yarrow.observability.logs import correlate, invocation, logger
from yarrow.web.lambda_task import task

CORE = ROOT / "layers/core/yarrow"

MARKER = "my innermost secret"
"""What a user may have written, and a library may quote."""


@pytest.fixture
def log() -> Iterator[LogLines]:
    with LogLines.captured() as lines:
        yield lines


# ---- Whose a line is -------------------------------------------------------------------------------------------------
def test_a_line_tells_the_invocation_the_caller_and_the_run(log: LogLines, monkeypatch: pytest.MonkeyPatch) -> None:
    """ERR-12, SEC-05: the user by a hash that `sha256sum` makes as well."""
    monkeypatch.setattr(logs, "_warm", set())
    with invocation(Context(), request_id="gateway-1", user_id="alice"):
        correlate(run_key="run")
        logger.info("first")
    with invocation(Context("request-2")):
        logger.info("second")
    first, second = log.records
    assert first | {"timestamp": "", "location": ""} == {
        "level": "INFO",
        "location": "",
        "message": "first",
        "timestamp": "",
        "service": "yarrow",
        "function_name": "SubmitRunFunction",
        "function_request_id": "request-1",
        "cold_start": True,
        "request_id": "gateway-1",
        "user": hashlib.sha256(b"alice").hexdigest()[:12],
        "run_key": "run",
    }
    assert first["timestamp"].endswith("+00:00")
    assert (second["function_request_id"], second["cold_start"]) == ("request-2", False)
    assert not {"request_id", "user", "run_key"} & set(second)


def test_what_a_thread_or_a_task_finds_out_every_later_line_tells(log: LogLines) -> None:
    async def work() -> None:
        await asyncio.to_thread(correlate, run_key="run")
        logging.getLogger("yarrow.runners.one").warning("from a runner")

    with invocation(Context()):
        asyncio.run(work())
        logger.info("after it")
    logger.info("outside")
    assert [record.get("run_key") for record in log.records] == ["run", "run", None]


def test_invocations_that_share_a_process_do_not_mix(log: LogLines) -> None:
    """All of the local stack share one."""
    both_begun = threading.Barrier(2, timeout=5)

    def invoke(name: str) -> None:
        with invocation(Context(name, name), request_id=name):
            correlate(run_key=name)
            both_begun.wait()
            logger.info(name)

    with ThreadPoolExecutor(2) as pool:
        list(pool.map(invoke, ("one", "two")))
    for line in log.records:
        ids = ("function_name", "function_request_id", "request_id", "run_key")
        assert {line[name] for name in ids} == {line["message"]}


def test_a_runtime_and_its_handler_speak_of_one_invocation(log: LogLines) -> None:
    with invocation(Context()):
        with invocation(Context(), request_id="gateway-1"):
            correlate(run_key="run")
        logger.error("the runtime tells of its end")
    (line,) = log.records
    assert (line["request_id"], line["run_key"]) == ("gateway-1", "run")


# ---- What no line holds ----------------------------------------------------------------------------------------------
class Input(BaseModel):
    model_config = ConfigDict(extra="forbid")
    text: Annotated[str, Field(max_length=3)]


def invalid() -> None:
    Input.model_validate({"text": MARKER, MARKER: 1})


def refused() -> None:
    details = {"Error": {"Code": "ValidationException", "Message": MARKER}, "ResponseMetadata": {"RequestId": "aws-1"}}
    raise ClientError(details, "PutItem")  # type: ignore[arg-type] # as AWS answers, with fewer members


def not_reached() -> None:
    raise EndpointConnectionError(endpoint_url=f"https://bucket/{MARKER}?X-Amz-Signature=1")


def answered_badly() -> None:
    request = httpx2.Request("GET", f"https://provider/{MARKER}")
    httpx2.Response(500, request=request, text=MARKER).raise_for_status()


def noted() -> None:
    error = RuntimeError(MARKER)
    error.add_note(MARKER)
    raise error


def grouped() -> None:
    raise ExceptionGroup(MARKER, [KeyError(MARKER), OSError(5, MARKER)])


def caused() -> None:
    try:
        refused()
    except ClientError as error:
        raise LookupError(MARKER) from error


def in_the_way() -> None:
    try:
        noted()
    finally:
        refused()


@pytest.mark.parametrize(
    ("fail", "expected"),
    [
        (invalid, "ValidationError invalid=string_too_long,extra_forbidden"),
        (refused, "ClientError code=ValidationException operation=PutItem aws_request_id=aws-1"),
        (not_reached, "EndpointConnectionError"),
        (answered_badly, "HTTPStatusError"),
        (noted, "RuntimeError"),
        (grouped, "ExceptionGroup of=KeyError,OSError"),
        (caused, "LookupError"),
        (caused, "caused by ClientError code=ValidationException"),
        (in_the_way, "caused by RuntimeError"),
    ],
)
def test_an_exception_is_told_by_its_kind_and_place_and_not_by_its_words(
    fail: Callable[[], None], expected: str, log: LogLines
) -> None:
    """SEC-05, ERR-12: Its words are neither in the error of a line nor in its causes."""
    try:
        fail()
    except Exception:
        logger.exception("it failed")
    (line,) = log.records
    assert expected in line["exception"]
    assert f"in {fail.__name__}" in line["exception"]
    assert MARKER not in log.text


def test_causes_that_go_round_are_told_to_an_end() -> None:
    first, second = ValueError(), KeyError()
    first.__cause__, second.__cause__ = second, first
    assert failures.in_brief(first).count("caused by") == failures._MAX_CAUSES - 1


def test_at_debug_the_words_follow_in_a_line_of_their_own(log: LogLines) -> None:
    """SEC-05: what is of INFO and above stays the same."""
    logging.getLogger("yarrow").setLevel(logging.DEBUG)
    try:
        noted()
    except RuntimeError:
        logger.warning("it failed", exc_info=True)
    brief, whole = log.records
    assert (brief["level"], whole["level"]) == ("WARNING", "DEBUG")
    assert MARKER not in json.dumps(brief)
    assert MARKER in whole["exception"]


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("Authorization: Bearer abc.def-1~", "Authorization: [secret]"),
        ("token eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiJhIn0.c2ln here", "token [secret] here"),
        ('said "eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiJhIn0.c2ln"', 'said "[secret]"'),
        ("token=eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiJhIn0.c2ln", "token=[secret]"),
        ("令牌eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiJhIn0.c2ln", "令牌[secret]"),
        ("token:\neyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiJhIn0.c2ln", "token:\n[secret]"),
        ("key sk-proj-0123456789abcdef0123", "key [secret]"),
        ("keys:\nsk-proj-0123456789abcdef0123", "keys:\n[secret]"),
        (f"key yk_0123456789abcdef_{'-aZ' * 14}_.", "key [secret]."),
        (f"keys:\nyk_0123456789abcdef_{'a' * 43}", "keys:\n[secret]"),
        ("key 0123456789abcdef of task-0123456789abcdef0123", "key 0123456789abcdef of task-0123456789abcdef0123"),
        ("https://s3/a?X-Amz-Signature=abc&X-Amz-Date=2", "https://s3/a?[secret]&X-Amz-Date=2"),
        ("https://s3/a?x-amz-security-token=a%2Fb%3D", "https://s3/a?[secret]"),
        ("https://s3/a?X-Amz-Date=2#" + "a" * 43, "https://s3/a?X-Amz-Date=2[secret]"),
        ("a run is submitted", "a run is submitted"),
    ],
)
def test_what_looks_like_a_credential_is_blotted_out(text: str, left: str, log: LogLines) -> None:
    """SEC-05: wherever in a line it comes, at any level."""
    logging.getLogger("yarrow").setLevel(logging.DEBUG)
    logger.debug(text)
    logger.info("said", extra={"what": text})
    assert [log.records[0]["message"], log.records[1]["what"]] == [left, left]


@pytest.mark.parametrize("piece", ["eyJ", "eyJ-", "eyJaaaaaaaa.", "sk-", "yk_", "bearer ", "x-amz-signature=", "#a"])
def test_a_long_text_is_searched_for_credentials_in_one_go(piece: str) -> None:
    """SEC-05: what users send may come to the log as something else; it must not cost seconds there."""

    def text(size: int) -> str:
        return piece * (size // len(piece))

    # A search that starts anew at each piece takes 64 times as long for eight times the text.
    assert growth(redaction.without_secrets, text, 25_000, 200_000, enough=24) <= 24


def test_of_a_librarys_line_the_values_stay_out(log: LogLines) -> None:
    """SEC-05: parsers and event loops quote what they are given."""
    logging.getLogger("python_multipart").warning("did not find %r", MARKER)
    never_retrieved = f"Task exception was never retrieved\nfuture: {MARKER}"
    logging.getLogger("asyncio").error(never_retrieved)
    assert [(record["message"], record["library"]) for record in log.records] == [
        ("did not find %r", "python_multipart"),
        ("Task exception was never retrieved", "asyncio"),
    ]
    assert MARKER not in log.text


def test_what_the_managed_runtime_writes_of_libraries_is_written_alike() -> None:
    """SEC-05: Its own handler would print every word."""
    code = f"""
import logging

class Lambdas(logging.StreamHandler):
    log_sink = None

logging.root.addHandler(Lambdas())
import yarrow.observability.logs
logging.getLogger("asyncio").error("failed: %s", {MARKER!r})
logging.getLogger("yarrow.runners").error("once")
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert [json.loads(line)["message"] for line in done.stderr.splitlines()] == ["failed: %s", "once"]


def test_a_task_fails_by_name_alone(log: LogLines) -> None:
    """SEC-05, CMP-11: the state machine goes by the name; the words would be in the log and the execution's history."""

    @task
    def handler(event: dict[str, Any]) -> None:
        refused()

    with pytest.raises(Exception, match=r"^see the log of request request-1$") as caught:
        handler({}, Context())
    assert type(caught.value).__name__ == "ClientError"
    assert caught.value.__suppress_context__
    (line,) = log.records
    assert (line["message"], line["function_request_id"]) == ("the task failed", "request-1")


def test_one_place_makes_the_logger() -> None:
    """SEC-05: another would have rules of its own."""
    for path in CORE.rglob("*.py"):
        if path != CORE / "observability/logs.py":
            assert "aws_lambda_powertools import Logger" not in path.read_text(encoding="utf-8"), path
