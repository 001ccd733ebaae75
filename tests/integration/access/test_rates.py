"""The rates of a user's requests: what is drawn where, what is refused and until when, whatever comes at once."""

import base64
import json
import uuid
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

import pytest
from botocore.model import OperationModel

from tests.support.divination_runs import ALICE, BOB, body
from tests.support.functions.calls import invoke
from tests.support.functions.payloads import Case
from tests.support.staged_uploads import form, staged
from tests.support.uploads import PNG
from yarrow.access import limits
from yarrow.media.attachments import signed_url
from yarrow.media.sent_pictures import SentPictures
from yarrow.media.uploads import begin_upload, finish_upload
from yarrow.protocol.agui.media import Medium
from yarrow.protocol.caller import Caller
from yarrow.protocol.files.attachments import path_of
from yarrow.protocol.problems import Code, Problem
from yarrow.runs import stream_events
from yarrow.runs.cancel_run import cancel_run
from yarrow.runs.submit_run import TaskAccepted, submit_run
from yarrow.settings import settings
from yarrow.store import clients, clock, session_runs, sessions, table
from yarrow.store.items.updates import EXISTS, Update
from yarrow.store.limits import buckets, run_slots, stream_slots

pytestmark = pytest.mark.usefixtures("aws")

PER_MINUTE = 3
BURST = PER_MINUTE * buckets.BURST_MINUTES
SECONDS_EACH = 60 // PER_MINUTE


class Clock:
    """What `clock.now_ms` says; it stands still until it is told otherwise."""

    def __init__(self) -> None:
        self.now = clock.now_ms()

    def __call__(self) -> int:
        return self.now

    def wait(self, seconds: float) -> None:
        self.now += int(seconds * 1000)


@pytest.fixture(autouse=True)
def time_(aws: None, monkeypatch: pytest.MonkeyPatch) -> Clock:
    output = Clock()
    monkeypatch.setattr(clock, "now_ms", output)
    for name in ("runs", "streams", "uploads", "signed_urls", "requests"):
        monkeypatch.setitem(settings.__dict__, f"{name}_per_minute", PER_MINUTE)
    return output


def begin(caller: Caller = ALICE, thread: str | None = None, **more: object) -> TaskAccepted:
    """Return a run in a session of its own."""
    return submit_run(json.dumps(body(threadId=thread or str(uuid.uuid4()), **more)).encode(), caller)


def begin_and_cancel() -> None:
    run = begin()
    cancel_run(ALICE.user_id, run.thread_id, run.run_id)


def refusal(caller: Caller = ALICE, thread: str | None = None, **more: object) -> Problem | None:
    try:
        begin(caller, thread, **more)
    except Problem as problem:
        if problem.code is Code.AGENT_RATE_LIMIT:
            return problem
        raise
    return None


@contextmanager
def dynamodb_calls() -> Iterator[list[str]]:
    """The names of the operations that are called meanwhile."""
    calls: list[str] = []

    def add(model: OperationModel, **_: object) -> None:
        calls.append(model.name)

    events = clients.dynamodb().meta.events
    events.register("before-call.dynamodb.*", add)
    try:
        yield calls
    finally:
        events.unregister("before-call.dynamodb.*", add)


def test_submit_and_cancel_in_a_loop_comes_to_an_end(time_: Clock) -> None:
    """CMP-12: no run is active, and yet one more is refused until the time that is told; of others nothing changes."""
    for _ in range(BURST):
        begin_and_cancel()
    thread = str(uuid.uuid4())
    refused = refusal(thread=thread)
    assert refused is not None
    assert (refused.retry_after, refused.params) == (SECONDS_EACH, {"of": "runs", "perMinute": PER_MINUTE})
    assert sessions.read(thread) is None
    assert refusal(BOB) is None
    time_.wait(SECONDS_EACH - 1)
    assert refusal() is not None
    time_.wait(1)
    begin_and_cancel()
    assert refusal() is not None


def test_a_run_that_is_submitted_again_draws_nothing() -> None:
    """RUN-23: however often, and also when nothing is left."""
    first = begin()
    for _ in range(BURST):
        assert begin(thread=first.thread_id) == first
    for _ in range(BURST - 1):
        begin_and_cancel()
    assert refusal() is not None
    assert begin(thread=first.thread_id) == first


def test_a_run_that_is_refused_draws_nothing() -> None:
    """CMP-12, RUN-23: The refusal is for the body, the session or the run."""
    run = begin()
    for _ in range(2 * BURST):
        with pytest.raises(Problem):
            begin(thread=run.thread_id, runId="another")
        with pytest.raises(Problem):
            begin(BOB, thread=run.thread_id)
        with pytest.raises(Problem):
            begin(messages=[])
    for _ in range(BURST - 1):
        begin_and_cancel()
    assert refusal() is not None
    assert refusal(BOB) is None


def test_bodies_have_a_rate_of_their_own(time_: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    """CMP-12: a few large runs are as much as many small ones."""
    monkeypatch.setitem(settings.__dict__, "run_bytes_per_minute", 60_000)
    messages = body()["messages"]
    large = {"messages": messages, "context": [{"description": "notes", "value": "x" * 50_000}]}
    for _ in range(2):
        begin(**large)
    refused = refusal(**large)
    assert refused is not None
    assert refused.params == {"of": "run_bytes", "perMinute": 60_000}
    assert refused.retry_after is not None
    begin()
    time_.wait(refused.retry_after + 2)
    begin(**large)


@pytest.mark.parametrize("idle", [True, False])
def test_of_many_submits_at_once_no_more_are_taken_than_there_are_tokens(idle: bool) -> None:
    """CMP-12: Each has a session of its own."""
    if not idle:
        begin()
    with ThreadPoolExecutor(8) as pool:
        refused = list(pool.map(lambda _: refusal() is not None, range(2 * BURST)))
    assert refused.count(False) == BURST - (not idle)


@pytest.mark.parametrize("function", ["submit_run", "send_message"])
def test_both_doors_say_when_to_come_again(function: str) -> None:
    """ERR-01, CMP-12: The response is a problem with its header."""
    case = Case()
    for _ in range(BURST):
        begin(Caller(case.user))
    answer = invoke(function, case.payload(f"api_gateway_{function}"))
    assert (answer.status, answer.document["code"]) == (429, "AGENT_RATE_LIMIT")
    assert answer.headers["retry-after"] == str(SECONDS_EACH)


def test_without_a_rate_or_a_cap_nothing_is_written_for_them(monkeypatch: pytest.MonkeyPatch) -> None:
    """CMP-12."""
    for name in ("runs_per_minute", "run_bytes_per_minute", "runs_per_user"):
        monkeypatch.setitem(settings.__dict__, name, 0)
    for _ in range(BURST + 1):
        begin()
    assert table.get(run_slots.key(ALICE.user_id)) is None


def test_an_item_of_an_earlier_version_is_a_full_bucket() -> None:
    """CMP-12: it names runs and has no bucket."""
    run = begin()
    without = Update().remove("runs_full_at", "run_bytes_full_at")
    table.update_returning(run_slots.key(ALICE.user_id), without, EXISTS)
    for _ in range(BURST):
        begin()
    assert run.task_id in run_slots.stored(table.get(run_slots.key(ALICE.user_id)))
    assert refusal() is not None


def test_a_submit_takes_no_further_request() -> None:
    """CMP-12: the buckets ride on what is read and written anyway."""
    with dynamodb_calls() as calls:
        begin()
    assert calls == ["BatchGetItem", "TransactWriteItems"]


# ---- Streams, uploads, signed URLs -----------------------------------------------------------------------------------
def open_stream(user: str = "alice") -> None:
    stream_slots.release(stream_events.take_slot(user, "run"))


def announce(user: str = "alice") -> None:
    begin_upload(json.dumps({"threadId": str(uuid.uuid4()), "mimeType": "image/png"}).encode(), user)


def sign(user: str = "alice") -> None:
    signed_url(user, "agent-inputs", path_of(user, str(uuid.uuid4()), "plate", "image/png"))


def show(user: str = "alice") -> None:
    """Send a new picture within a message of an AG-UI client."""
    pictures = SentPictures(user, lambda thread: thread)
    pictures.find(Medium("messages[0]", "image", data=base64.b64encode(PNG + uuid.uuid4().bytes).decode()), "")
    pictures.store()


REQUESTS: dict[str, Callable[[str], None]] = {
    "streams": open_stream,
    "uploads": announce,
    "signed_urls": sign,
}


def limited(request: Callable[[str], object], user: str = "alice") -> Problem | None:
    try:
        request(user)
    except Problem as problem:
        if problem.code is Code.AGENT_RATE_LIMIT:
            return problem
        raise
    return None


@pytest.mark.parametrize("of", REQUESTS)
def test_each_kind_of_request_has_its_rate(of: str, time_: Clock) -> None:
    """CMP-12, EVT-06: for each user by themselves, and the time that is told is enough."""
    request = REQUESTS[of]
    for _ in range(BURST):
        request("alice")
    refused = limited(request)
    assert refused is not None
    assert (refused.status, refused.retry_after) == (429, SECONDS_EACH)
    assert refused.params == {"of": of, "perMinute": PER_MINUTE}
    request("bob")
    for other in REQUESTS:
        if other != of:
            REQUESTS[other]("alice")
    time_.wait(SECONDS_EACH - 1)
    assert limited(request) is not None
    time_.wait(1)
    request("alice")
    assert limited(request) is not None


@pytest.mark.parametrize("of", REQUESTS)
def test_of_many_requests_at_once_no_more_are_taken_than_there_are_tokens(of: str, time_: Clock) -> None:
    """CMP-12."""
    REQUESTS[of]("alice")
    time_.wait(SECONDS_EACH)
    with ThreadPoolExecutor(4) as pool:
        refused = list(pool.map(lambda _: limited(REQUESTS[of]) is not None, range(2 * BURST)))
    assert refused.count(False) <= BURST
    while limited(REQUESTS[of]) is None:
        refused.append(False)
    assert refused.count(False) == BURST


def test_a_form_that_arrived_is_looked_at_when_there_is_room(time_: Clock) -> None:
    """CMP-12, ATT-03: it waits in the bucket, and once it is an attachment, to ask again draws nothing."""
    sent = staged(form(str(uuid.uuid4())))
    for _ in range(BURST):
        announce()
    refused = limited(lambda user: finish_upload(user, sent))
    assert refused is not None
    assert refused.retry_after is not None
    time_.wait(refused.retry_after)
    assert finish_upload("alice", sent) is not None
    assert limited(announce) is not None
    for _ in range(2):
        assert finish_upload("alice", sent) is not None


def test_a_picture_in_a_message_is_an_upload() -> None:
    """CMP-12, ATT-07."""
    for _ in range(BURST):
        show()
    assert limited(show) is not None
    assert limited(announce) is not None


def test_pictures_of_a_submit_that_is_tried_again_count_once() -> None:
    """CMP-12, ATT-07."""
    pictures = SentPictures("alice", str)
    assert pictures.find(Medium("messages[0]", "image", data=base64.b64encode(PNG).decode()), "thread") is not None
    for _ in range(BURST + 1):
        pictures.store()
    assert limited(show) is None
    assert len(pictures.paths) == 1


def test_a_stream_without_haste_is_one_write(time_: Clock) -> None:
    """CMP-12: of the item that its slot is in."""
    open_stream()
    time_.wait(SECONDS_EACH)
    with dynamodb_calls() as calls:
        stream_events.take_slot("alice", "run")
    assert calls == ["UpdateItem"]


def test_no_rate_is_no_write(monkeypatch: pytest.MonkeyPatch) -> None:
    """CMP-12."""
    for name in ("streams_per_minute", "uploads_per_minute", "signed_urls_per_minute"):
        monkeypatch.setitem(settings.__dict__, name, 0)
    for _ in range(BURST + 1):
        for request in REQUESTS.values():
            request("alice")
    assert table.get({"pk": "USER#alice", "sk": "RATES"}) is None


DOORS = {
    "cancel_run": ("cancel_run", "cancels", 200),
    "fork_run": ("fork_run", "forks", 409),
    "list_devices": ("list_devices", "device_reads", 200),
    "list_mcp_connections": ("list_mcp_connections", "mcp_connection_reads", 403),
    "remove_mcp_connection": ("remove_mcp_connection", "mcp_connection_changes", 204),
    "remove_device": ("remove_device", "device_changes", 204),
    "delete_memory": ("delete_memory", "memory_deletions", 204),
    "delete_session": ("delete_session", "session_deletions", 204),
    "finish_upload": ("finish_upload", "upload_reads", 404),
    "get_capabilities": ("get_capabilities", "capability_reads", 200),
    "get_history": ("get_history", "history_reads", 200),
    "get_history_of_session": ("get_history", "history_reads", 200),
    "get_job": ("get_job", "job_reads", 404),
    "list_agents": ("list_agents", "agent_reads", 200),
    "get_usage": ("get_usage", "usage_reads", 200),
    "get_ended_runs": ("get_ended_runs", "usage_reads", 403),
    "get_users_of_day": ("get_users_of_day", "usage_reads", 403),
    "send_mcp_message": ("send_mcp_message", "mcp_messages", 200),
    "list_job_runs": ("list_job_runs", "job_run_reads", 404),
    "list_jobs": ("list_jobs", "job_reads", 200),
    "list_interrupts": ("list_interrupts", "interrupt_reads", 200),
    "list_memories": ("list_memories", "memory_reads", 200),
    "list_webhooks": ("list_webhooks", "webhook_reads", 200),
    "get_webhook": ("get_webhook", "webhook_reads", 404),
    "change_webhook": ("change_webhook", "webhook_changes", 404),
    "delete_webhook": ("delete_webhook", "webhook_changes", 204),
    "rotate_webhook_secret": ("rotate_webhook_secret", "webhook_changes", 404),
    "record_outcome": ("record_outcome", "outcomes", 422),
    "transcribe": ("transcribe", "transcription_reads", 404),
}
"""By payload of `events/`, the function, what it counts, and what it answers as long as it may."""


@pytest.mark.parametrize("payload", DOORS)
def test_each_door_has_a_rate_for_each_user(payload: str, time_: Clock) -> None:
    """CMP-12: whatever it answers; beyond it a problem that says when to come again."""
    function, of, status = DOORS[payload]
    case = Case(user=ALICE.user_id)
    begin(thread=case.thread, runId=case.run)
    event = case.payload(f"api_gateway_{payload}")
    answers = [invoke(function, event) for _ in range(BURST)]
    assert [answer.status for answer in answers] == [status] * BURST
    refused = invoke(function, event)
    assert (refused.status, refused.headers["content-type"]) == (429, "application/problem+json")
    assert refused.headers["retry-after"] == str(SECONDS_EACH)
    assert refused.document["code"] == "AGENT_RATE_LIMIT"
    assert refused.document["params"] == {"of": of, "perMinute": PER_MINUTE}
    assert invoke(function, Case().payload(f"api_gateway_{payload}")).status != 429
    time_.wait(SECONDS_EACH)
    assert invoke(function, event).status == status


def test_deleting_a_deleted_job_counts_too(time_: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    """CMP-12: each is a call of EventBridge Scheduler."""
    monkeypatch.setitem(settings.__dict__, "job_changes_per_minute", PER_MINUTE)
    event = Case(user=ALICE.user_id).payload("api_gateway_delete_job")
    assert [invoke("delete_job", event).status for _ in range(BURST + 1)] == [404] * BURST + [429]


BYTES = 80_000


@pytest.fixture
def long_session(monkeypatch: pytest.MonkeyPatch) -> dict[str, object]:
    """The request for a session whose history has about 100,000 bytes, of BYTES a minute."""
    monkeypatch.setitem(settings.__dict__, "requests_per_minute", 1_000)
    monkeypatch.setitem(settings.__dict__, "history_bytes_per_minute", BYTES)
    case = Case(user=ALICE.user_id)
    run = begin(thread=case.thread)
    session = sessions.must_read(case.thread)
    answer = sessions.StoredMessage("m", case.thread, 2, "assistant", "x" * 100_000, clock.now_iso())
    table.transact(*session_runs.answer(session, run.task_id, [answer]))
    return case.payload("api_gateway_get_history_of_session")


def test_history_counts_by_the_bytes_that_were_sent(long_session: dict[str, object], time_: Clock) -> None:
    """CMP-12: what a long answer had beyond the rate is waited for, to the second."""
    answers = [invoke("get_history", long_session) for _ in range(2)]
    assert [answer.status for answer in answers] == [200, 200]
    refused = invoke("get_history", long_session)
    assert (refused.status, refused.document["params"]["of"]) == (429, "history_bytes")
    over = sum(len(answer.body) for answer in answers) + limits.HISTORY_BYTES - BYTES * buckets.BURST_MINUTES
    assert int(refused.headers["retry-after"]) == pytest.approx(over * 60 / BYTES, abs=1)
    time_.wait(int(refused.headers["retry-after"]) - 1)
    assert invoke("get_history", long_session).status == 429
    time_.wait(1)
    assert invoke("get_history", long_session).status == 200


def test_bytes_of_many_answers_at_once_all_count(long_session: dict[str, object], time_: Clock) -> None:
    """CMP-12: those that were let in together are paid for together."""
    with ThreadPoolExecutor(4) as pool:
        answers = list(pool.map(lambda _: invoke("get_history", long_session), range(8)))
    sent = sum(len(answer.body) for answer in answers if answer.status == 200)
    item = table.get({"pk": "USER#alice", "sk": "RATES"})
    assert item is not None
    assert int(item["history_bytes_full_at"]) - time_.now == pytest.approx(sent * 60_000 / BYTES, abs=16)


def test_a_short_history_is_one_write(time_: Clock) -> None:
    """CMP-12: its bytes are drawn with the request."""
    event = Case(user=ALICE.user_id).payload("api_gateway_get_history")
    with dynamodb_calls() as calls:
        invoke("get_history", event)
    assert calls.count("UpdateItem") == 1


def test_history_is_not_stored_on_the_way() -> None:
    """SEC-05: as other answers with what is the user's own."""
    event = Case(user=ALICE.user_id).payload("api_gateway_get_history")
    assert invoke("get_history", event).headers["cache-control"] == "no-store"
