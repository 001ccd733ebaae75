"""Credentials over HTTP: which open which route, and that what is none is refused in one way only."""

import json
import uuid
from collections.abc import Iterator

import httpx
import jwt
import pytest

from tests.support.stack.send_message import CAST, body

HISTORY, DOOR = "/api/v1/agent/history", "/send-message"


@pytest.fixture
def http(stack: str) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=stack, timeout=20) as client:
        yield client


@pytest.fixture
def user() -> str:
    return f"alice-{uuid.uuid4()}"


def bearer(credential: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {credential}"}


def status_and_code(response: httpx.Response) -> tuple[int, str]:
    assert response.headers["content-type"] == "application/problem+json"
    return response.status_code, response.json()["code"]


def test_an_ag_ui_client_converses_with_an_api_key(http: httpx.Client, user: str) -> None:
    """SEC-02, SEC-06: as the user it was made for, who sees the session with a token."""
    made = http.post("/local/api-keys", json={"sub": user}).json()
    answer = http.post(DOOR, json=body("run_001", **CAST), headers=bearer(made["key"]))
    assert (answer.status_code, "RUN_FINISHED" in answer.text) == (200, True)
    token = http.post("/local/token", json={"sub": user}).json()["token"]
    (latest,) = http.get(HISTORY, headers=bearer(token)).json()["messages"]
    assert latest["threadId"] in answer.text


def test_an_api_key_opens_no_other_route_even_while_it_is_known(http: httpx.Client, user: str) -> None:
    """SEC-02."""
    key = http.post("/local/api-keys", json={"sub": user}).json()["key"]
    assert http.post(DOOR, json={}, headers=bearer(key)).status_code == 422
    assert status_and_code(http.get(HISTORY, headers=bearer(key))) == (401, "AUTH_UNAUTHORIZED")
    assert http.post(DOOR, json={}, headers=bearer(key)).status_code == 422


def test_a_revoked_api_key_opens_nothing(http: httpx.Client, user: str) -> None:
    """SEC-02."""
    made = http.post("/local/api-keys", json={"sub": user}).json()
    assert http.delete(f"/local/api-keys/{made['id']}").status_code == 204
    assert status_and_code(http.post(DOOR, json={}, headers=bearer(made["key"]))) == (401, "AUTH_UNAUTHORIZED")


def test_the_machine_makes_keys_for_users_only(http: httpx.Client) -> None:
    for request in (
        {"sub": ""},
        {"sub": "álice"},
        {"sub": "alice", "label": "\n"},
        {"sub": "alice", "role": "admin"},
        {},
    ):
        assert status_and_code(http.post("/local/api-keys", json=request)) == (422, "LOCAL_IDENTITY_INVALID")
    assert http.delete("/local/api-keys/0000").status_code == 404


def test_whatever_is_no_credential_is_refused_in_one_way(http: httpx.Client, user: str) -> None:
    """SEC-01, SEC-05, ERR-01, ERR-12: All responses are equal, byte by byte."""
    good = http.post("/local/token", json={"sub": user}).json()["token"]
    header, payload, signature = good.split(".")
    unsigned = jwt.encode({"sub": user}, "", "none")
    values = [
        b"",
        b"Bearer",
        b"Basic " + good.encode(),
        good.encode(),
        f"Bearer {good} ".encode() + b"x",
        f"Bearer {good}, Bearer {good}".encode(),
        f"Bearer {header}.{payload}.{signature[:-2]}".encode(),
        f"Bearer {header}..{signature}".encode(),
        f"Bearer {unsigned}".encode(),
        "Bearer 秘密".encode(),
        b"Bearer \xff\xfe.\x80.\xc0",
        b"Bearer " + b"a" * 9_000,
        b"Bearer yk_" + b"0" * 16 + b"_" + b"a" * 43,
    ]
    answers = [http.get(HISTORY, headers=[(b"Authorization", value)]) for value in values]
    answers.append(http.get(HISTORY, headers=[("Authorization", f"Bearer {good}")] * 2))
    answers.append(http.get(HISTORY))
    assert {status_and_code(answer) for answer in answers} == {(401, "AUTH_UNAUTHORIZED")}
    assert len({answer.content for answer in answers}) == 1
    assert all(answer.headers["www-authenticate"] == "Bearer" for answer in answers)
    assert json.loads(answers[0].content)["instance"] == HISTORY
    assert http.get(HISTORY, headers=bearer(good)).status_code == 200
