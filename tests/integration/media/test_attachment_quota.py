"""The bytes that a user's attachments take: what is counted, what is refused, and how a wrong number is set right."""

import base64
import hashlib
import uuid
from concurrent.futures import ThreadPoolExecutor

import pytest
from botocore.exceptions import EndpointConnectionError

from tests.support.staged_uploads import WAYS, everything, form, staged, thread
from tests.support.uploads import PNG
from yarrow.media.attachment_quota import MIN_BYTES
from yarrow.media.sent_pictures import SentPictures
from yarrow.media.uploads import finish_upload
from yarrow.protocol.agui.media import Medium
from yarrow.protocol.caller import folder_of
from yarrow.protocol.files.attachments import BUCKET, path_of
from yarrow.protocol.problems import Code, Problem, ProblemCode
from yarrow.settings import settings
from yarrow.store import clock, objects, table
from yarrow.store.items.updates import EXISTS, Update
from yarrow.store.limits import stored_bytes

pytestmark = [pytest.mark.usefixtures("aws"), pytest.mark.memory]

SIZE = 100_000
FILES = 3


@pytest.fixture(autouse=True)
def quota(aws: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(settings.__dict__, "attachment_bytes_per_user", FILES * SIZE)


def picture(size: int = SIZE) -> bytes:
    end = uuid.uuid4().bytes
    return PNG + bytes(size - len(PNG) - len(end)) + end


def upload(user: str = "alice", data: bytes | None = None) -> str:
    return finish_upload(user, staged(form(thread(), data or picture()), user)).attachment.path


def counted(user: str = "alice") -> int:
    item = table.get(stored_bytes.key(user))
    return 0 if item is None else int(item["stored_bytes"])


def refused(user: str = "alice", data: bytes | None = None) -> Problem | None:
    try:
        upload(user, data)
    except Problem as problem:
        if problem.code is Code.AGENT_STORAGE_LIMIT:
            return problem
        raise
    return None


@pytest.mark.parametrize("way", WAYS)
def test_what_does_not_fit_is_refused_and_waits(way: str) -> None:
    """CMP-12, ATT-03: and the same request makes an attachment of it when there is room again."""
    paths = [upload() for _ in range(FILES)]
    waiting = WAYS[way](thread(), picture())
    with pytest.raises(Problem) as caught:
        finish_upload("alice", waiting)
    problem = caught.value
    assert (problem.code, problem.status, problem.retry_after) == (Code.AGENT_STORAGE_LIMIT, 429, 3600)
    assert problem.params == {"limitBytes": FILES * SIZE}
    assert upload("bob")
    objects.delete(paths[0])
    _an_hour_passes()
    assert finish_upload("alice", waiting).attachment.path in everything()
    assert counted() == FILES * SIZE


def _an_hour_passes() -> None:
    long_ago = clock.now_ms() // 1000 - stored_bytes.RECOUNT_SECONDS
    table.update_returning(stored_bytes.key("alice"), Update().set(recounted_at=long_ago), EXISTS)


def test_of_many_uploads_at_once_as_many_as_fit_are_stored() -> None:
    """CMP-12."""
    upload()
    sent = [staged(form(thread(), picture())) for _ in range(8)]

    def outcome(upload_id: str) -> ProblemCode | None:
        try:
            finish_upload("alice", upload_id)
        except Problem as problem:
            return problem.code
        return None

    with ThreadPoolExecutor(4) as pool:
        outcomes = list(pool.map(outcome, sent))
    assert outcomes.count(None) == FILES - 1
    assert set(outcomes) == {None, Code.AGENT_STORAGE_LIMIT}
    assert sum(path.startswith(f"{BUCKET}/") for path in everything()) == FILES
    assert counted() == FILES * SIZE


def test_an_upload_counts_once_however_often_it_is_finished() -> None:
    """ATT-03. The user was counted before: during a first count, a file may count twice."""
    assert stored_bytes.begin_recount("alice") is not None
    sent = staged(form(thread()))
    with ThreadPoolExecutor(4) as pool:
        answers = list(pool.map(lambda _: finish_upload("alice", sent), range(4)))
    assert len({answer.attachment.path for answer in answers}) == 1
    assert counted() == MIN_BYTES


def test_a_small_file_counts_as_a_larger_one() -> None:
    """CMP-12: so that the number of files is bounded, too."""
    upload(data=PNG)
    assert counted() == MIN_BYTES


def test_pictures_in_messages_count_and_the_same_picture_once() -> None:
    """ATT-07."""
    data = base64.b64encode(picture()).decode()
    for _ in range(2):
        pictures = SentPictures("alice", str)
        assert pictures.find(Medium("messages[0]", "image", data=data), "thread") is not None
        pictures.store()
    assert counted() == SIZE
    for _ in range(FILES - 1):
        upload()
    pictures = SentPictures("alice", str)
    other = base64.b64encode(picture()).decode()
    assert pictures.find(Medium("messages[0]", "image", data=other), "thread") is not None
    with pytest.raises(Problem) as caught:
        pictures.store()
    assert caught.value.code is Code.AGENT_STORAGE_LIMIT


def test_what_was_stored_before_anybody_counted_counts() -> None:
    """CMP-12: attachments of an earlier version, also under the folder that it used."""
    user = "alice@example.org"
    for folder in (folder_of(user), user):
        objects.put(f"{BUCKET}/{folder}/{uuid.uuid4()}-a.png", picture())
    assert upload(user)
    assert counted(user) == FILES * SIZE
    assert refused(user) is not None


def test_a_wrong_number_is_set_right_at_most_once_an_hour() -> None:
    """CMP-12: of files that the bucket's lifecycle removed, nobody tells."""
    paths = [upload() for _ in range(FILES)]
    for path in paths:
        objects.delete(path)
    assert refused() is not None  # the user's first upload was a count
    _an_hour_passes()
    assert refused() is None
    assert counted() == SIZE
    for _ in range(FILES - 1):
        upload()
    assert refused() is not None


def test_what_is_stored_while_it_is_counted_again_is_not_lost() -> None:
    """CMP-12: what was counted since the recount began is added to what it finds."""
    recount = stored_bytes.begin_recount("alice")
    assert recount is not None
    assert stored_bytes.begin_recount("alice") is None
    assert stored_bytes.add("alice", SIZE, FILES * SIZE)
    stored_bytes.finish_recount(recount, SIZE)
    assert counted() == 2 * SIZE


def test_a_failed_write_is_given_back_by_the_next_count(monkeypatch: pytest.MonkeyPatch) -> None:
    """ATT-04: whether it was stored is unknown, so it counts until then."""
    sent = staged(form(thread(), picture()))

    def fail(*_: object) -> bool:
        raise EndpointConnectionError(endpoint_url="s3")

    with monkeypatch.context() as patch:
        patch.setattr(objects, "put_new", fail)
        with pytest.raises(Problem) as caught:
            finish_upload("alice", sent)
    assert caught.value.code is Code.AGENT_ATTACHMENT_STORAGE_UNAVAILABLE
    assert counted() == SIZE
    assert finish_upload("alice", sent)
    upload()
    assert refused() is not None
    _an_hour_passes()
    assert refused() is None


def test_no_quota_is_no_write(monkeypatch: pytest.MonkeyPatch) -> None:
    """CMP-12."""
    monkeypatch.setitem(settings.__dict__, "attachment_bytes_per_user", 0)
    data = picture()
    path = path_of("alice", hashlib.sha256(data).hexdigest(), "", "image/png")
    assert upload(data=data) != path
    assert table.get(stored_bytes.key("alice")) is None
