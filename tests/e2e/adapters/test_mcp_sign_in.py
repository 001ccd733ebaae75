"""MCP-01: a user signs in to an MCP server, and their runs use its tools with their token, on the local stack."""

import json
import uuid
from collections.abc import Iterator
from contextlib import closing
from typing import Any

import pytest

from tests.e2e.adapters.counted_runs import answered, said, watched
from tests.support.oauth_servers import OAuthServerFake
from tests.support.stack.app import App
from tests.support.stack.mcp_sign_in import SignInStack, sign_in_stack
from tests.support.stack.runs import submit
from yarrow.agents.mcp_servers import tool_name

ALL = "/api/v1/mcp-connections"


@pytest.fixture(scope="module")
def stack() -> Iterator[SignInStack]:
    with sign_in_stack() as stack:
        yield stack


CALL = f"/call calc_add {json.dumps({'a': 1, 'b': 2})}"


def ended(user: App, thread: str, run_id: str) -> list[dict[str, Any]]:
    events = watched(user, thread, run_id)
    assert events[-1]["type"] == "RUN_FINISHED"
    return events


def asked(user: App, thread: str, text: str = CALL) -> dict[str, Any]:
    """The only question of a run that ends with it."""
    submit(user, "helper", thread, "run-1", text)
    (question,) = ended(user, thread, "run-1")[-1]["outcome"]["interrupts"]
    return dict(question)


def added(user: App) -> tuple[str, str]:
    """What a run answers whose model adds one and two, and all of its events."""
    thread = str(uuid.uuid4())
    submit(user, "helper", thread, "run-1", CALL)
    events = ended(user, thread, "run-1")
    return " ".join(said(events)), json.dumps(events)


def results(events: list[dict[str, Any]]) -> list[Any]:
    return [json.loads(event["content"]) for event in events if event["type"] == "TOOL_CALL_RESULT"]


def connect(user: App, fake: OAuthServerFake) -> str:
    """Sign the user in; returns the connection's id."""
    begun = user.http.post(ALL, json={"agent": "helper", "server": "calc"})
    assert begun.status_code == 201, begun.text
    finished = user.http.post(f"{ALL}/finish", json=fake.authorize(begun.json()["authorizationUrl"]))
    assert finished.status_code == 200, finished.text
    return str(finished.json()["id"])


def test_runs_of_a_user_who_has_signed_in_have_the_tools(stack: SignInStack) -> None:
    """Others are asked to sign in; a token that the server refuses is renewed; no event has one."""
    alice, bob = App(stack.url, "alice"), App(stack.url, "bob")
    with closing(alice.http), closing(bob.http):
        before, _ = added(alice)
        assert "Sign in to calc" in before
        assert stack.fake.bearers == []
        connection = connect(alice, stack.fake)
        answer, events = added(alice)
        assert "Sign in" not in answer
        assert "3" in answer
        stack.fake.good.clear()
        renewed, more = added(alice)
        assert "3" in renewed
        assert "Sign in" not in renewed
        assert [form["grant_type"] for form in stack.fake.forms] == ["authorization_code", "refresh_token"]
        assert not any(token in events + more for token in stack.fake.bearers)
        assert "Sign in to calc" in added(bob)[0]
        assert alice.http.delete(f"{ALL}/{connection}").status_code == 204
        assert len(stack.fake.revoked) == 1
        assert "Sign in to calc" in added(alice)[0]


def test_a_run_asks_for_the_sign_in_and_goes_on_with_the_tool(stack: SignInStack) -> None:
    """ASK-01: two calls side by side ask once; who says yes without having signed in is asked again."""
    user, thread = App(stack.url, "carol"), str(uuid.uuid4())
    with closing(user.http):
        before = len(calls(stack.fake))
        question = asked(user, thread, f"{CALL}\n/call calc_add {{}}")
        assert question["message"] == "Sign in to calc to go on"
        metadata = {"kind": "confirmation", "server": "calc", "signIn": signed_in_at(stack)}
        assert metadata.items() <= question["metadata"].items()
        run_id = answered(user, question["id"], {"approved": True})
        (again,) = ended(user, thread, run_id)[-1]["outcome"]["interrupts"]
        assert again["id"] != question["id"]
        connect(user, stack.fake)
        events = ended(user, thread, answered(user, again["id"], {"approved": True}))
        fitting, unknowing = results(events)
        assert fitting == {"sum": 3}  # its arguments were those that the tool takes
        assert unknowing["parameters"]["required"] == ["a", "b"]
        assert [call["arguments"] for call in calls(stack.fake)[before:]] == [{"a": 1, "b": 2}]


def test_a_no_is_one_clear_error_with_a_code(stack: SignInStack) -> None:
    user, thread = App(stack.url, "dave"), str(uuid.uuid4())
    with closing(user.http):
        run_id = answered(user, asked(user, thread)["id"], {"approved": False})
        (error,) = results(ended(user, thread, run_id))
        assert error == {"error": "calc: the user does not want to sign in to this server", "code": "MCP_NOT_CONNECTED"}


def test_a_tool_that_needs_approval_is_not_called_unseen(stack: SignInStack) -> None:
    """ASK-06: the sign-in approves nothing; the call after it does what the user has seen."""
    user, thread = App(stack.url, "erin"), str(uuid.uuid4())
    with closing(user.http):
        before = len(calls(stack.fake))
        question = asked(user, thread, HELLO)
        connect(user, stack.fake)
        (told,) = results(ended(user, thread, answered(user, question["id"], {"approved": True})))
        assert told["description"] == "Greet."
        submit(user, "helper", thread, "run-2", HELLO)
        (approval,) = ended(user, thread, "run-2")[-1]["outcome"]["interrupts"]
        assert approval["metadata"]["arguments"] == {"to": "you"}
        assert calls(stack.fake)[before:] == []


HELLO = f"/call {tool_name('calc', 'say.hello')} {json.dumps({'to': 'you'})}"


def calls(fake: OAuthServerFake) -> list[dict[str, Any]]:
    assert fake.tools is not None
    return [message["params"] for message in fake.tools.messages if message["method"] == "tools/call"]


def signed_in_at(stack: SignInStack) -> dict[str, str]:
    return {"agent": "helper", "url": f"{stack.url}/#/connections"}
