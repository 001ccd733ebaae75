"""Every route of `openapi.json` by everyone who may not use it: with no credential, a bad one, as another user, for a
session that was deleted, and with ids that are none. What is refused says so, and tells nothing of whose it is.

The routes come from the document: one that is added there fails here until its row in `REFUSED` is written.
"""

import json
import uuid
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.support.example_cast import EXAMPLE
from tests.support.stack.process import STOP_SECONDS, ready, start
from tests.support.uploads import PNG
from tools.make_openapi import TARGET
from yarrow.formats import wav

OPERATIONS: dict[str, tuple[str, str, bool]] = {
    operation["operationId"]: (method.upper(), path, operation.get("security") != [])
    for path, methods in json.loads(TARGET.read_text(encoding="utf-8"))["paths"].items()
    for method, operation in methods.items()
}
"""Method, path, and whether a caller is needed, by operation."""
BY_KEY = (
    "send_message",
    "get_capabilities",
    "stream_events",
    "read_stream",
    "read_stream_end",
    "list_steps",
    "cancel_run",
    "get_usage",
    "send_mcp_message",
    "get_mcp",
    "delete_mcp",
)
"""What API keys open, too (C42)."""
FOR_CALLERS = [name for name, (_, _, needs_caller) in OPERATIONS.items() if needs_caller]

Answer = tuple[int, str | None]
FORBIDDEN, NO_SESSION = (403, "AGENT_FORBIDDEN"), (404, "AGENT_SESSION_NOT_FOUND")
NO_THREAD_ID, NO_INPUT = (422, "AGENT_SESSION_ID_INVALID"), (422, "AGENT_RUN_INPUT_INVALID")
NO_UPLOAD, NO_RECORDING = (404, "AGENT_ATTACHMENT_NOT_FOUND"), (404, "AGENT_AUDIO_NOT_FOUND")
NO_JOB = (404, "AUTOMATION_JOB_NOT_FOUND")
NO_MEMORY_ID = (422, "AGENT_MEMORY_ID_INVALID")
NO_INTERRUPT = (404, "AGENT_INTERRUPT_NOT_FOUND")
NO_WEBHOOK = (404, "WEBHOOK_NOT_FOUND")
NO_CONNECTION, NO_SERVER = (404, "MCP_CONNECTION_NOT_FOUND"), (404, "MCP_SERVER_NOT_FOUND")
NO_SIGN_IN = (404, "MCP_SIGN_IN_NOT_FOUND")
NOT_ONES_OWN = (403, "AGENT_ATTACHMENT_PATH_SCOPE_INVALID")
NEW = (201, None)
NO_FILE = (404, "ROUTE_NOT_FOUND")
NO_METHOD = (405, "REQUEST_METHOD_UNSUPPORTED")
ANYONE = None
"""The operation names nothing that somebody has."""

REFUSED: dict[str, tuple[Answer | None, Answer | None, Answer | None]] = {
    # another user, a deleted session, an id that is none
    "submit_run": (FORBIDDEN, NO_SESSION, NO_INPUT),
    "send_message": (FORBIDDEN, NO_SESSION, ANYONE),  # any other name is one of the caller's own
    "send_mcp_message": (ANYONE, ANYONE, ANYONE),  # a message; what it names, `test_mcp_server` refuses
    **dict.fromkeys(("get_mcp", "delete_mcp"), (NO_METHOD, NO_METHOD, NO_METHOD)),
    **dict.fromkeys(("get_capabilities", "list_agents", "get_usage"), (ANYONE, ANYONE, ANYONE)),  # of agents
    **dict.fromkeys(("get_ended_runs", "get_users_of_day"), (FORBIDDEN, FORBIDDEN, FORBIDDEN)),  # for operators
    **dict.fromkeys(("cancel_run", "fork_run", "steer_run"), (FORBIDDEN, NO_SESSION, NO_THREAD_ID)),
    **dict.fromkeys(
        ("stream_events", "read_stream", "list_steps", "diagnose_run"), (FORBIDDEN, NO_SESSION, NO_THREAD_ID)
    ),
    "read_stream_end": ((403, None), (404, None), (422, None)),
    "get_history": (FORBIDDEN, NO_SESSION, NO_THREAD_ID),
    "delete_session": (FORBIDDEN, (204, None), NO_THREAD_ID),  # it is deleted
    "record_outcome": (FORBIDDEN, NO_SESSION, NO_THREAD_ID),
    "list_interrupts": (ANYONE, ANYONE, ANYONE),  # of the caller alone
    "answer_interrupt": (NO_INTERRUPT, ANYONE, NO_INTERRUPT),
    "list_memories": (ANYONE, ANYONE, ANYONE),  # of the caller alone
    "delete_memory": ((204, None), ANYONE, NO_MEMORY_ID),  # it is none of the caller's
    "register_device": ((409, "DEVICE_OF_OTHER_USER"), ANYONE, (422, "DEVICE_ENDPOINT_FORBIDDEN")),
    "list_devices": (ANYONE, ANYONE, ANYONE),  # of the caller alone
    "remove_device": ((204, None), ANYONE, (422, "DEVICE_INVALID")),  # it is none of the caller's
    "begin_mcp_sign_in": (NO_SERVER, NO_SERVER, NO_SERVER),  # no agent of the bundled ones has one
    "finish_mcp_sign_in": (NO_SIGN_IN, NO_SIGN_IN, NO_SIGN_IN),
    "list_mcp_connections": (ANYONE, ANYONE, ANYONE),  # of the caller alone
    "remove_mcp_connection": ((204, None), ANYONE, NO_CONNECTION),  # it is none of the caller's
    "create_job": (NEW, NEW, NEW),  # names nothing
    "list_jobs": (ANYONE, ANYONE, ANYONE),
    **dict.fromkeys(("get_job", "change_job", "delete_job", "run_job", "list_job_runs"), (FORBIDDEN, ANYONE, NO_JOB)),
    "create_webhook": (NEW, NEW, NEW),  # names nothing
    "list_webhooks": (ANYONE, ANYONE, ANYONE),  # of the caller alone
    "delete_webhook": ((204, None), ANYONE, NO_WEBHOOK),  # it is none of the caller's
    **dict.fromkeys(
        ("get_webhook", "change_webhook", "rotate_webhook_secret", "test_webhook", "replay_delivery"),
        (NO_WEBHOOK, ANYONE, NO_WEBHOOK),
    ),
    "upload_attachment": (FORBIDDEN, NO_SESSION, NO_THREAD_ID),
    "begin_upload": (FORBIDDEN, NO_SESSION, NO_THREAD_ID),
    "finish_upload": (NO_UPLOAD, NO_SESSION, NO_UPLOAD),
    "sign_attachment": (NOT_ONES_OWN, ANYONE, NOT_ONES_OWN),  # a file is its user's, not the session's
    "upload_recording": (ANYONE, ANYONE, ANYONE),
    "transcribe": (NO_RECORDING, ANYONE, NO_RECORDING),  # a recording is its user's
    "create_workspace_ticket": (NEW, NEW, NEW),  # names no session
    "describe_api": (ANYONE, ANYONE, ANYONE),
    "describe_mcp_resource": (ANYONE, ANYONE, ANYONE),
    "serve_console": (ANYONE, ANYONE, ANYONE),
    "serve_console_file": (NO_FILE, NO_FILE, NO_FILE),  # there is none of this name, for anyone
}

NO_IDS = ("thread_001", "0" * 36, "%2e%2e", "%252e%252e", "%00", "%F0%9F%90%8D", "SESSION%23", "*", "a" * 64)


@dataclass
class Belongings:
    """What somebody has: the ids that a request can name, and what nobody else may see of it."""

    thread: str
    run: str
    path: str = "agent-inputs/nobody/file.png"
    upload: str = field(default_factory=lambda: str(uuid.uuid4()))
    recording: str = field(default_factory=lambda: str(uuid.uuid4()))
    memory: str = field(default_factory=lambda: uuid.uuid4().hex)
    job: str = field(default_factory=lambda: str(uuid.uuid4()))
    device: str = field(default_factory=lambda: str(uuid.uuid4()))
    endpoint: str = "https://10.0.0.1/push"
    webhook: str = field(default_factory=lambda: str(uuid.uuid4()))
    connection: str = field(default_factory=lambda: str(uuid.uuid4()))
    interrupt: str = field(default_factory=lambda: uuid.uuid4().hex)
    marks: set[str] = field(default_factory=set)


def run_body(of: Belongings, run: str, text: str = EXAMPLE["question"]) -> dict[str, Any]:
    props = {"runtime_mode": "chat", "divinationPayload": {**EXAMPLE, "question": text}}
    message = {"id": f"msg-{run}", "role": "user", "content": text}
    return {"threadId": of.thread, "runId": run, "state": {}, "messages": [message], "tools": [], "context": []} | {
        "forwardedProps": props
    }


def device_body(of: Belongings) -> dict[str, Any]:
    """A browser; its keys are those of RFC 8291's example."""
    keys = {
        "p256dh": "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
        "auth": "BTBZMqHH6r4Tts7J_aSIgg",
    }
    return {"kind": "web", "subscription": {"endpoint": of.endpoint, "keys": keys}}


JOB = {
    "input_template": "{{date}}",
    "schedule": {"type": "daily", "run_at": {"hour": 7, "minute": 30}},
    "timezone": "UTC",
    "status": "disabled",
}
FORK = {"threadId": "0f8fad5b-d9cb-469f-a165-70867728950e", "runId": "fork-1", "step": "0" * 32 + ".0001"}
WEBHOOK = {"url": "https://hooks.example.com/in", "events": ["run.completed"]}
SILENCE = wav.header(1, 16_000, 16, 3_200) + bytes(3_200)

BODIES: dict[str, Callable[[Belongings], dict[str, Any]]] = {
    "submit_run": lambda of: {"json": run_body(of, "run-2")},
    "send_message": lambda of: {"json": run_body(of, "run-3")},
    "send_mcp_message": lambda _: {"json": {"jsonrpc": "2.0", "id": 1, "method": "ping"}},
    **dict.fromkeys(("get_mcp", "delete_mcp"), lambda _: {}),
    **dict.fromkeys(
        ("get_capabilities", "list_agents", "get_usage", "get_ended_runs", "get_users_of_day"), lambda _: {}
    ),
    "fork_run": lambda of: {"params": {"runId": of.run}, "json": FORK},
    "steer_run": lambda of: {"params": {"runId": of.run}, "json": {"id": "msg-added", "content": "And more."}},
    "cancel_run": lambda of: {"params": {"runId": of.run}},
    "stream_events": lambda of: {"params": {"runId": of.run}},
    "read_stream": lambda of: {"params": {"runId": of.run}},
    "diagnose_run": lambda of: {"params": {"runId": of.run}},
    "list_steps": lambda of: {"params": {"runId": of.run}},
    "read_stream_end": lambda of: {"params": {"runId": of.run}},
    "get_history": lambda of: {"params": {"threadId": of.thread}},
    "delete_session": lambda _: {},
    "record_outcome": lambda _: {"json": {"outcome": "did_not"}},
    "list_interrupts": lambda _: {},
    "answer_interrupt": lambda _: {"json": {"status": "resolved", "payload": {"approved": True}}},
    "list_memories": lambda _: {},
    "delete_memory": lambda _: {},
    "register_device": lambda of: {"json": device_body(of)},
    "list_devices": lambda _: {},
    "remove_device": lambda _: {},
    "begin_mcp_sign_in": lambda _: {"json": {"agent": "assistant", "server": "github"}},
    "finish_mcp_sign_in": lambda _: {"json": {"state": "mcp-state", "code": "a-code"}},
    "list_mcp_connections": lambda _: {},
    "remove_mcp_connection": lambda _: {},
    "create_job": lambda _: {"json": JOB},
    "list_jobs": lambda _: {},
    "get_job": lambda _: {},
    "change_job": lambda _: {"json": {"title": "mine"}},
    "delete_job": lambda _: {},
    "run_job": lambda _: {"json": {}},
    "list_job_runs": lambda _: {},
    "create_webhook": lambda _: {"json": WEBHOOK | {"id": str(uuid.UUID(int=1))}},
    "list_webhooks": lambda _: {},
    "get_webhook": lambda _: {},
    "change_webhook": lambda _: {"json": {"description": "mine"}},
    "delete_webhook": lambda _: {},
    "rotate_webhook_secret": lambda _: {"json": {}},
    "test_webhook": lambda _: {},
    "replay_delivery": lambda _: {},
    "upload_attachment": lambda of: {"data": {"threadId": of.thread}, "files": {"file": ("a.png", PNG, "image/png")}},
    "begin_upload": lambda of: {"json": {"threadId": of.thread, "mimeType": "image/png", "filename": "a.png"}},
    "finish_upload": lambda _: {},
    "sign_attachment": lambda of: {"params": {"bucket": "agent-inputs", "path": of.path}},
    "upload_recording": lambda _: {"files": {"audio": ("a.wav", SILENCE, "audio/wav")}},
    "transcribe": lambda _: {},
    "create_workspace_ticket": lambda _: {"json": {"taskName": "assistant"}},
    "describe_api": lambda _: {},
    "describe_mcp_resource": lambda _: {},
    "serve_console": lambda _: {},
    "serve_console_file": lambda _: {},
}
"""What a request carries beside its path."""


class Person:
    """A client with an Authorization header, or with none."""

    def __init__(self, base: str, authorization: str | None) -> None:
        self.http = httpx.Client(base_url=base, timeout=20, follow_redirects=True)
        if authorization is not None:
            self.http.headers["Authorization"] = authorization

    def ask(self, operation: str, of: Belongings) -> httpx.Response:
        """Send an operation's request that names somebody's belongings."""
        method, path, _ = OPERATIONS[operation]
        upload = of.recording if operation == "transcribe" else of.upload
        url = path.replace("{threadId}", of.thread).replace("{uploadId}", upload).replace("{memoryId}", of.memory)
        url = url.replace("{jobId}", of.job).replace("{interruptId}", of.interrupt).replace("{deviceId}", of.device)
        url = url.replace("{webhookId}", of.webhook).replace("{connectionId}", of.connection)
        url = url.replace("{deliveryId}", f"msg_{'0' * 32}")
        return self.http.request(method, url, **BODIES[operation](of))

    def close(self) -> None:
        self.http.close()


@dataclass
class World:
    base: str
    log: Path
    alice: Person
    bob: Person
    session: Belongings
    deleted: Belongings
    credentials: dict[str, str]


def token(base: str, sub: str) -> str:
    return str(httpx.post(f"{base}/local/token", json={"sub": sub, "locale": "en-US"}).json()["token"])


def api_key(base: str, sub: str) -> str:
    return str(httpx.post(f"{base}/local/api-keys", json={"sub": sub}).json()["key"])


def belongings(alice: Person) -> Belongings:
    """A session of Alice with a run that ended, a picture, and a recording; and all that is unmistakably of it."""
    mark = uuid.uuid4().hex
    of = Belongings(str(uuid.uuid4()), f"run-{uuid.uuid4()}")
    text = f"我的秘密{mark}是否合适?"
    assert alice.http.post("/api/v1/agent/runs", json=run_body(of, of.run, text)).status_code == 202
    output = alice.ask("stream_events", of).text
    picture = {"file": (f"of{mark}.png", PNG + mark.encode(), "image/png")}
    uploaded = alice.http.post("/api/v1/agent/attachments", data={"threadId": of.thread}, files=picture)
    attachment = uploaded.json()["attachment"]
    of.path, of.upload = attachment["path"], uploaded.url.path.rpartition("/")[2]
    of.recording = alice.ask("upload_recording", of).url.path.rpartition("/")[2]
    (answer,) = (
        message for message in alice.ask("get_history", of).json()["messages"] if message["role"] == "assistant"
    )
    of.memory = remembered(alice, f"密码提示{mark}")
    job = JOB | {"title": f"日课{mark}", "input_template": f"{{{{date}}}} {mark}"}
    of.job = alice.http.post("/api/v1/automation/jobs", json=job).json()["id"]
    of.endpoint = f"https://push.services.mozilla.com/wpush/{mark}"
    of.device = alice.ask("register_device", of).json()["id"]
    webhook = WEBHOOK | {"url": f"https://hooks.example.com/{mark}"}
    of.webhook = alice.http.post("/api/v1/webhooks", json=webhook).json()["id"]
    of.marks = {mark, of.thread, of.upload, of.recording, of.memory, of.job, of.webhook, of.device, answer["id"]}
    assert mark in output
    assert answer["id"] in output
    return of


def remembered(alice: Person, text: str) -> str:
    """The id of what the assistant was asked to remember."""
    of = Belongings(str(uuid.uuid4()), "run-1")
    request = run_body(of, of.run, f'/call memory_save {{"text": "{text}"}}')
    request["forwardedProps"] = {"runtime_mode": "chat"}
    posted = alice.http.post("/api/v1/agent/runs", params={"agent": "assistant"}, json=request)
    assert posted.status_code == 202
    assert text in alice.ask("stream_events", of).text
    (memory,) = (memory for memory in alice.ask("list_memories", of).json()["memories"] if memory["text"] == text)
    return str(memory["id"])


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    log = tmp_path_factory.mktemp("stack") / "log"
    with log.open("w+") as file, ExitStack() as stopping:
        process = start(log=file, environment={"WEBHOOKS": "users"})
        try:
            base = ready(process)
            name = f"auth0|alice-{uuid.uuid4()}"  # no path segment
            credentials = {
                "alice": token(base, name),
                "key": api_key(base, name),
                "bob": token(base, f"bob-{uuid.uuid4()}"),
            }
            alice, bob = (
                stopping.enter_context(closing(Person(base, f"Bearer {credentials[name]}")))
                for name in ("alice", "bob")
            )
            session, deleted = belongings(alice), belongings(alice)
            begun = alice.ask("begin_upload", deleted).json()
            sent = httpx.post(begun["url"], data=begun["fields"], files={"file": ("a.png", PNG, "image/png")})
            assert sent.is_success
            deleted.upload = begun["uploadId"]  # one that is not finished yet
            assert alice.ask("delete_session", deleted).status_code == 204
            session.marks.add(name)
            yield World(base, log, alice, bob, session, deleted, credentials)
        finally:
            process.terminate()
            process.communicate(timeout=STOP_SECONDS)


def answer_of(response: httpx.Response) -> Answer:
    """Status and code, which an answer to HEAD has none of; what is refused is a problem."""
    if response.status_code < 400:
        return response.status_code, None
    assert response.headers["content-type"] == "application/problem+json"
    if response.request.method == "HEAD":
        return response.status_code, None
    problem = response.json()
    assert problem["status"] == response.status_code
    return response.status_code, problem["code"]


def leaked(responses: list[httpx.Response], of: Belongings) -> set[str]:
    """What of somebody's belongings answers tell that their requests did not say."""
    found: set[str] = set()
    for response in responses:
        body = str(response.request.url).encode() + response.request.read()
        heard = response.content + str(response.headers).encode()
        found |= {mark for mark in of.marks if mark.encode() in heard and mark.encode() not in body}
    return found


def whole(response: httpx.Response) -> list[httpx.Response]:
    return [*response.history, response]


def test_every_route_has_its_row() -> None:
    """SEC-03: a new one needs one."""
    assert set(REFUSED) == set(BODIES) == set(OPERATIONS)


@pytest.mark.parametrize("operation", FOR_CALLERS)
def test_a_route_is_closed_to_whoever_has_no_good_credential(world: World, operation: str) -> None:
    """SEC-01, SEC-02, ERR-01."""
    header, payload, signature = world.credentials["alice"].split(".")
    good = world.credentials["alice"]
    bad = [
        None,
        *(
            "",
            "nonsense",
            "Bearer",
            good,
            f"Basic {good}",
            f"Bearer\t{good}",
            f"Bearer {good} {good}",
            f"Bearer {good}, {good}",
        ),
        *(f"Bearer {text}" for text in ("..", "null", f"{good}=", "a" * 9_000, f"yk_{'0' * 16}_{'a' * 43}")),
        f"Bearer {header}.{payload}.",
        f"Bearer {header}.{payload}.{signature[::-1]}",
    ]
    if operation not in BY_KEY:
        bad.append(f"Bearer {world.credentials['key']}")
    for text in bad:
        with closing(Person(world.base, text)) as stranger:
            answer = stranger.ask(operation, world.session)
        assert answer_of(answer) == (401, None if operation == "read_stream_end" else "AUTH_UNAUTHORIZED"), text
        assert answer.headers["www-authenticate"] == "Bearer"
        assert leaked(whole(answer), world.session) == set()


@pytest.mark.parametrize("operation", OPERATIONS)
def test_what_is_anothers_is_closed(world: World, operation: str) -> None:
    """SEC-03, SEC-06, ATT-05, SGN-02, CAN-02, SES-03."""
    expected, _, _ = REFUSED[operation]
    answer = world.bob.ask(operation, world.session)
    assert answer_of(answer) == (expected or (200, None))
    assert leaked(whole(answer), world.session) == set()
    # Nothing of Alice's has changed by it.
    assert len(world.alice.ask("get_history", world.session).json()["messages"]) == 2
    assert world.session.job in world.alice.ask("list_jobs", world.session).text
    assert world.session.memory in world.alice.ask("list_memories", world.session).text
    assert world.session.device in world.alice.ask("list_devices", world.session).text
    assert world.session.webhook in world.alice.ask("list_webhooks", world.session).text


@pytest.mark.parametrize("operation", OPERATIONS)
def test_a_session_that_was_deleted_is_gone(world: World, operation: str) -> None:
    """SEC-03, SES-04, SES-05: for its owner, and for others it is still another's."""
    others, expected, _ = REFUSED[operation]
    answer = world.bob.ask(operation, world.deleted)
    assert answer_of(answer) == (others or (200, None))
    assert leaked(whole(answer), world.deleted) == set()
    if expected is not None:
        answer = world.alice.ask(operation, world.deleted)
        assert answer_of(answer) == expected
        assert leaked(whole(answer), world.deleted) == set()


@pytest.mark.parametrize("operation", [name for name, (_, _, no_id) in REFUSED.items() if no_id])
@pytest.mark.parametrize("no_id", NO_IDS)
def test_what_is_no_id_is_refused(world: World, operation: str, no_id: str) -> None:
    """ERR-10, ERR-11, SEC-07."""
    of = Belongings(
        no_id,
        "run-1",
        f"agent-inputs/{no_id}/../{world.session.path}",
        no_id,
        no_id,
        no_id,
        no_id,
        no_id,
        webhook=no_id,
        connection=no_id,
    )
    answer = world.bob.ask(operation, of)
    assert answer_of(answer) == REFUSED[operation][2]
    assert leaked(whole(answer), world.session) == set()


@pytest.mark.parametrize("operation", [name for name, (_, path, _) in OPERATIONS.items() if "{" in path])
def test_a_slash_in_an_id_leads_to_no_other_route(world: World, operation: str) -> None:
    """SEC-07: as it is, or encoded."""
    for no_id in (f"..%2F{world.session.thread}", f"x/../{world.session.thread}", "%2F", "..%5C"):
        answer = world.bob.ask(
            operation,
            Belongings(
                no_id,
                world.session.run,
                upload=no_id,
                recording=no_id,
                memory=no_id,
                job=no_id,
                device=no_id,
                webhook=no_id,
                connection=no_id,
            ),
        )
        assert answer_of(answer) in ((404, "ROUTE_NOT_FOUND"), *filter(None, REFUSED[operation]))
        assert leaked(whole(answer), world.session) == set()


def test_no_list_of_bobs_has_anything_of_alices(world: World) -> None:
    """SEC-03, HIS-03: whichever view he asks for, and from wherever he goes on."""
    thread, day = world.session.thread, "2026-04-03"
    for query in ({}, {"scope": "history_day"}, {"before": day}, {"session_limit": "50"}):
        answer = world.bob.http.get("/api/v1/agent/history", params=query)
        assert answer_of(answer) == (200, None)
        assert leaked([answer], world.session) == set()
    of_nobody = world.bob.http.get("/api/v1/agent/history", params={"after_thread": str(uuid.uuid4())})
    assert answer_of(of_nobody) == (422, "AGENT_HISTORY_QUERY_INVALID")
    assert world.bob.http.get("/api/v1/agent/history", params={"after_thread": thread}).content == of_nobody.content
    mine = world.alice.http.get("/api/v1/agent/history").json()["messages"]
    assert thread in {item["threadId"] for item in mine}
    assert world.bob.http.get("/api/v1/memories").json() == {"memories": [], "next": None}


def test_an_api_key_has_what_its_user_has_and_nothing_of_others(world: World) -> None:
    """SEC-02, SEC-03, C42."""
    follow_up = run_body(world.session, f"run-{uuid.uuid4()}")
    follow_up["forwardedProps"]["runtime_mode"] = "follow_up"
    with closing(Person(world.base, f"Bearer {api_key(world.base, 'carol')}")) as carol:
        refused = [
            carol.http.post("/send-message", json=follow_up),
            carol.ask("stream_events", world.session),
            carol.ask("cancel_run", world.session),
        ]
    assert {answer_of(response) for response in refused} == {FORBIDDEN}
    assert leaked(refused, world.session) == set()
    with closing(Person(world.base, f"Bearer {world.credentials['key']}")) as client_of_alice:
        taken = client_of_alice.http.post("/send-message", json=follow_up)
        watched = client_of_alice.ask("stream_events", world.session)
        cancelled = client_of_alice.ask("cancel_run", world.session)
    for answer in (taken, watched):
        assert (answer.status_code, "RUN_FINISHED" in answer.text) == (200, True)
    assert answer_of(cancelled) == (200, None)


def test_the_log_tells_nothing_of_what_was_said_or_sent(world: World) -> None:
    """SEC-05: requests are in it, with their ids; words, files and credentials are not."""
    private = belongings(world.alice)
    assert answer_of(world.bob.ask("stream_events", private)) == FORBIDDEN
    with closing(Person(world.base, "Bearer nonsense")) as stranger:
        assert answer_of(stranger.ask("stream_events", private)) == (401, "AUTH_UNAUTHORIZED")
    assert answer_of(world.bob.ask("sign_attachment", private)) == NOT_ONES_OWN
    assert answer_of(world.alice.ask("sign_attachment", private)) == (200, None)
    log = world.log.read_text(encoding="utf-8")
    assert f"/api/v1/agent/runs/{private.thread}/events 403" in log
    assert "credential refused" in log
    ids = {private.thread, private.run, private.upload, private.recording, private.job, private.webhook}
    assert {mark for mark in private.marks - ids if mark in log} == set()
    for secret in world.credentials.values():
        assert secret not in log
        assert secret[-20:] not in log
    assert "X-Amz-Signature" not in log
    assert "Traceback" not in log
