"""What all tests share: quicker processes, the options of `.ci/run`, a summary."""

import gc
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import boto3
import httpx
import pytest
from hypothesis import settings

from tests import passed
from tests.scheduling import BySharing
from tests.summary import Summary
from tests.support.effort import examples
from tests.support.functions.shared_clients import SharedCoreSession, SharedSession
from tests.support.stack.process import NURSERY

# A test may be slow where other tests run beside it. The nightly job tries ten times as many examples.
settings.register_profile("any time", deadline=None, max_examples=examples(50))
settings.load_profile("any time")


def pytest_addoption(parser: pytest.Parser) -> None:
    passed.add_options(parser)


def pytest_configure(config: pytest.Config) -> None:
    if hasattr(config, "workerinput") or not config.getoption("numprocesses", None):
        gc.disable()  # until all tests are collected: it would look again and again through what stays
    if hasattr(config, "workerinput"):
        return
    config.pluginmanager.register(Summary(config))
    file = config.getoption("write_passed")
    if file is not None:
        config.pluginmanager.register(passed.Passed(file.absolute()))


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    return passed.is_left_out(config, collection_path) or None


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    passed.leave_out(config, items)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: object) -> BySharing:
    return BySharing(config, log)


def pytest_collection_finish() -> None:
    """Spare the garbage collector what collecting thousands of tests has made: all of it stays."""
    gc.collect()
    gc.freeze()
    gc.enable()


def pytest_sessionfinish() -> None:
    NURSERY.close()


@pytest.fixture(scope="session", autouse=True)
def shared_clients() -> Iterator[None]:
    """A client takes longer to make than most tests take to use it; what it is made of is the same in most of them."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(boto3, "Session", SharedSession)
        patch.setattr(boto3.session, "Session", SharedSession)
        # The default one would keep a client that was made before there were credentials.
        patch.setattr(boto3, "_get_default_session", SharedSession)
        patch.setattr("yarrow.store.clients.Session", SharedCoreSession)
        yield


@pytest.fixture(scope="session", autouse=True)
def shared_certificates() -> Iterator[None]:
    """Each client of httpx would read all certificates of this machine, which takes 50 ms."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("httpx._transports.default.create_ssl_context", cache(httpx.create_ssl_context))
        yield
