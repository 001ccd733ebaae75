"""Attachments on the wire: names, paths, types and the form of an upload, well-meant and hostile."""

import json
import logging
import re
from collections.abc import Iterable
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.uploads import END, FORM, HEADS, HOSTILE, OTHER, PNG, POSING, THREAD, file_part, thread_part
from yarrow.protocol.caller import folder_of
from yarrow.protocol.files.attachments import (
    BUCKET,
    EXTENSIONS,
    MAX_BYTES,
    StoredAttachment,
    UploadedFile,
    check_declared,
    check_path,
    path_of,
    stem_of,
    type_by_path,
    type_of,
)
from yarrow.protocol.files.multipart import MAX_PARTS
from yarrow.protocol.files.upload_form import read_upload_form
from yarrow.protocol.problems import Code, Problem
from yarrow.protocol.response_body import to_json

UPLOAD = "91f0ab3c-2d4e-4a6b-8c7d-0e1f2a3b4c5d"


def file(data: bytes, declared: str | None = None) -> UploadedFile:
    return UploadedFile(THREAD, bytearray(data), None, declared)


@pytest.mark.parametrize("mime_type", HEADS)
@pytest.mark.parametrize("declared", [None, "image/png", "text/html", "application/octet-stream"])
def test_the_bytes_tell_the_type_whatever_is_said_of_it(mime_type: str, declared: str | None) -> None:
    """ATT-07."""
    if declared == "image/png" and not mime_type.startswith("image/"):
        with pytest.raises(Problem) as caught:
            type_of(file(HEADS[mime_type], declared))
        assert caught.value.code is Code.AGENT_ATTACHMENT_TYPE_UNSUPPORTED
    else:
        assert type_of(file(HEADS[mime_type], declared)) == mime_type


@pytest.mark.parametrize("name", POSING)
@pytest.mark.parametrize("declared", ["image/png", "image/svg+xml", " IMAGE/GIF; q=1"])
def test_what_only_poses_as_a_picture_is_refused(name: str, declared: str) -> None:
    """ATT-07: an SVG can hold scripts, so it is no picture either."""
    with pytest.raises(Problem) as caught:
        type_of(file(POSING[name], declared))
    assert (caught.value.code, caught.value.status) == (Code.AGENT_ATTACHMENT_TYPE_UNSUPPORTED, 415)


@pytest.mark.parametrize("declared", ["image/svg+xml", "IMAGE/SVG+XML", "image/tiff", "image/x", "image/"])
def test_a_picture_that_will_not_be_taken_is_refused_before_it_is_sent(declared: str) -> None:
    """ATT-07: no file that is said to be one could be."""
    with pytest.raises(Problem) as caught:
        check_declared(declared)
    assert (caught.value.code, caught.value.status) == (Code.AGENT_ATTACHMENT_TYPE_UNSUPPORTED, 415)


@pytest.mark.parametrize("declared", [*EXTENSIONS, "IMAGE/PNG", "image/jpg", "text/html", "application/x-unknown"])
def test_what_may_turn_out_to_be_taken_may_be_sent(declared: str) -> None:
    """ATT-07."""
    check_declared(declared)


@pytest.mark.parametrize("name", POSING)
def test_what_is_not_known_is_mere_bytes(name: str) -> None:
    """ATT-07: no browser shows it, and no run takes it."""
    assert type_of(file(POSING[name], "text/html")) == "application/octet-stream"


def test_an_empty_file_is_refused() -> None:
    """ATT-02, ERR-06."""
    with pytest.raises(Problem) as caught:
        type_of(file(b"", "image/png"))
    assert (caught.value.code, caught.value.status) == (Code.AGENT_ATTACHMENT_EMPTY, 422)


@pytest.mark.parametrize(
    ("given_name", "stem"),
    [
        ("plate.png", "plate"),
        ("卦象 一.png", "卦象_一"),
        ("no extension", "no_extension"),
        ("../../etc/passwd", "passwd"),
        ("..\\..\\boot.ini", "boot"),
        ("/absolute/a.b.png", "a_b"),
        ("%2e%2e%2fa.png", "2e_2e_2fa"),
        ("a\x00\r\nContent-Type: text/html\x7f.png", "html"),
        ("‮gnp.exe", "gnp"),
        ("...", ""),
        (".png", "png"),
        ("", ""),
        (None, ""),
        ("x" * 1000 + ".png", "x" * 64),
        ("\ud800.png", ""),
    ],
)
def test_of_a_name_only_word_characters_are_kept(given_name: str | None, stem: str) -> None:
    """ATT-06."""
    assert stem_of(given_name) == stem


@given(st.text(), st.one_of(st.none(), st.text()), st.sampled_from(sorted(EXTENSIONS)))
def test_the_path_of_an_attachment_is_one_of_its_user_and_tells_its_type(
    user: str, name: str | None, mime_type: str
) -> None:
    """ATT-03, ATT-06, SEC-07: whatever user and file are called."""
    path = path_of(user, UPLOAD, stem_of(name), mime_type)
    assert check_path(BUCKET, path, user) == path
    bucket, folder, file_name = path.split("/")
    assert (bucket, file_name.startswith(UPLOAD)) == (BUCKET, True)
    assert folder not in {"", ".", ".."} or user == ""
    assert type_by_path(path) == mime_type


@given(st.text(min_size=1), st.text(min_size=1))
def test_no_two_users_share_a_folder(one: str, other: str) -> None:
    """SEC-03, SEC-07: Folders are neither the same nor one within the other."""
    path = path_of(one, UPLOAD, "a", "image/png")
    if one != other:
        with pytest.raises(Problem):
            check_path(BUCKET, path, other)


def test_a_plain_user_id_is_in_the_path_as_it_is() -> None:
    """ATT-03."""
    assert path_of("user-123", UPLOAD, "plate", "image/png") == f"agent-inputs/user-123/{UPLOAD}-plate.png"
    assert check_path(BUCKET, "agent-inputs/user-123/a.png", "user-123")


HASHED = "sha256-" + "0" * 64


@pytest.mark.parametrize(
    ("user", "earlier"),
    [
        ("auth0|5f7c", "auth0|5f7c"),
        ("a/..\\b%", "a%2F..%5Cb%25"),
        ("..", "%2E%2E"),
        ("../x", "..%2Fx"),
        ("用户", "用户"),
        ("x" * 300, "x" * 300),
    ],
)
def test_what_an_earlier_version_stored_stays_its_users(user: str, earlier: str) -> None:
    """SGN-01, SEC-07: under the folder that it gave such an id; what is new lies in one that needs no encoding."""
    old = f"agent-inputs/{earlier}/{UPLOAD}.jpg"
    assert check_path(BUCKET, old, user) == old
    folder = path_of(user, UPLOAD, "", "image/jpeg").split("/")[1]
    assert folder == folder_of(user) != earlier
    assert re.fullmatch("sha256-[0-9a-f]{64}", folder)


def test_nobody_gets_anothers_folder_by_calling_themselves_so() -> None:
    """SEC-03, SEC-07."""
    for user in ("auth0|5f7c", HASHED):
        path = path_of(user, UPLOAD, "", "image/jpeg")
        with pytest.raises(Problem):
            check_path(BUCKET, path, folder_of(user))
    assert folder_of(HASHED) != HASHED


REFUSED_PATHS = [
    "agent-inputs",
    "agent-inputs/",
    "agent-inputs/alice",
    "agent-inputs/alice/",
    "agent-inputs/bob/a.png",
    "agent-inputs/alicex/a.png",
    "agent-inputs/Alice/a.png",
    "agent-inputs/alice/../bob/a.png",
    "agent-inputs/alice/..",
    "agent-inputs/alice/.",
    "agent-inputs/alice/.a.png",
    "agent-inputs/alice/./a.png",
    "agent-inputs/alice//a.png",
    "agent-inputs/alice/a/b.png",
    "agent-inputs/alice/%2e%2e/bob/a.png",
    "agent-inputs/alice/%2e%2e%2fbob%2fa.png",
    "agent-inputs/alice/..%2fbob/a.png",
    "agent-inputs/alice/..%c0%af..",
    "agent-inputs/alice/..\\bob\\a.png",
    "agent-inputs/alice\\a.png",
    "agent-inputs/alice/a\\..\\b.png",
    "agent-inputs//alice/a.png",
    "agent-inputs/../agent-inputs/alice/a.png",
    "/agent-inputs/alice/a.png",
    "//agent-inputs/alice/a.png",
    "./agent-inputs/alice/a.png",
    "AGENT-INPUTS/alice/a.png",
    "staged/alice/a.png",
    "artifacts/a.png",
    "s3://agent-inputs/alice/a.png",
    "https://host/agent-inputs/alice/a.png",
    "agent-inputs/alice/a.png\x00",
    "agent-inputs/alice/a.png\n",
    "agent-inputs/alice/a.png?versionId=1",
    "agent-inputs/alice/a.png#x",
    "agent-inputs/alice/a.png/",
    "agent-inputs/alice/．．／bob",
    "agent-inputs/alice/" + "a" * 500,
    "agent-inputs/*/a.png",
]


@pytest.mark.parametrize("path", REFUSED_PATHS)
def test_a_path_that_is_not_plainly_ones_own_is_refused(path: str) -> None:
    """SGN-02, SGN-03, SEC-07, ERR-07."""
    with pytest.raises(Problem) as caught:
        check_path(BUCKET, path, "alice")
    assert (caught.value.code, caught.value.status) == (Code.AGENT_ATTACHMENT_PATH_SCOPE_INVALID, 403)


@pytest.mark.parametrize("path", [None, ""])
def test_a_query_without_a_path_lacks_it(path: str | None) -> None:
    """SGN-01: it names nothing that could be another's."""
    with pytest.raises(Problem) as caught:
        check_path(BUCKET, path, "alice")
    assert (caught.value.code, caught.value.status) == (Code.AGENT_ATTACHMENT_INVALID, 422)


@pytest.mark.parametrize("bucket", [None, "", "Agent-inputs", "agent-inputs/", "agent-inputs/alice", "other", "../x"])
def test_another_bucket_is_refused(bucket: str | None) -> None:
    """SGN-01, SGN-02, ERR-07: before the path is looked at."""
    with pytest.raises(Problem) as caught:
        check_path(bucket, "agent-inputs/bob/a.png", "alice")
    assert (caught.value.code, caught.value.status) == (Code.AGENT_ATTACHMENT_BUCKET_INVALID, 422)


def test_the_answer_has_the_documents_members() -> None:
    """ATT-03: It also has the names of `divination-run.md`."""
    stored = StoredAttachment(bucket=BUCKET, path="agent-inputs/u/f.png", mime_type="image/png", url="https://…")
    assert json.loads(to_json(stored)) == {
        "bucket": "agent-inputs",
        "path": "agent-inputs/u/f.png",
        "mimeType": "image/png",
        "url": "https://…",
    }


# ---- The form -----------------------------------------------------------------------------------------------------


def pieces(body: bytes, size: int) -> Iterable[bytes]:
    return (body[at : at + size] for at in range(0, len(body), size))


@pytest.mark.parametrize("size", [1, 7, 64, 10**6])
@pytest.mark.parametrize("body", [thread_part() + file_part() + END, file_part() + thread_part() + END])
def test_a_form_is_read_in_pieces_of_any_size(body: bytes, size: int) -> None:
    """ATT-01: Its parts may come in any order."""
    read = read_upload_form(FORM, pieces(body, size))
    assert read == UploadedFile(THREAD, bytearray(PNG), "plate.png", "image/png")


def test_a_boundary_within_the_file_is_the_files_own() -> None:
    """ATT-01: unless it is the whole delimiter."""
    data = b"\r\n--frontie\r\n--\r\n-frontier--\r\n"
    assert read_upload_form(FORM, [thread_part() + file_part(data) + END]).data == data


@pytest.mark.parametrize(
    ("filename", "read_as"),
    [
        ('filename="卦象.png"', "卦象.png"),
        ('filename="a;b=\\"c\\".png"', 'a;b="c".png'),
        ('filename=""', ""),
        ("filename*=UTF-8''..%2fa.png", None),
        ('x="y"', None),
    ],
)
def test_a_file_name_is_read_as_browsers_write_it(filename: str, read_as: str | None) -> None:
    """ATT-06."""
    assert read_upload_form(FORM, [thread_part() + file_part(filename=filename) + END]).filename == read_as


def test_a_file_name_of_1000_characters_is_read() -> None:
    """ATT-06: Any script is accepted."""
    name = "卦" * 1000
    assert read_upload_form(FORM, [thread_part() + file_part(filename=f'filename="{name}"') + END]).filename == name


def test_a_file_may_have_5_mib_and_not_one_byte_more() -> None:
    """ATT-02, ERR-06."""
    whole = read_upload_form(FORM, pieces(thread_part() + file_part(bytes(MAX_BYTES)) + END, 65_536))
    assert len(whole.data) == MAX_BYTES == 5_242_880
    with pytest.raises(Problem) as caught:
        read_upload_form(FORM, pieces(thread_part() + file_part(bytes(MAX_BYTES + 1)) + END, 65_536))
    assert (caught.value.code, caught.value.status) == (Code.AGENT_ATTACHMENT_TOO_LARGE, 413)
    assert caught.value.params == {"limitBytes": 5_242_880}


def test_a_file_without_end_is_not_read_to_its_end() -> None:
    """ATT-02: Nothing is stored."""
    read = 0

    def endless() -> Iterable[bytes]:
        nonlocal read
        yield b'--frontier\r\nContent-Disposition: form-data; name="file"\r\n\r\n'
        while True:
            read += 65_536
            yield bytes(65_536)

    with pytest.raises(Problem):
        read_upload_form(FORM, endless())
    assert read <= MAX_BYTES + 2 * 65_536


@pytest.mark.parametrize("name", HOSTILE)
@pytest.mark.parametrize("size", [5, 65_536])
def test_a_form_that_is_none_is_refused_with_its_reason(name: str, size: int, caplog: Any) -> None:
    """ATT-08."""
    caplog.set_level(logging.CRITICAL, "python_multipart")
    media_type, body = HOSTILE[name]
    with pytest.raises(Problem) as caught:
        read_upload_form(media_type, pieces(body, size))
    assert (caught.value.code, caught.value.status) == (Code.AGENT_ATTACHMENT_INVALID, 422)
    assert caught.value.detail


def test_a_few_parts_more_do_no_harm() -> None:
    """ATT-01: clients may send what this service does not know."""
    more = OTHER * (MAX_PARTS - 2)
    assert read_upload_form(FORM, [more + thread_part() + file_part() + END]).thread_id == THREAD
    with pytest.raises(Problem):
        read_upload_form(FORM, [OTHER + more + thread_part() + file_part() + END])


@pytest.mark.parametrize(
    "media_type", ["", "application/json", "text/plain", "image/png", "multipart/mixed; boundary=frontier", "x" * 9_000]
)
def test_another_content_type_is_refused(media_type: str) -> None:
    """ATT-08: The status is 415."""
    with pytest.raises(Problem) as caught:
        read_upload_form(media_type, [thread_part() + file_part() + END])
    assert (caught.value.code, caught.value.status) == (Code.REQUEST_CONTENT_TYPE_UNSUPPORTED, 415)


@given(st.binary(max_size=400), st.integers(1, 50))
def test_whatever_comes_is_read_or_refused(noise: bytes, size: int) -> None:
    """ATT-08: No other error is raised."""
    for body in (noise, thread_part() + noise + END, thread_part() + file_part() + noise):
        form = None
        with suppress(Problem):
            form = read_upload_form(FORM, pieces(body, size))
        assert form is None or form.thread_id
