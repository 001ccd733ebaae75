"""Blobs of runners in the bucket: each area and identity apart, whatever they are called."""

from collections.abc import Iterator
from typing import Any
from urllib.parse import quote

import pytest
from botocore.exceptions import EndpointConnectionError
from moto import mock_aws

from local.stack import Stack
from tests.support.functions.deployment import configured
from yarrow.protocol.runner.api import AgentAPIException, StorageArea
from yarrow.store import clients, objects
from yarrow.store.runner import storage


@pytest.fixture(scope="module")
def deployed(stack: Stack) -> Iterator[None]:
    """The bucket of a deployment, in moto: no table is asked."""
    clients._s3.cache_clear()
    with configured(stack, BUCKET_NAME=stack.buckets[0]), mock_aws():
        clients.s3().create_bucket(Bucket=stack.buckets[0])
        yield
    clients._s3.cache_clear()


@pytest.fixture(autouse=True)
def emptied(deployed: None) -> Iterator[None]:
    """Nothing is left for the next test."""
    yield
    for key in objects.keys("")[0]:
        objects.delete(key)


def code_of(caught: pytest.ExceptionInfo[AgentAPIException]) -> str:
    return caught.value.error.code


KEYS = (
    "k",
    "a/b",
    "a//b",
    "/a",
    "a/",
    ".",
    "..",
    "../../workspace/me/k",
    "./k",
    "a:b",
    "x.json",
    "-",
    "a/../k",
    "A",
    "b c",
    "卦",
)


def test_a_blob_is_kept_read_replaced_and_forgotten() -> None:
    """RNR-60: under any key there can be."""
    for key in (*KEYS, "k" * 512):
        assert storage.get("plugin", "me", key) is None
        storage.put("plugin", "me", key, b"1")
        storage.put("plugin", "me", key, b"\x00\xff")
        assert storage.get("plugin", "me", key) == b"\x00\xff"
        assert storage.keys("plugin", "me") == ([key], None)
        for _ in range(2):
            storage.delete("plugin", "me", key)
            assert storage.get("plugin", "me", key) is None


def test_no_two_keys_are_one() -> None:
    """RNR-60: and they are listed by their beginning."""
    for key in KEYS:
        storage.put("plugin", "me", key, key.encode())
    assert [storage.get("plugin", "me", key) for key in KEYS] == [key.encode() for key in KEYS]
    assert storage.keys("plugin", "me") == (sorted(KEYS), None)
    segments = {segment for key in objects.keys("")[0] for segment in key.split("/")}
    assert segments.isdisjoint({"", ".", ".."}), "what reads a URL may take these for another place"
    for prefix in ("a/", ".", "..", "a/.", "/"):
        assert storage.keys("plugin", "me", prefix)[0] == sorted(key for key in KEYS if key.startswith(prefix))


@pytest.mark.parametrize(
    ("area", "identity", "key"),
    [
        ("workspace", "me", "k"),
        ("plugin", "you", "k"),
        ("plugin", "m", "e/k"),
        ("plugin", "me/k", "k"),
        ("plugin", "", "me/k"),
        ("plugin", "..", "plugin/me/k"),
        ("binding", "../plugin/me", "k"),
        ("plugin", "you", "../me/k"),
        ("plugin", quote("me/", safe=""), "k"),
    ],
)
def test_no_blob_is_reached_from_another_area_or_identity(area: StorageArea, identity: str, key: str) -> None:
    """RNR-60, RNR-84: neither by a name that looks like a path nor by one that looks encoded."""
    storage.put("plugin", "me", "k", b"mine")
    assert storage.get(area, identity, key) is None
    storage.put(area, identity, key, b"theirs")
    storage.delete(area, identity, key)
    assert storage.keys(area, identity) == ([], None)
    assert storage.get("plugin", "me", "k") == b"mine"


def test_a_blob_may_have_10_mib() -> None:
    """RNR-60."""
    storage.put("plugin", "me", "k", b"x" * storage.VALUE_BYTES)
    with pytest.raises(AgentAPIException) as caught:
        storage.put("plugin", "me", "k", b"x" * (storage.VALUE_BYTES + 1))
    assert code_of(caught) == "payload_too_large"
    assert len(storage.get("plugin", "me", "k") or b"") == storage.VALUE_BYTES


def test_a_key_must_fit_into_the_bucket() -> None:
    """RNR-60: with all that stands before it."""
    with pytest.raises(AgentAPIException) as caught:
        storage.put("plugin", "me", "/" * 512, b"")
    assert code_of(caught) == "invalid_argument"


def test_a_list_of_blobs_comes_in_pages() -> None:
    """RNR-60: and says where it goes on, whatever the keys are called."""
    assert objects.MAX_LIST == 1_000
    names = ["d", "c c", "卦", "~", "a/b", "a.b"]
    for key in names:
        storage.put("plugin", "me", key, b"")
    seen: list[str] = []
    after: str | None = None
    for _ in range(3):
        page, after = storage.keys("plugin", "me", "", after, 2)
        assert len(page) == 2
        seen += page
    assert after is None
    assert sorted(seen) == sorted(names)
    assert storage.keys("plugin", "me", "a", None, 1)[1] is not None


def test_the_bucket_failing_is_no_missing_blob() -> None:
    """RNR-60: what cannot be read is an error."""
    storage.put("plugin", "me", "k", b"1")

    def fail(**_: Any) -> None:
        raise EndpointConnectionError(endpoint_url="http://nowhere")

    clients.s3().meta.events.register("before-call.s3.GetObject", fail)
    with pytest.raises(EndpointConnectionError):
        storage.get("plugin", "me", "k")
    clients.s3().meta.events.unregister("before-call.s3.GetObject", fail)
