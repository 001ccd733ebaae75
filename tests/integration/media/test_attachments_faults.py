"""Uploads whose storage fails, whose function dies, or that several finish at once: each becomes one attachment."""

import json
from collections.abc import Iterator
from functools import partial
from itertools import count
from typing import Any

import pytest
from botocore.client import BaseClient
from botocore.exceptions import BotoCoreError, ClientError, EndpointConnectionError

from functions.finish_upload.app import handler as finish_function
from tests.support.functions import api_calls
from tests.support.functions.api_calls import ApiCalls, Fault, Killed, Make
from tests.support.functions.payloads import Case
from tests.support.staged_uploads import WAYS, announced, everything, form, refusal, staged, thread
from tests.support.uploads import PNG
from yarrow.media.uploads import begin_upload, finish_upload
from yarrow.protocol.problems import Code, Problem, ProblemCode
from yarrow.settings import settings
from yarrow.store import objects, uploads
from yarrow.web.lambda_runtime import InvocationContext

pytestmark = [pytest.mark.usefixtures("bucket"), pytest.mark.memory]
"""On moto alone: what counts here is which calls are made, and they are the same to every engine."""


CONTEXT = InvocationContext("r", "arn", 0, "f", "1", 512, "g", "s")


@pytest.fixture
def calls(bucket: None) -> Iterator[ApiCalls]:
    with api_calls.watched() as calls:
        yield calls


def test_an_upload_announced_twice_over_is_one(calls: ApiCalls) -> None:
    """C28: when the first answer was lost on the way."""
    body = json.dumps({"threadId": thread(), "mimeType": "image/png"}).encode()
    for at in count(1):
        calls.reset(at, api_calls.asked_twice)
        upload_id = begin_upload(body, "alice").upload_id
        assert uploads.read("alice", upload_id) is not None
        if not calls.struck:
            break
    assert at > 3


def out_of_reach(_: BaseClient, __: str, ___: Make) -> Any:
    raise EndpointConnectionError(endpoint_url="https://s3")


FAULTS: list[Fault] = [
    out_of_reach,
    api_calls.refused,
    api_calls.unanswered,
    api_calls.killed_before,
    api_calls.killed_after,
]


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.__name__)
def test_whichever_call_fails_a_repeat_finishes_the_upload(way: str, fault: Fault, calls: ApiCalls) -> None:
    """ATT-04, ERR-06: the failure is told as the storage's, and the file is there once."""
    failed: list[ProblemCode | None] = []
    for at in count(1):
        calls.reset()
        upload_id = WAYS[way](thread(), PNG)
        calls.reset(at, fault)
        try:
            finish_upload("alice", upload_id)
        except Problem as problem:
            failed.append(problem.code)
        except (Killed, ClientError, BotoCoreError):
            failed.append(None)
        struck = calls.struck
        calls.reset()
        attachment = finish_upload("alice", upload_id).attachment
        assert objects.get(attachment.path) == PNG
        own = [key for key in everything() if upload_id in key]
        # A delete that failed leaves what the lifecycle deletes.
        assert own in ([attachment.path], [attachment.path, uploads.staged_key("alice", upload_id)])
        if not struck:
            break
    assert at > 6
    assert set(failed) <= {None, Code.AGENT_ATTACHMENT_STORAGE_UNAVAILABLE}
    if "killed" not in fault.__name__:
        assert failed.count(Code.AGENT_ATTACHMENT_STORAGE_UNAVAILABLE) >= 3


@pytest.mark.parametrize(("data", "refused"), [(PNG, False), (b"", True)])
def test_a_delete_that_fails_keeps_nobody_from_the_answer(
    data: bytes, refused: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """ATT-04: neither from an attachment nor from a refusal; the lifecycle deletes what is left."""
    upload_id = staged(form(thread(), data))

    def fail(_: str) -> None:
        raise EndpointConnectionError(endpoint_url="https://s3")

    monkeypatch.setattr(objects, "delete", fail)
    for _ in range(2):
        if refused:
            assert refusal(lambda: finish_upload("alice", upload_id)) is Code.AGENT_ATTACHMENT_EMPTY
        else:
            assert finish_upload("alice", upload_id).attachment.path in everything()
    assert uploads.staged_key("alice", upload_id) in everything()


@pytest.mark.parametrize("way", WAYS)
def test_two_that_finish_at_once_get_the_same_attachment(way: str, calls: ApiCalls) -> None:
    """ATT-03, ATT-06: before whichever call of the one the other does it all."""
    for at in count(1):
        upload_id = WAYS[way](thread(), PNG)
        paths: list[str] = []

        def finish(upload_id: str = upload_id, paths: list[str] = paths) -> None:
            paths.append(finish_upload("alice", upload_id).attachment.path)

        calls.reset(at, api_calls.interrupted_by(finish))
        finish()
        struck = calls.struck
        calls.reset()
        assert len(set(paths)) == 1
        assert [key for key in everything() if upload_id in key] == [paths[0]]
        assert objects.get(paths[0]) == PNG
        if not struck:
            break
    assert at > 6


def test_a_file_exchanged_while_it_is_finished_changes_nothing_that_was_answered(calls: ApiCalls) -> None:
    """ATT-06: the form of the direct way may be sent again while it is valid."""
    other = b"\xff\xd8\xff\xe0\x00\x10JFIF\x00\x01"

    def exchange(upload_id: str, paths: list[str]) -> None:
        finish = finish_upload("alice", upload_id).attachment
        paths.append(finish.path)
        objects.put(uploads.staged_key("alice", upload_id), other, "image/png")

    for at in count(1):
        calls.reset()
        upload_id = announced(thread(), PNG)
        paths: list[str] = []
        calls.reset(at, api_calls.interrupted_by(partial(exchange, upload_id, paths)))
        path = finish_upload("alice", upload_id).attachment.path
        struck = calls.struck
        calls.reset()
        if not struck:
            break
        assert path == paths[0] == finish_upload("alice", upload_id).attachment.path
        assert objects.get(path) == PNG
    assert at > 6


def test_another_write_of_the_key_is_waited_for(calls: ApiCalls) -> None:
    """ATT-04: S3 says 409 while one goes on."""

    def conflicting(_: BaseClient, operation: str, __: Make) -> Any:
        raise ClientError({"Error": {"Code": "ConditionalRequestConflict", "Message": "busy"}}, operation)

    calls.reset(1, conflicting)
    assert objects.put_new("agent-inputs/alice/a.png", PNG, "image/png")
    assert not objects.put_new("agent-inputs/alice/a.png", b"other", "image/png")
    assert objects.get("agent-inputs/alice/a.png") == PNG


# ---- The function ----------------------------------------------------------------------------------------------------
def test_no_signature_is_ever_logged(caplog: pytest.LogCaptureFixture, calls: ApiCalls) -> None:
    """SEC-05: Neither a success nor a failure at any call logs one."""
    caplog.set_level("INFO")
    case = Case()
    for at in count(1):
        calls.reset()
        upload_id = staged(form(thread()), case.user)
        event = case.payload("api_gateway_finish_upload")
        event["path"] = event["path"].rpartition("/")[0] + f"/{upload_id}"
        calls.reset(at, out_of_reach)
        answer = finish_function(event, CONTEXT)
        struck = calls.struck
        if not struck:
            break
        assert answer["statusCode"] in {200, 503}
    attachment = json.loads(answer["body"])["attachment"]
    assert answer["headers"]["cache-control"] == "no-store"
    seal = attachment["url"].rpartition("#")[2]
    text = caplog.text + "".join(str(vars(record)) for record in caplog.records)
    assert "storage failed" in text
    for secret in ("X-Amz-Signature", seal, settings.url_signing_key.decode()):
        assert secret not in text
