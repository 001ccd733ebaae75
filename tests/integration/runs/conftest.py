"""What tests of the AG-UI door and of questions share."""

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

import pytest

from tests.support.agui.app import App
from tests.support.agui.conversation import Client
from tests.support.divination_runs import execute, submit
from tests.support.runners.asking import Asked, Asker, confirm, interrupts_of
from tests.support.runners.scripted import Use, install
from yarrow.store import questions, sessions


@pytest.fixture
def client(app: App, use: Use) -> Client:
    return Client(app, use)


@pytest.fixture
def ask(monkeypatch: pytest.MonkeyPatch) -> Asked:
    """Have a run ask, and return its question's id."""

    def begin(act: Any = confirm) -> str:
        asker = Asker(act)
        install(monkeypatch, lambda: asker)
        first = submit().task_id
        execute(first)
        return str(interrupts_of(first)[0]["id"])

    return begin


@pytest.fixture
def later(monkeypatch: pytest.MonkeyPatch) -> Callable[[timedelta], None]:
    """Have questions see a later time."""

    def pass_(time: timedelta) -> None:
        class Later(datetime):
            @classmethod
            def now(cls, tz: Any = None) -> Any:
                return datetime.now(tz) + time

        monkeypatch.setattr(questions, "datetime", Later)
        monkeypatch.setattr(sessions, "datetime", Later)

    return pass_
