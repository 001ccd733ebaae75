"""The bucket."""

from collections.abc import Iterator

import pytest

from yarrow.store import clients


@pytest.fixture
def bucket(aws: None) -> Iterator[None]:
    """Yield the deployment's bucket, by a client made for this test."""
    clients._s3.cache_clear()
    yield
    clients._s3.cache_clear()
