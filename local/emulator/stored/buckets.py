"""Stores S3's buckets and objects, without versions and without multipart uploads in progress.

Bodies stay in the store and are read on demand.
"""

import json
from collections.abc import Callable, Iterator, Mapping
from datetime import datetime
from typing import Any, Final

from moto.s3 import models
from moto.s3.models import FakeKey, S3Backend

from local.data.sqlite import Sqlite, Statement
from local.emulator.stored.calls import after
from local.stack import ACCOUNT, REGION

SCHEMA: Final = """
CREATE TABLE IF NOT EXISTS buckets (name TEXT PRIMARY KEY);
CREATE TABLE IF NOT EXISTS objects (bucket TEXT, key TEXT, members TEXT, body BLOB, PRIMARY KEY (bucket, key));
"""

_MEMBERS: Final = (
    "checksum_algorithm",
    "checksum_value",
    "checksum_type",
    "encryption",
    "kms_key_id",
    "bucket_key_enabled",
    "website_redirect_location",
)
"""Of a key beside those that its constructor takes under another name."""


class StoredKey(FakeKey):
    """An object whose body `read` returns."""

    def __init__(self, name: str, *, read: Callable[[], bytes], size: int, **members: Any) -> None:
        super().__init__(name, b"", **members)
        self._read = read
        self.contentsize = size

    @property
    def value(self) -> bytes:
        return self._read()

    @value.setter
    def value(self, new_value: bytes) -> None:
        """Ignore it: only the constructor sets a body."""


class StoredBuckets:
    """All buckets. Call `keep` after each request, before its response is sent."""

    def __init__(self, store: Sqlite) -> None:
        self._store = store
        self._touched: set[tuple[str, str]] = set()
        self._backend: S3Backend = models.s3_backends[ACCOUNT]["aws"]
        for (name,) in store.read("SELECT name FROM buckets"):
            self._backend.create_bucket(name, REGION)
        for bucket, key, members, size in store.read("SELECT bucket, key, members, LENGTH(body) FROM objects"):
            self._load(bucket, key, json.loads(members), size)
        after(S3Backend, "create_bucket", self._created)
        after(S3Backend, "delete_bucket", self._deleted)
        for method in ("put_object", "delete_object", "delete_object_tagging"):
            after(S3Backend, method, lambda call, _: self._touched.add((call["bucket_name"], call["key_name"])))
        after(S3Backend, "put_object_tagging", lambda call, _: self._touch(call["key"]))

    def keep(self) -> None:
        """Store what the latest request changed."""
        if self._touched:
            touched, self._touched = self._touched, set()
            self._store.write([statement for bucket, key in touched for statement in self._statements(bucket, key)])
            for bucket, key in touched:
                self._replace(bucket, key)

    def _created(self, call: Mapping[str, Any], _: Any) -> None:
        self._store.write([("INSERT OR IGNORE INTO buckets VALUES (?)", (call["bucket_name"],))])

    def _deleted(self, call: Mapping[str, Any], _: Any) -> None:
        self._store.write([("DELETE FROM buckets WHERE name = ?", (call["bucket_name"],))])

    def _touch(self, key: FakeKey) -> None:
        self._touched.add((str(key.bucket_name), key.name))

    def _statements(self, bucket: str, name: str) -> Iterator[Statement]:
        key = self._key(bucket, name)
        if key is None:
            yield "DELETE FROM objects WHERE bucket = ? AND key = ?", (bucket, name)
            return
        members = json.dumps(self._members(key), ensure_ascii=False)
        if isinstance(key, StoredKey):
            yield "UPDATE objects SET members = ? WHERE bucket = ? AND key = ?", (members, bucket, name)
        else:
            yield "INSERT OR REPLACE INTO objects VALUES (?, ?, ?, ?)", (bucket, name, members, key.value)

    def _members(self, key: FakeKey) -> dict[str, Any]:
        return {
            "metadata": dict(key.metadata),
            "etag": key.etag.strip('"'),
            "last_modified": key.last_modified.isoformat(),
            "storage": key.storage_class,
            "tags": self._backend.tagger.get_tag_dict_for_resource(key.arn),
            **{name: getattr(key, name) for name in _MEMBERS},
        }

    def _replace(self, bucket: str, name: str) -> None:
        key = self._key(bucket, name)
        if key is not None and not isinstance(key, StoredKey):
            self._load(bucket, name, self._members(key), key.size)

    def _key(self, bucket: str, name: str) -> FakeKey | None:
        found = self._backend.buckets.get(bucket)
        return None if found is None else found.keys.get(name)

    def _load(self, bucket: str, name: str, members: Mapping[str, Any], size: int) -> None:
        def read() -> bytes:
            ((body,),) = self._store.read("SELECT body FROM objects WHERE bucket = ? AND key = ?", (bucket, name))
            return bytes(body)

        key = StoredKey(
            name,
            account_id=ACCOUNT,
            region_name=REGION,
            bucket_name=bucket,
            version_id="null",
            storage=members["storage"],
            etag=members["etag"],
            read=read,
            size=size,
        )
        key.set_metadata(dict(members["metadata"]))
        key.last_modified = datetime.fromisoformat(members["last_modified"])
        for member in _MEMBERS:
            setattr(key, member, members[member])
        self._backend.buckets[bucket].keys.setlist(name, [key])
        self._backend.tagger.delete_all_tags_for_resource(key.arn)
        self._backend.tagger.tag_resource(key.arn, self._backend.tagger.convert_dict_to_tags_input(members["tags"]))
