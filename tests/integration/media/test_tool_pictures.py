"""Pictures of tools' results are kept as attachments of the user and artifacts of the run (MCP-01)."""

import base64
from typing import Any

import pytest
from botocore.exceptions import EndpointConnectionError

from tests.support.small_pictures import png
from yarrow.media import tool_pictures
from yarrow.media.attachment_quota import MIN_BYTES
from yarrow.protocol.files.attachments import folders_of
from yarrow.settings import settings
from yarrow.store import artifacts, objects, table
from yarrow.store.limits import stored_bytes

pytestmark = [pytest.mark.usefixtures("bucket"), pytest.mark.memory]

THREAD = "550e8400-e29b-41d4-a716-446655440000"
PNG = png()


@pytest.fixture(autouse=True)
def quota(aws: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(settings.__dict__, "attachment_bytes_per_user", 2 * MIN_BYTES)


def kept(data: bytes = PNG, call: str | None = "call-1", run: str = "run-1", user: str = "alice") -> str | None:
    return tool_pictures.keep(data, "image/png", call_key=call, user_id=user, thread_id=THREAD, run_key=run)


def counted(user: str = "alice") -> int:
    item = table.get(stored_bytes.key(user))
    return 0 if item is None else int(item["stored_bytes"])


def stored(user: str = "alice") -> list[str]:
    return objects.keys(folders_of(user)[0])[0]


def test_a_picture_is_an_artifact_of_its_thread() -> None:
    artifact_id = kept()
    assert artifact_id is not None
    found, part = artifacts.metadata(artifact_id, THREAD), artifacts.read_range(artifact_id, THREAD, 0, 1_000)
    assert found is not None
    assert part is not None
    assert (found.artifact_type, found.mime_type, found.size_bytes) == ("image", "image/png", len(PNG))
    assert base64.b64decode(part.content_base64) == PNG
    assert artifacts.object_of(artifact_id, THREAD, "alice") == stored()[0]
    assert artifacts.object_of(artifact_id, THREAD, "bob") is None


def test_a_call_that_is_made_again_keeps_nothing_twice() -> None:
    """By whichever worker: the first one may have died before its step was stored."""
    assert kept() == kept(run="run-2")
    assert (len(stored()), counted()) == (1, MIN_BYTES)


def test_another_picture_of_the_same_call_is_another_artifact() -> None:
    """A server may answer otherwise the second time; what an earlier worker stored stays as it is."""
    first, second = kept(), kept(png(3, 3))
    assert first is not None
    assert first != second
    part = artifacts.read_range(first, THREAD, 0, 1_000)
    assert part is not None
    assert base64.b64decode(part.content_base64) == PNG


def test_another_call_has_its_own_artifact_of_the_same_file() -> None:
    assert kept() != kept(call="call-2")
    assert len(stored()) == 1


def test_pictures_count_as_the_users_attachments() -> None:
    """Beyond the limit none is kept, and nothing is left behind; another user's are counted apart."""
    assert kept(png(1, 1)) is not None
    assert kept(png(1, 2)) is not None
    assert kept(png(1, 3)) is None
    assert (len(stored()), counted()) == (2, 2 * MIN_BYTES)
    assert kept(user="bob") is not None


def test_a_failure_of_the_bucket_costs_the_picture(monkeypatch: pytest.MonkeyPatch) -> None:
    """The tool has acted: its result must not be lost for a picture."""

    def failing(*_: object) -> bool:
        raise EndpointConnectionError(endpoint_url="https://s3.example")

    monkeypatch.setattr(objects, "put_new", failing)
    assert kept() is None
    assert kept() is None


def test_a_picture_takes_one_request_of_the_bucket_and_two_writes(monkeypatch: pytest.MonkeyPatch) -> None:
    """As docs/operations.md prices it: a file, its bytes counted, and its artifact."""
    kept(png(9, 9))  # the user's first is counted by a listing
    made: list[str] = []
    for module, name in ((objects, "put_new"), (table, "update_returning"), (table, "put_alone"), (table, "get")):
        plain = getattr(module, name)

        def counting(*arguments: Any, _plain: Any = plain, _name: str = name) -> Any:
            made.append(_name)
            return _plain(*arguments)

        monkeypatch.setattr(module, name, counting)
    assert kept() is not None
    assert made == ["update_returning", "put_new", "put_alone"]
