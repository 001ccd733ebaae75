"""Pictures that come with a message of an AG-UI client: whole, by an id, or by a URL."""

import base64
import hashlib
import json
import time
import uuid
from collections.abc import Callable
from typing import Any

import pytest
from botocore.exceptions import EndpointConnectionError

from tests.support.agui.app import SEARCH, App, body, calling, result
from tests.support.agui.pictures import TEXT, asking, base64_of, inline
from tests.support.functions.payloads import Case
from tests.support.runners.scripted import DONE, Scripted, completed
from tests.support.staged_uploads import staged
from tests.support.uploads import END, HEADS, PNG, POSING, file_part, thread_part
from yarrow.formats.pictures import SHOWN_TYPES
from yarrow.media import sent_pictures, signed_urls
from yarrow.media.sent_pictures import INLINE_BYTES
from yarrow.media.uploads import finish_upload
from yarrow.protocol.agui.request import LEFT_OUT
from yarrow.protocol.caller import Caller
from yarrow.protocol.files.attachments import BUCKET
from yarrow.protocol.history import Attachment, UserItem
from yarrow.protocol.runner.models import InstalledRunner
from yarrow.runs.get_history import whole_session
from yarrow.runs.send_message import session_id_of
from yarrow.runs.submit_run import submit_run
from yarrow.settings import settings
from yarrow.store import artifacts, clients, objects, runs, sessions
from yarrow.worker import execute_run
from yarrow.worker.invocation.registry import registry
from yarrow_agents.assistant.runner import RUNNER

pytestmark = [pytest.mark.usefixtures("aws"), pytest.mark.memory]
"""On moto alone: what counts here is the bucket."""

OTHER_PNG = PNG + b"another"


@pytest.fixture(autouse=True)
def runner(monkeypatch: pytest.MonkeyPatch) -> Scripted:
    """In the place of every agent's own, one that is given what the assistant is: pictures, too."""
    runner = Scripted(completed("好"), DONE)
    monkeypatch.setattr(registry, "find", lambda _: InstalledRunner(RUNNER.manifest, lambda: runner))
    return runner


def by_id(id_: str) -> dict[str, Any]:
    return {"type": "binary", "mimeType": "image/png", "id": id_}


def session(app: App, thread: str = "thread_001") -> str:
    return session_id_of(app.case.user, thread)


def shown_in(app: App, message: int = 0) -> tuple[Attachment, ...]:
    """What the history shows with a message of the user's."""
    found = whole_session(session(app), app.case.user).messages[message]
    assert isinstance(found, UserItem)
    return found.attachments


def stored(app: App) -> list[str]:
    return objects.keys(f"{BUCKET}/{app.case.user}/")[0]


def refusal_of(app: App, sent: dict[str, Any]) -> tuple[int, str, str]:
    """The problem that a request is answered with."""
    answer = app.post(sent)
    return (*answer.problem, json.loads(answer.body)["detail"])


def upload(user: str, data: bytes = PNG, media_type: str = "image/png") -> tuple[str, str]:
    """Return an upload's id, and the path of its attachment."""
    upload_id = staged(thread_part(str(uuid.uuid4())) + file_part(data, media_type=media_type) + END, user)
    return upload_id, finish_upload(user, upload_id).attachment.path


WHOLE: dict[str, Callable[[str], dict[str, Any]]] = {
    "binary": lambda data: {"type": "binary", "mimeType": "image/png", "data": data},
    "binary by data URL": lambda data: {
        "type": "binary",
        "mimeType": "image/png",
        "url": f"data:image/png;base64,{data}",
    },
    "binary with a stranger's URL": lambda data: {
        "type": "binary",
        "mimeType": "image/png",
        "url": "https://example.com/a.png",
        "data": data,
    },
    "1.0": lambda data: {"type": "image", "source": {"type": "data", "value": data, "mimeType": "image/png"}},
    "1.0 by data URL": lambda data: {
        "type": "image",
        "source": {"type": "url", "value": f"data:image/png;base64,{data}"},
    },
    "1.0 with another type": lambda data: {
        "type": "image",
        "source": {"type": "data", "value": data, "mimeType": "image/jpg"},
    },
    "in lines": lambda data: {
        "type": "binary",
        "mimeType": "image/png",
        "data": "\r\n".join(data[at : at + 8] for at in range(0, len(data), 8)),
    },
}


@pytest.mark.parametrize("way", WHOLE)
def test_a_picture_that_comes_whole_is_the_users_own_from_then_on(app: App, runner: Scripted, way: str) -> None:
    """C7, MSG-02, RUN-17, HIS-06, HIS-07, ATT-07: It is an attachment and an artifact, shown by a fresh URL."""
    assert app.post(asking(WHOLE[way](base64_of(PNG)))).events[-1]["type"] == "RUN_FINISHED"
    path = f"{BUCKET}/{app.case.user}/{hashlib.sha256(PNG).hexdigest()}.png"
    assert stored(app) == [path]
    head = clients.s3().head_object(Bucket=settings.bucket_name, Key=path)
    assert (head["ContentType"], objects.get(path)) == ("image/png", PNG)

    (value,) = runner.contexts[0].input.attachments
    artifact = artifacts.read_range(value.artifact_id, session(app), 0, 1_000)
    assert artifact is not None
    assert base64.b64decode(artifact.content_base64) == PNG

    (shown,) = shown_in(app)
    assert (shown.mime_type, signed_urls.verify(shown.url, app.case.user).path) == ("image/png", path)
    kept = json.dumps(runs.read_input(runs.key_of(app.case.user, session(app), "run_001")))
    assert base64_of(PNG) not in kept


@pytest.mark.parametrize("mime_type", sorted(SHOWN_TYPES))
def test_every_type_that_agents_are_shown_is_taken_by_its_bytes(app: App, mime_type: str) -> None:
    """C7, ATT-07: as with uploads, a wrong word for the right thing does no harm."""
    assert app.post(asking(inline(HEADS[mime_type], "image/png"))).events
    (shown,) = shown_in(app)
    assert shown.mime_type == mime_type


def test_the_same_request_again_is_the_same_run_and_the_same_object(app: App, runner: Scripted) -> None:
    """RUN-23, C7: also with the picture by a URL of its own; another picture is another request."""
    first = app.post(asking(inline(PNG)))
    assert app.post(asking(inline(PNG))).events == first.events
    assert app.post(asking(inline(PNG, "image/jpeg"))).events == first.events
    (path,) = stored(app)
    by_url = {"type": "binary", "mimeType": "image/png", "url": signed_urls.sign(path)}
    assert app.post(asking(by_url)).events == first.events
    assert app.post(asking(inline(OTHER_PNG))).problem == (409, "AGENT_RUN_CONFLICT")
    assert stored(app) == [path]
    assert len(runner.contexts) == 1


def test_the_same_picture_in_two_messages_is_one_object(app: App) -> None:
    """C7: an AG-UI client sends the whole conversation each time; of it, what is earlier is passed over."""
    app.post(asking(inline(PNG), inline(PNG)))
    old = asking(inline(PNG))["messages"][0]
    new = {"id": "msg_2", "role": "user", "content": [TEXT, inline(PNG)]}
    assert app.post(body("run_002", old, new)).events
    assert len(stored(app)) == 1
    later = {"id": "msg_3", "role": "user", "content": "谢谢"}
    assert app.post(body("run_003", old, {**new, "content": [inline(OTHER_PNG)]}, later)).events
    assert len(stored(app)) == 1


AT = "RunAgentInput.messages[0].content[1]"
REFUSED = {
    "a byte too many": (inline(PNG + bytes(INLINE_BYTES + 1 - len(PNG))), 413, "AGENT_ATTACHMENT_TOO_LARGE"),
    "no base64": ({**inline(PNG), "data": "%%%"}, 422, "AGENT_RUN_MESSAGES_INVALID"),
    "base64 cut off": ({**inline(PNG), "data": base64_of(PNG)[:-3]}, 422, "AGENT_RUN_MESSAGES_INVALID"),
    "base64 in Chinese": ({**inline(PNG), "data": "图片"}, 422, "AGENT_RUN_MESSAGES_INVALID"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_no_picture_that_can_be_taken_is_refused_and_named(app: App, name: str) -> None:
    """C7, ATT-02, ATT-07, ERR-06: The problem names its place; nothing is stored, not even the good one before it."""
    part, status, code = REFUSED[name]
    answer = refusal_of(app, asking(part))
    assert answer[:2] == (status, code)
    assert answer[2].startswith(f"{AT} ")
    assert app.post(asking(inline(PNG), part)).problem == (status, code)
    assert stored(app) == []
    assert sessions.read(session(app)) is None


HEIC = HEADS["image/heif"]
UNSHOWN = {
    "heic": inline(HEIC, "image/heic"),
    "heic called png": inline(HEIC),
    "heic of any size": inline(HEIC + bytes(INLINE_BYTES), "image/heic"),
    "avif": inline(HEADS["image/avif"], "image/avif"),
    "svg": inline(POSING["svg"], "image/svg+xml"),
    "svg of 1.0": {
        "type": "image",
        "source": {"type": "data", "value": base64_of(POSING["svg"]), "mimeType": "image/svg+xml"},
    },
    "bmp": inline(b"BM" + bytes(60), "image/bmp"),
    "a PDF called png": inline(HEADS["application/pdf"]),
    "an empty data URL": {"type": "image", "source": {"type": "url", "value": "data:image/png;base64,"}},
    **{f"{name} called png": inline(data) for name, data in POSING.items()},
}
"""What says that it is a picture, and is none that an agent can be shown."""


def check_left_out(app: App, runner: Scripted, part: dict[str, Any], before: list[str]) -> None:
    """Check that a run goes well without a picture, and its agent knows that there was one; another one is kept."""
    assert app.post(asking(part, inline(PNG))).events[-1]["type"] == "RUN_FINISHED"
    (context,) = runner.contexts
    assert [attachment.mime_type for attachment in context.input.attachments] == ["image/png"]
    assert context.adapter is not None
    assert context.adapter.extra["context"] == [{"description": LEFT_OUT, "value": "image"}]
    (shown,) = shown_in(app)
    assert sorted(stored(app)) == sorted([*before, signed_urls.verify(shown.url, app.case.user).path])


@pytest.mark.parametrize("name", UNSHOWN)
def test_a_picture_that_no_agent_can_be_shown_fails_no_run(app: App, runner: Scripted, name: str) -> None:
    """C7, MSG-02, RNR-52: it is left out and the agent told so, and nothing of it is stored."""
    check_left_out(app, runner, UNSHOWN[name], [])


BY_UPLOAD: dict[str, Callable[[str, str], dict[str, Any]]] = {
    "id": lambda upload_id, _: by_id(upload_id),
    "path": lambda _, path: by_id(path),
    "handle": lambda upload_id, _: {"type": "image", "source": {"type": "file", "value": upload_id}},
    "url": lambda _, path: {"type": "binary", "mimeType": "image/heic", "url": signed_urls.sign(path)},
    "url of 1.0": lambda _, path: {"type": "image", "source": {"type": "url", "value": signed_urls.sign(path)}},
}


@pytest.mark.parametrize("way", BY_UPLOAD)
def test_nor_does_one_that_was_uploaded(app: App, runner: Scripted, way: str) -> None:
    """C7, ATT-07, RUN-16: uploads are for others than models, too, and keep it."""
    upload_id, path = upload(app.case.user, HEIC, "image/heic")
    check_left_out(app, runner, BY_UPLOAD[way](upload_id, path), [path])


def test_nor_does_one_that_an_agent_made(app: App, runner: Scripted) -> None:
    """C7, RNR-38."""
    check_left_out(app, runner, by_id(kept(app, app.case.user, session(app), HEIC)), [])


def test_an_earlier_picture_that_no_agent_can_be_shown_fails_no_later_run(app: App, runner: Scripted) -> None:
    """RNR-19, RUN-16: the strict door takes every picture that uploads take; not every agent looks at it."""
    urls = [signed_urls.sign(upload(app.case.user, data, "image/png")[1]) for data in (PNG, HEIC)]
    blocks = [TEXT, *({"type": "binary", "mimeType": "image/png", "url": url} for url in urls)]
    sent = body("run_001", {"id": "msg_1", "role": "user", "content": blocks}, threadId=session(app))
    raw = json.dumps(sent | {"forwardedProps": {"runtime_mode": "chat"}}).encode()
    execute_run.work(submit_run(raw, Caller(app.case.user), "assistant").task_id)
    assert app.post(body("run_002", {"id": "msg_2", "role": "user", "content": "谢谢"})).events
    before, after = runner.contexts
    png, heic = (attachment.artifact_id for attachment in before.input.attachments)
    assert after.bootstrap is not None
    assert [message.content for message in after.bootstrap.messages] == [
        ({"type": "text", "text": "看看"}, {"type": "artifact", "artifact_id": png}),
        "好",
    ]
    assert heic not in after.model_dump_json()


def test_a_picture_of_the_largest_size_is_taken(app: App) -> None:
    """C7: and what is larger is told where to go."""
    assert app.post(asking(inline(PNG + bytes(INLINE_BYTES - len(PNG))))).events
    answer = app.post(asking(inline(PNG + bytes(INLINE_BYTES)), run="run_002"))
    problem = json.loads(answer.body)
    assert problem["params"] == {"limitBytes": INLINE_BYTES}
    assert "upload" in problem["detail"]


def test_nothing_is_stored_for_a_run_that_is_refused(app: App) -> None:
    """C7: whatever it is refused for."""
    app.post(body("run_001"))
    stranger = App()
    refused = [
        (app, asking(*[inline(PNG)] * 4, run="run_002")),
        (app, asking(inline(PNG))),
        (app, asking(inline(PNG), run="run_002", forwardedProps={"runtime_mode": "dance"})),
        (app, asking(inline(PNG), run="run_002", tools=[{"name": "a", "description": "d"}] * 2)),
        (stranger, asking(inline(PNG), run="run_002", threadId=session(app))),
    ]
    assert [who.post(sent).problem[0] for who, sent in refused] == [422, 409, 422, 422, 403]
    assert stored(app) == stored(stranger) == []


def test_while_a_session_is_busy_nothing_is_stored(app: App) -> None:
    """CMP-12, C7."""
    answers = []

    def meanwhile() -> None:
        answers.append(app.post(asking(inline(PNG), run="run_002")))
        execute_run.work(runs.key_of(app.case.user, session(app), "run_001"))

    app.post(body("run_001"), meanwhile)
    assert answers[0].problem == (409, "AGENT_RUN_IN_PROGRESS")
    assert stored(app) == []


def test_where_the_bucket_does_not_answer_the_same_request_goes_on_later(
    app: App, monkeypatch: pytest.MonkeyPatch
) -> None:
    """ATT-04, C7: there is no run without its picture."""

    def fail(*_: Any) -> bool:
        raise EndpointConnectionError(endpoint_url="https://s3")

    with monkeypatch.context() as patched:
        patched.setattr(objects, "put_new", fail)
        assert app.post(asking(inline(PNG))).problem == (503, "AGENT_ATTACHMENT_STORAGE_UNAVAILABLE")
        assert sessions.read(session(app)) is None
    assert app.post(asking(inline(PNG))).events[-1]["type"] == "RUN_FINISHED"


def test_a_picture_may_be_named_by_the_id_of_its_upload_or_by_its_path(app: App) -> None:
    """C7, ATT-06: in either case of letters, however long ago the upload was; it is the same picture every way."""
    upload_id, path = upload(app.case.user)
    first = app.post(asking(by_id(upload_id)))
    assert [event["type"] for event in first.events][-1] == "RUN_FINISHED"
    for part in (by_id(upload_id.upper()), by_id(path), {"type": "image", "source": {"type": "file", "value": path}}):
        assert app.post(asking(part)).events == first.events
    (shown,) = shown_in(app)
    assert signed_urls.verify(shown.url, app.case.user).path == path


def test_a_picture_may_be_named_by_the_id_of_an_artifact_of_the_thread(app: App, runner: Scripted) -> None:
    """C7, RNR-38: the user's own, or made by an agent, which then becomes an attachment too."""
    app.post(asking(inline(PNG)))
    (own,) = runner.contexts[0].input.attachments
    of_agent = kept(app, app.case.user, session(app), OTHER_PNG)
    assert app.post(asking(by_id(own.artifact_id), by_id(of_agent), run="run_002", message="msg_2")).events
    assert [
        objects.get(signed_urls.verify(attachment.url, app.case.user).path) for attachment in shown_in(app, -2)
    ] == [
        PNG,
        OTHER_PNG,
    ]
    assert len(stored(app)) == 2


def kept(app: App, user: str, thread: str, data: bytes = PNG) -> str:
    """Return the id of an artifact that an agent made in a thread."""
    return artifacts.create(
        artifacts.new_id(),
        thread_id=thread,
        user_id=user,
        run_key="r",
        runner_id="a",
        artifact_type="chart",
        mime_type="image/png",
        data=data,
    ).artifact_id


def test_an_id_that_names_no_picture_of_the_users_own_is_refused(app: App) -> None:
    """C7, RUN-16, SEC-03: in the same words, whether there is one or not."""
    bob = Case()
    pdf = HEADS["application/pdf"]
    upload_of_bob, path_of_bob = upload(bob.user)
    ids = [
        upload_of_bob,
        path_of_bob,
        path_of_bob.replace(bob.user, f"{app.case.user}/../{bob.user}"),
        kept(app, bob.user, session_id_of(bob.user, "thread_001")),
        kept(app, bob.user, session(app)),
        kept(app, app.case.user, session(app, "thread_002")),
        kept(app, app.case.user, session(app), pdf),
        *upload(app.case.user, pdf, "application/pdf"),
        str(uuid.uuid4()),
        artifacts.new_id(),
        "file-1",
        f"{BUCKET}/",
        "x" * 5_000,
    ]
    answers = {refusal_of(app, asking(by_id(text))) for text in ids}
    assert answers == {(422, "AGENT_RUN_MESSAGES_INVALID", f"{AT}.id is not one of your pictures")}


def test_a_handle_of_another_service_fails_no_run_and_few_are_looked_for(
    app: App, runner: Scripted, monkeypatch: pytest.MonkeyPatch
) -> None:
    """C7: of a model's provider, say; the agent is told that there was a picture."""
    requests: list[str] = []
    monkeypatch.setattr(artifacts, "object_of", lambda id_, *_: requests.append(id_))
    handles = [{"type": "image", "source": {"type": "file", "value": f"file-{n}", "provider": "p"}} for n in range(50)]
    assert app.post(asking(*handles)).events
    assert len(requests) == sent_pictures._MAX_HANDLES
    assert runner.contexts[0].adapter is not None
    assert [item["value"] for item in runner.contexts[0].adapter.extra["context"]] == ["image"]


def later(monkeypatch: pytest.MonkeyPatch, seconds: float) -> None:
    now = time.time()
    monkeypatch.setattr(time, "time", lambda: now + seconds)


def test_a_picture_whose_url_has_expired_does_no_harm_in_what_was_asked_already(
    app: App, monkeypatch: pytest.MonkeyPatch
) -> None:
    """RUN-16, RUN-23, SGN-04, EVT-21: a repeat is the same run, results of tools go on; a new one is refused."""
    _, path = upload(app.case.user)
    part = {"type": "image", "source": {"type": "url", "value": signed_urls.sign(path)}}
    first = app.post(asking(part))
    assert first.events[-1]["type"] == "RUN_FINISHED"
    later(monkeypatch, signed_urls.SECONDS + 1)
    assert app.post(asking(part)).events == first.events
    answer = refusal_of(app, asking(part, run="run_002", message="msg_2"))
    assert answer == (422, "AGENT_RUN_MESSAGES_INVALID", "binary content url has expired")
    request = asking(part)["messages"][0]
    assert (
        app.post(body("run_003", request, calling(SEARCH), result(SEARCH, "[]"))).events[-1]["type"] == "RUN_FINISHED"
    )


def test_the_results_of_tools_go_on_with_a_message_whose_picture_came_whole(app: App, runner: Scripted) -> None:
    """EVT-21, C7, HIS-17: the client sends it all again, and it stands in the history once."""
    events = app.post(asking(inline(PNG))).events
    reply = next(event["messageId"] for event in events if event["type"] == "TEXT_MESSAGE_START")
    request, called = asking(inline(PNG))["messages"][0], {**calling(SEARCH), "id": reply}
    assert app.post(body("run_002", request, called, result(SEARCH, "[]"))).events[-1]["type"] == "RUN_FINISHED"
    assert runner.contexts[0].input.attachments == runner.contexts[1].input.attachments
    roles = [message.role for message in whole_session(session(app), app.case.user).messages]
    assert roles == ["user", "assistant", "assistant"]
    assert len(stored(app)) == 1
