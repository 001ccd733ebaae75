"""What recognising speech may cost: one try at a time, three in all, and so many seconds a day for each user."""

import uuid
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Event
from typing import IO

import pytest

from tests.support.recordings import FORM, form, part
from tests.support.staged_uploads import staged
from yarrow.formats import wav
from yarrow.media.transcription.recogniser import FOLDER, unavailable
from yarrow.media.transcription.transcribe import TRIES, transcribe
from yarrow.protocol.caller import Caller
from yarrow.protocol.problems import Code, Problem
from yarrow.settings import settings
from yarrow.store import clock, objects, recordings, table
from yarrow.store.limits import usage

pytestmark = [pytest.mark.usefixtures("aws"), pytest.mark.memory]

ALICE, BOB = Caller("alice", "en-GB"), Caller("bob", "en-GB")
PER_DAY = 100


@pytest.fixture(autouse=True)
def limits(aws: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(settings.__dict__, "transcription_seconds_per_day", PER_DAY)


def upload(seconds: float = 1, caller: Caller = ALICE) -> str:
    """A recording that has arrived; returns its id."""
    samples = bytes(int(seconds * 8_000))
    return staged(form(part(wav.header(1, 8_000, 8, len(samples)) + samples)), caller.user_id, FORM)


class Recogniser:
    """Counts the jobs that would be paid for; fails, or calls back, if told to."""

    def __init__(self, *, fails: bool = False, meanwhile: Callable[[], object] = lambda: None) -> None:
        self.jobs = 0
        self.fails = fails
        self.meanwhile = meanwhile

    def __call__(self, *_: object) -> str:
        self.jobs += 1
        self.meanwhile()
        if self.fails:
            raise unavailable("the recogniser failed")
        return "hello"


def refusal(recogniser: Recogniser, upload_id: str, caller: Caller = ALICE) -> Problem:
    with pytest.raises(Problem) as refused:
        transcribe(recogniser, caller, upload_id)
    return refused.value


def spent(user: str = "alice") -> int:
    return int((table.get(usage.key(user)) or {}).get("transcription_seconds", 0))


def test_a_recording_is_recognised_once() -> None:
    """ASR-01: and asked for again it costs nothing."""
    recogniser, sent = Recogniser(), upload(20.2)
    assert [transcribe(recogniser, ALICE, sent) for _ in range(3)] == ["hello"] * 3
    assert (recogniser.jobs, spent()) == (1, 21)


def test_failures_come_to_an_end() -> None:
    """ASR-03: with a code of its own, and the recording is gone."""
    recogniser, sent = Recogniser(fails=True), upload()
    codes = [refusal(recogniser, sent).code for _ in range(TRIES + 2)]
    assert codes == [Code.AGENT_ASR_UNAVAILABLE] * TRIES + [Code.AGENT_ASR_FAILED] * 2
    assert (recogniser.jobs, spent()) == (TRIES, TRIES * 15)
    assert objects.get(f"staged/alice/{sent}") is None


def test_a_try_that_never_ended_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    """ASR-03: its function was cut off, and gave nothing back."""
    sent = upload()
    for _ in range(TRIES):
        assert recordings.claim("alice", sent, TRIES, 15, PER_DAY) is not None
        assert refusal(Recogniser(), sent).code is Code.AGENT_ASR_IN_PROGRESS
        pass_time(monkeypatch, recordings.CLAIM_SECONDS + 1)
    assert refusal(Recogniser(), sent).code is Code.AGENT_ASR_FAILED


def pass_time(monkeypatch: pytest.MonkeyPatch, seconds: float) -> None:
    before = recordings.time.time  # type: ignore[attr-defined]
    monkeypatch.setattr("yarrow.store.recordings.time.time", lambda: before() + seconds)


def test_a_recording_has_one_try_at_a_time() -> None:
    """ASR-01, ASR-03: the second request is told to come again, and the recording stays."""
    sent = upload()
    second = Recogniser()
    seen: list[Problem] = []
    first = Recogniser(meanwhile=lambda: seen.append(refusal(second, sent)))
    assert transcribe(first, ALICE, sent) == "hello"
    assert [(problem.code, problem.retry_after) for problem in seen] == [(Code.AGENT_ASR_IN_PROGRESS, 5)]
    assert transcribe(second, ALICE, sent) == "hello"
    assert (first.jobs, second.jobs, spent()) == (1, 0, 15)


def test_of_many_requests_at_once_one_is_recognised() -> None:
    """ASR-03."""
    sent, done = upload(), Event()
    recogniser = Recogniser(meanwhile=lambda: done.wait(20))

    def ask(_: int) -> str:
        try:
            return transcribe(recogniser, ALICE, sent)
        except Problem as problem:
            return problem.code.name

    with ThreadPoolExecutor(6) as pool:
        answers = [pool.submit(ask, number) for number in range(6)]
        while sum(answer.done() for answer in answers) < 5:
            Event().wait(0.01)
        done.set()
    assert sorted(answer.result() for answer in answers) == ["AGENT_ASR_IN_PROGRESS"] * 5 + ["hello"]
    assert (recogniser.jobs, spent()) == (1, 15)


def test_a_late_worker_does_not_end_the_try_of_another(monkeypatch: pytest.MonkeyPatch) -> None:
    """ASR-03: its claim ran out, another has begun; it fails, and still nobody else may begin."""
    sent = upload()
    late = recordings.claim("alice", sent, TRIES, 15, PER_DAY)
    pass_time(monkeypatch, recordings.CLAIM_SECONDS + 1)
    other = recordings.claim("alice", sent, TRIES, 15, PER_DAY)
    assert late is not None
    assert other is not None
    recordings.give_up(late)
    assert recordings.read("alice", sent) == recordings.Tries(2, under_way=True)
    recordings.give_up(other)
    assert recordings.read("alice", sent) == recordings.Tries(2)


def test_a_claim_that_was_read_as_free_may_be_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    """ASR-03: of those who read it at the same time one claims it, and nobody once it is recognised or tried out."""

    def claim(sent: str) -> recordings.Claim | None:
        return recordings.claim("alice", sent, TRIES, 0, PER_DAY)

    tried, heard = upload(), upload()
    for _ in range(TRIES):
        assert claim(tried) is not None
        assert claim(tried) is None
        pass_time(monkeypatch, recordings.CLAIM_SECONDS + 1)
    assert claim(tried) is None
    first = claim(heard)
    assert first is not None
    recordings.finish(first)
    pass_time(monkeypatch, recordings.CLAIM_SECONDS + 1)
    assert claim(heard) is None
    assert (recordings.read("alice", tried).begun, recordings.read("alice", heard).begun) == (TRIES, 1)


def test_the_day_has_so_many_seconds(monkeypatch: pytest.MonkeyPatch) -> None:
    """CMP-12: of which the last may not be enough; a short recording costs what AWS takes at least."""
    recogniser = Recogniser()
    assert transcribe(recogniser, ALICE, upload(80)) == "hello"
    long, short = upload(21), upload(1)
    refused = refusal(recogniser, long)
    assert (refused.code, refused.status, refused.params) == (Code.AGENT_ASR_LIMIT, 429, {"secondsPerDay": PER_DAY})
    assert transcribe(recogniser, ALICE, short) == "hello"
    assert (recogniser.jobs, spent()) == (2, 95)
    assert transcribe(recogniser, BOB, upload(80, BOB)) == "hello"
    assert refused.retry_after is not None
    tomorrow = clock.now_ms() + refused.retry_after * 1000
    monkeypatch.setattr(clock, "now_ms", lambda: tomorrow)
    assert transcribe(recogniser, ALICE, long) == "hello"


def test_what_the_day_refuses_is_no_try() -> None:
    """CMP-12, ASR-03."""
    recogniser = Recogniser()
    transcribe(recogniser, ALICE, upload(90))
    sent = upload(90)
    for _ in range(TRIES + 1):
        assert refusal(recogniser, sent).code is Code.AGENT_ASR_LIMIT
    assert recordings.read("alice", sent) == recordings.Tries()


def test_one_recording_may_not_exceed_the_day(monkeypatch: pytest.MonkeyPatch) -> None:
    """CMP-12: not even the first, where the day has less than a recording may have."""
    monkeypatch.setitem(settings.__dict__, "transcription_seconds_per_day", 60)
    recogniser = Recogniser()
    assert refusal(recogniser, upload(61)).code is Code.AGENT_ASR_LIMIT
    assert transcribe(recogniser, ALICE, upload(60)) == "hello"
    assert (recogniser.jobs, spent()) == (1, 60)


def test_no_limit_is_no_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    """CMP-12."""
    monkeypatch.setitem(settings.__dict__, "transcription_seconds_per_day", 0)
    for _ in range(3):
        assert transcribe(Recogniser(), ALICE, upload(90)) == "hello"


def test_a_transcript_of_an_earlier_version_is_given_again() -> None:
    """ASR-01: there is no word of its tries."""
    sent = str(uuid.uuid4())
    objects.put(f"{FOLDER}alice/{sent}", b"hello")
    assert transcribe(Recogniser(), ALICE, sent) == "hello"


def test_a_recogniser_that_breaks_lets_another_try_begin() -> None:
    """ASR-03: whatever it raises."""
    sent = upload()

    def broken(_: IO[bytes], *__: object) -> str:
        raise RuntimeError

    with pytest.raises(RuntimeError):
        transcribe(broken, ALICE, sent)
    assert transcribe(Recogniser(), ALICE, sent) == "hello"
