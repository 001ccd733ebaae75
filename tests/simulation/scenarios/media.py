"""A user's files and recordings: sent once, twice, late or never, finished and transcribed by two devices."""

import json
import uuid
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final

from tests.simulation import clients
from tests.simulation.media_services import Bucket, Speech, name_of, recording
from tests.simulation.world import World
from tests.support import recordings as forms
from tests.support.uploads import HEADS, PNG
from yarrow.formats.wav import Wav
from yarrow.media.attachments import signed_url
from yarrow.media.transcription import amazon
from yarrow.media.transcription.transcribe import TRIES, transcribe
from yarrow.media.uploads import begin_upload, finish_upload
from yarrow.protocol.caller import Caller
from yarrow.protocol.files.attachments import BUCKET, folders_of, type_by_path
from yarrow.protocol.problems import Code, Problem
from yarrow.runs.submit_run import submit_run
from yarrow.settings import settings
from yarrow.store import clients as aws_clients
from yarrow.store import recordings, uploads
from yarrow.store.table import from_wire, to_wire

TIMEOUT: Final = 180.0
"""Of the functions, at most; `template.yaml`."""
SKEW: Final = 1.0
"""A claim outlasts its function by less than ten seconds, and Lambda keeps its clocks that close."""
PATIENCE: Final = 60
"""Tries of a client that insists: more than a claim lasts."""
SENDS: Final = 12
SECONDS_TO_NOTE: Final = 0.2
"""That a try is over, or that another one begins."""
LEAST_SECONDS: Final = 15
"""That a recording is paid for."""


@dataclass
class _File:
    """What a client sent under an upload, and what it was told."""

    upload_id: str
    sent: list[bytes] = field(default_factory=list)
    paths: set[str] = field(default_factory=set)
    kept: bytes | None = None
    """What was stored when it was told first."""
    deleted: bool = False
    """Whether its session is, or is about to be."""


@dataclass
class _Speech:
    """A recording, and what its clients were told."""

    upload_id: str
    heard: str
    texts: set[str] = field(default_factory=set)
    under_way: int = 0
    listeners: int = 2
    """That come when a try is just over."""
    ended_at: float | None = None
    """When a try was over, until the next one begins."""


@dataclass
class _Stage:
    world: World
    bucket: Bucket
    speech: Speech
    files: list[_File] = field(default_factory=list)
    recordings: list[_Speech] = field(default_factory=list)


def begin(world: World) -> Callable[[], None]:
    """Begin with one or two files and recordings each."""
    chance, scheduler = world.scheduler.chance, world.scheduler
    world.skew = SKEW
    bucket = Bucket(world)
    speech = Speech(world, bucket)
    world.aws.services |= {"s3": bucket, "transcribe": speech}
    stage = _Stage(world, bucket, speech)
    for _ in range(chance.choice((0, 1, 2))):
        scheduler.spawn("photographer", lambda: _attach(stage, str(uuid.uuid4())))
    for _ in range(chance.choice((1, 1, 2))):
        scheduler.spawn("speaker", lambda: _speak(stage))
    return lambda: _check(stage)


def _insist(world: World, name: str, act: Callable[[], Any]) -> Any:
    """What is answered at last; a Problem if it is refused for good, None if there is no answer."""
    for _ in range(PATIENCE):
        try:
            return _invoked(world, name, act)
        except Problem as problem:
            if problem.status < 500 and problem.code not in (Code.AGENT_ASR_IN_PROGRESS, Code.AGENT_RATE_LIMIT):
                return problem
        except Exception:  # noqa: BLE001, S110 (the client repeats it)
            pass
        world.scheduler.pause(world.scheduler.chance.uniform(2, 10))
    return None


def _invoked(world: World, name: str, act: Callable[[], Any]) -> Any:
    """As `World.function`; its process ends at its timeout."""
    actor = world.scheduler.spawn(name, act, skew=world.scheduler.chance.uniform(-SKEW, SKEW), may_die=True)
    if not world.scheduler.join(actor, TIMEOUT):
        world.scheduler.stop(actor)
        raise TimeoutError(name)
    if actor.error is not None:
        raise TimeoutError(name) if actor.crashed else actor.error
    return actor.result


def _attach(stage: _Stage, thread: str) -> None:
    world, chance = stage.world, stage.world.scheduler.chance
    request = json.dumps({"threadId": thread, "mimeType": "image/png", "filename": "plate.png"}).encode()
    form = _insist(world, "begin upload", lambda: begin_upload(request, clients.USER))
    if form is None or isinstance(form, Problem):
        return
    file = _File(form.upload_id)
    stage.files.append(file)
    _refused(world, "begin upload", lambda: begin_upload(request, clients.STRANGER), 403)
    if stage.bucket.post(form.fields, "text/html", PNG) or stage.bucket.post(form.fields, "image/png", b""):
        world.violated("the bucket took what the form does not allow")

    def send() -> None:
        data = chance.choice((HEADS["image/png"], HEADS["image/gif"])) + chance.randbytes(16)
        if stage.bucket.post(form.fields, "image/png", data):
            file.sent.append(data)

    for _ in range(chance.choice((0, 1, 1, 1, 2))):
        world.scheduler.spawn("sender", send, after=chance.choice((0.0, 0.5, 5.0, 1_000.0)))
    for _ in range(chance.choice((0, 0, 0, SENDS))):
        world.scheduler.spawn("restless sender", send, after=chance.uniform(0, 0.2))
    devices = [
        world.scheduler.spawn(f"device {number}", lambda: _finish(stage, file), after=chance.choice((0.1, 0.1, 1.0)))
        for number in range(chance.choice((1, 2)))
    ]
    _refused(world, "finish upload", lambda: finish_upload(clients.STRANGER, file.upload_id), 404)
    world.scheduler.join(devices[0], 3_600)
    if not file.paths:
        return
    path = next(iter(file.paths))
    _refused(world, "sign", lambda: signed_url(clients.STRANGER, BUCKET, path), 403)
    signed = _insist(world, "sign", lambda: signed_url(clients.USER, BUCKET, path))
    if isinstance(signed, Problem):
        world.violated(f"an attachment is refused with {signed.code}")
    elif signed is not None:
        _show(stage, file, thread, signed.url)


def _finish(stage: _Stage, file: _File) -> None:
    world = stage.world
    for _ in range(world.scheduler.chance.choice((1, 3))):
        answer = _insist(world, "finish upload", lambda: finish_upload(clients.USER, file.upload_id))
        if answer is not None and not isinstance(answer, Problem):
            file.paths.add(answer.attachment.path)
            _, data = stage.bucket.objects.get(answer.attachment.path, ("", b""))
            file.kept = data if file.kept is None else file.kept
        elif isinstance(answer, Problem) and file.paths and not file.deleted:
            world.violated(f"a finished upload is refused with {answer.code}")
        world.scheduler.pause(world.scheduler.chance.uniform(0, 4))


def _show(stage: _Stage, file: _File, thread: str, url: str) -> None:
    """A run that is about the picture."""
    world = stage.world
    content = [{"type": "text", "text": "合适吗?"}, {"type": "binary", "mimeType": "image/png", "url": url}]
    request = clients.request(thread, "run-1", follow_up=False)
    request["messages"] = [{"id": "msg-1", "role": "user", "content": content}]
    raw = json.dumps(request).encode()
    other = json.dumps({**request, "threadId": str(uuid.uuid4())}).encode()
    _refused(world, "submit", lambda: submit_run(other, Caller(clients.STRANGER)), 422)
    accepted = _insist(world, "submit", lambda: submit_run(raw, Caller(clients.USER)))
    if isinstance(accepted, Problem):
        world.violated(f"a run with an attachment is refused with {accepted.code}")
    elif accepted is not None and world.scheduler.chance.random() < 0.3:
        file.deleted = True
        clients.delete(world, thread)
        _refused(world, "begin upload", lambda: begin_upload(_another(thread), clients.USER), 404)


def _another(thread: str) -> bytes:
    return json.dumps({"threadId": thread, "mimeType": "image/png"}).encode()


def _refused(world: World, name: str, act: Callable[[], Any], status: int) -> None:
    try:
        _invoked(world, name, act)
    except Problem as problem:
        if problem.status != status and problem.status < 500:
            world.violated(f"{name}, which is not allowed, gets {problem.status}")
    except Exception:  # noqa: BLE001, S110 (a failed function told nothing)
        pass
    else:
        world.violated(f"{name} is allowed that should not be")


def _speak(stage: _Stage) -> None:
    world, chance = stage.world, stage.world.scheduler.chance
    data = recording(chance)
    speech = _Speech(str(uuid.uuid4()), name_of(data))
    stage.recordings.append(speech)
    key = uploads.staged_key(clients.USER, speech.upload_id)
    stage.bucket.objects[key] = forms.FORM, forms.form(forms.part(data))  # by API Gateway
    for number in range(chance.choice((1, 2, 3))):
        world.scheduler.spawn(f"listener {number}", lambda: _hear(stage, speech), after=chance.choice((0.0, 1.0, 60.0)))
    stranger = Caller(clients.STRANGER, "en-US")
    _refused(world, "transcribe", lambda: transcribe(amazon.recognise, stranger, speech.upload_id), 404)


def _hear(stage: _Stage, speech: _Speech) -> None:
    world = stage.world

    def recognise(file: Any, wav: Wav, language: str, seconds: float) -> str:
        speech.under_way, speech.ended_at = speech.under_way + 1, None
        if speech.under_way > 1:
            world.violated("a recording is recognised twice at once")
        item = world.aws.table.GetItem(Key=to_wire(recordings._key(clients.USER, speech.upload_id)))["Item"]
        if "recognised" in item or int(item["tries"]["N"]) > TRIES:
            world.violated("a recording is recognised that was, or too often")
        try:
            return amazon.recognise(file, wav, language, seconds)
        finally:
            speech.under_way, speech.ended_at = speech.under_way - 1, world.scheduler.now
            if speech.listeners:
                speech.listeners -= 1
                at = world.scheduler.chance.uniform(0, 0.05)
                world.scheduler.spawn("listener in between", lambda: _hear(stage, speech), after=at)

    def hear() -> str:
        try:
            return transcribe(recognise, caller, speech.upload_id)
        except Problem as problem:
            is_late = speech.ended_at is not None and world.scheduler.now - speech.ended_at > SECONDS_TO_NOTE
            if problem.code == Code.AGENT_ASR_IN_PROGRESS and is_late and not world.aws.faults:
                world.violated("a recording is claimed that nobody recognises")
            raise

    caller = Caller(clients.USER, "en-US")
    for _ in range(world.scheduler.chance.choice((1, 2))):
        answer = _insist(world, "transcribe", hear)
        if isinstance(answer, str):
            speech.texts.add(answer)
        elif isinstance(answer, Problem) and recordings.read(clients.USER, speech.upload_id).begun < TRIES:
            world.violated(f"a recording is refused with {answer.code}")
        elif not world.aws.rate and (answer is None or not (world.aws.faults or stage.speech.failed)):
            world.violated(f"a recording is answered with {answer}")


def _check(stage: _Stage) -> None:
    world = stage.world
    for speech in stage.recordings:  # now that nothing fails: no claim stays
        world.scheduler.spawn("late listener", lambda reply=speech: _hear(stage, reply))  # type: ignore[misc]
    for file in stage.files:
        world.scheduler.spawn("late device", lambda file=file: _finish(stage, file))  # type: ignore[misc]
    world.scheduler.run()
    for file in stage.files:
        found = uploads.read(clients.USER, file.upload_id)
        if len(file.paths) > 1:
            world.violated("an upload has two attachments")
        if found is None or (file.paths and file.paths != {found.path}):
            world.violated("an upload is not as it was answered")
        if found is not None and found.path is not None:
            kind, data = stage.bucket.objects.get(found.path, ("", b""))
            if kind != type_by_path(found.path) or not data.startswith(HEADS[kind]) or data not in file.sent:
                world.violated("an attachment is not what was sent")
            if file.kept is not None and file.kept != data:
                world.violated("an attachment has changed since it was answered")
        if file.sent and not file.paths:
            world.violated("a file that was sent cannot be finished")
    _check_speech(stage)
    _check_reach(stage)


def _check_speech(stage: _Stage) -> None:
    world = stage.world
    items = list(map(from_wire, aws_clients.dynamodb().scan(TableName=settings.table_name)["Items"]))
    counted = sum(int(item.get("transcription_seconds", 0)) for item in items if item["pk"] == f"USAGE#{clients.USER}")
    if counted < LEAST_SECONDS * stage.speech.paid.total():
        world.violated(f"{stage.speech.paid.total()} recordings were paid, {counted} seconds counted")
    for speech in stage.recordings:
        tries, paid = recordings.read(clients.USER, speech.upload_id), stage.speech.paid[speech.heard]
        if speech.texts - {speech.heard}:
            world.violated(f"{speech.heard} was heard as {speech.texts}")
        if paid > min(tries.begun, TRIES):
            world.violated(f"{paid} jobs of {tries.begun} tries")
        if not world.aws.faults and not stage.speech.failed and paid != 1:
            world.violated(f"{paid} jobs of one recording though nothing failed")
        if not speech.texts and tries.begun < TRIES:
            world.violated("a recording is heard by nobody")
    if Counter(stage.speech.paid) - Counter({reply.heard: TRIES for reply in stage.recordings}):
        world.violated("something else was transcribed")


def _check_reach(stage: _Stage) -> None:
    """All that uploads leave expires, in the table and in the bucket."""
    world = stage.world
    for item in map(from_wire, aws_clients.dynamodb().scan(TableName=settings.table_name)["Items"]):
        is_left = item["sk"].startswith(("UPLOAD#", "RECORDING#")) or item["sk"] == "RESERVATION"
        if is_left and "expires_at" not in item:
            world.violated(f"{item['sk']} never expires")
    reached = ("staged/", "transcription/", "artifacts/", *folders_of(clients.USER)[:1])  # the last one with its user
    for key in stage.bucket.objects:
        if not key.startswith(reached):
            world.violated(f"{key} is nobody's")
