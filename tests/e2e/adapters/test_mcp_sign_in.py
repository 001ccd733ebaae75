"""MCP-01: a user signs in to an MCP server, and their runs use its tools with their token, on the local stack."""

import json
import uuid
from collections.abc import Iterator
from contextlib import closing

import pytest

from tests.e2e.adapters.counted_runs import said, watched
from tests.support.oauth_servers import OAuthServerFake
from tests.support.stack.app import App
from tests.support.stack.mcp_sign_in import SignInStack, sign_in_stack
from tests.support.stack.runs import submit

ALL = "/api/v1/mcp-connections"


@pytest.fixture(scope="module")
def stack() -> Iterator[SignInStack]:
    with sign_in_stack() as stack:
        yield stack


def added(user: App) -> tuple[str, str]:
    """What a run answers whose model adds one and two, and all of its events."""
    thread = str(uuid.uuid4())
    submit(user, "helper", thread, "run-1", f"/call calc_add {json.dumps({'a': 1, 'b': 2})}")
    events = watched(user, thread, "run-1")
    assert events[-1]["type"] == "RUN_FINISHED"
    return " ".join(said(events)), json.dumps(events)


def connect(user: App, fake: OAuthServerFake) -> str:
    """Sign the user in; returns the connection's id."""
    begun = user.http.post(ALL, json={"agent": "helper", "server": "calc"})
    assert begun.status_code == 201, begun.text
    finished = user.http.post(f"{ALL}/finish", json=fake.authorize(begun.json()["authorizationUrl"]))
    assert finished.status_code == 200, finished.text
    return str(finished.json()["id"])


def test_runs_of_a_user_who_has_signed_in_have_the_tools(stack: SignInStack) -> None:
    """Others are told to sign in; a token that the server refuses is renewed; no event has one."""
    alice, bob = App(stack.url, "alice"), App(stack.url, "bob")
    with closing(alice.http), closing(bob.http):
        before, _ = added(alice)
        assert "sign in" in before
        assert stack.fake.bearers == []
        connection = connect(alice, stack.fake)
        answer, events = added(alice)
        assert "sign in" not in answer
        assert "3" in answer
        stack.fake.good.clear()
        renewed, more = added(alice)
        assert "3" in renewed
        assert "sign in" not in renewed
        assert [form["grant_type"] for form in stack.fake.forms] == ["authorization_code", "refresh_token"]
        assert not any(token in events + more for token in stack.fake.bearers)
        assert "sign in" in added(bob)[0]
        assert alice.http.delete(f"{ALL}/{connection}").status_code == 204
        assert len(stack.fake.revoked) == 1
        assert "sign in" in added(alice)[0]
