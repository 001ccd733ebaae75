"""Reading the page's commands: strict where state would suffer, tolerant where the page is."""

import base64
from typing import Any

import pytest

from yarrow.formats import json_text
from yarrow.protocol.workspace import commands
from yarrow.protocol.workspace.commands import AnswerQuestion, Attach, ChooseOption, Command, Control, Input
from yarrow.protocol.workspace.errors import CommandError, ErrorCode
from yarrow.protocol.workspace.files import FileRules, SentFile, kind_of_file, rules_of


def read(type_: str, **payload: Any) -> Command | None:
    return commands.command_of(commands.read_envelope(json_text.dumps({"type": type_, "payload": payload})))


def file(**changes: Any) -> dict[str, Any]:
    content = base64.b64encode(b"%PDF-1.7").decode()
    whole = {"id": "att_1", "name": "cv.pdf", "mimeType": "application/pdf", "size": 8, "source": "paste"}
    return {**whole, "contentBase64": content, **changes}


@pytest.mark.parametrize("text", ["", "{", "[]", '"heart_beat"', "{}", '{"type":1}', '{"type":"x","payload":[]}'])
def test_a_frame_that_is_no_command_is_refused(text: str) -> None:
    """WSP-35."""
    with pytest.raises(CommandError) as refused:
        commands.read_envelope(text)
    assert refused.value.code is ErrorCode.FRAME_INVALID


def test_a_frame_over_the_limit_is_refused() -> None:
    """WSP-37."""
    with pytest.raises(CommandError) as refused:
        commands.read_envelope(json_text.dumps({"type": "agent_user_input", "payload": {"text": "易" * 44_000}}))
    assert refused.value.code is ErrorCode.PAYLOAD_TOO_LARGE


@pytest.mark.parametrize("type_", ["heart_beat", "terminate_process", "agent_state_snapshot", "agent_update_save_path"])
def test_what_is_no_command_of_an_agent_is_ignored(type_: str) -> None:
    """WSP-35, WSP-36."""
    assert read(type_) is None


def test_a_payload_may_be_missing_or_null() -> None:
    for text in ('{"type":"agent_init"}', '{"type":"agent_init","payload":null}'):
        assert commands.command_of(commands.read_envelope(text)) == commands.Init()


def test_the_request_id_is_read_for_errors() -> None:
    """WSP-31."""
    assert commands.read_envelope('{"type":"x","payload":{"requestId":"r1"}}').request_id == "r1"
    assert commands.read_envelope('{"type":"x","payload":{"requestId":{}}}').request_id is None


def test_the_language_of_every_command_is_read() -> None:
    """WSP-03."""
    for value, known in (("zh-TW", "zh-TW"), (" en ", "en"), ("", None), (7, None), ("../x", None)):
        envelope = commands.read_envelope(json_text.dumps({"type": "x", "payload": {"language": value}}))
        assert commands.settings_of(envelope).language == known


def test_commands_are_read_as_the_page_sends_them() -> None:
    """WSP-09, WSP-10, WSP-11, WSP-15."""
    assert read("agent_user_input", sessionId="s", text=" hi ", runtimeContext=None) == Input("s", "hi")
    assert read("agent_user_option", optionId="o", optionLabel="O", questionId="q", questionText="Q") == ChooseOption(
        None, "q", "Q", "o", "O"
    )
    assert read("agent_user_answer", sessionId="s", questionId="q", answer=30) == AnswerQuestion("s", "q", "", "30")
    assert read("agent_execution_control", sessionId="s", action="pause") == Control("s", "pause")


def test_an_unknown_action_is_an_error() -> None:
    """WSP-15."""
    with pytest.raises(CommandError) as refused:
        read("agent_execution_control", sessionId="s", action="explode")
    assert refused.value.code is ErrorCode.ACTION_UNKNOWN


def test_files_are_decoded() -> None:
    """WSP-12: the frame's question is that of a file without one."""
    command = read("agent_user_attachment", attachments=[file()], questionId="q", questionText="Q")
    assert isinstance(command, Attach)
    assert command.files == (SentFile("att_1", "cv.pdf", "application/pdf", "paste", b"%PDF-1.7", "q", "Q"),)


@pytest.mark.parametrize(
    "changes",
    [
        *({"contentBase64": text} for text in ("JVBE\n", "JVBERi0xLjc", "", None)),
        *({"size": value} for value in (9, "8", True)),
        *({"name": text} for text in ("", "..", 3)),
    ],
)
def test_one_bad_file_refuses_the_frame(changes: dict[str, Any]) -> None:
    """WSP-13: Base64 is strict, and the declared size must be the actual one."""
    with pytest.raises(CommandError) as refused:
        read("agent_user_attachment", attachments=[file(), file(**changes)])
    assert refused.value.code is ErrorCode.ATTACHMENT_INVALID


def test_rejections_are_feedback_and_never_an_error() -> None:
    """WSP-14: the same one twice is one; what is malformed is skipped."""
    large = {"name": "large.mov", "reason": "size", "size": 10_500_000, "source": "upload", "questionId": "q"}
    odd = {"name": "unknown.bin", "reason": "type", "kind": "file", "source": "paste"}
    command = read("agent_user_attachment", rejected=[large, large, odd, None, {"name": "x", "reason": "colour"}])
    assert isinstance(command, Attach)
    assert [rejected.document() for rejected in command.rejected] == [large, odd]


def test_a_file_name_has_no_folder() -> None:
    command = read("agent_user_attachment", attachments=[file(name="..\\..\\etc/passwd\x00")])
    assert isinstance(command, Attach)
    assert command.files[0].name == "passwd"


def test_kinds_are_known_by_type_and_else_by_name() -> None:
    """WSP-13, as the page decides them."""
    named = {"a.png": "image", "a.csv": "sheet", "a.docx": "doc", "a.pdf": "pdf", "a.md": "text", "a.zip": "file"}
    assert {name: kind_of_file("", name) for name in named} == named
    assert kind_of_file("image/webp", "a.pdf") == "image"
    assert kind_of_file("video/mp4", "a.png") == "file"


def test_the_rules_of_a_question_come_before_those_of_the_prompt() -> None:
    """WSP-13, WSP-24, WSP-25."""
    prompt = {"attachmentPolicy": {"maxSizeMB": 2, "allowedKinds": ["image"]}}
    assert rules_of(None, None) == FileRules((), 4 * 1024 * 1024)
    assert rules_of(None, prompt) == FileRules(("image",), 2 * 1024 * 1024)
    assert rules_of({"acceptKinds": ["pdf"], "maxSizeMB": 0.5}, prompt) == FileRules(("pdf",), 1024 * 1024)


def test_no_secret_of_a_runtime_context_is_read() -> None:
    """WSP-40, C31: It is dropped at any depth."""
    arguments = {"mode": "ai", "apiKey": "sk-1", "model": "m", "wallets": [{"id": "w", "privateKey": "0x"}]}
    envelope = commands.read_envelope(json_text.dumps({"type": "x", "payload": {"runtimeContext": arguments}}))
    assert commands.runtime_context_of(envelope) == {"mode": "ai", "model": "m", "wallets": [{"id": "w"}]}


def test_a_large_runtime_context_keeps_its_ids() -> None:
    arguments = {"envIds": ["e"], "envs": [{"id": "e", "note": "x" * 4_000}]}
    envelope = commands.read_envelope(json_text.dumps({"type": "x", "payload": {"runtimeContext": arguments}}))
    assert commands.runtime_context_of(envelope) == {"envIds": ["e"]}
