"""The hints for clients in a runner's messages: what is stored, and what is left out (UIS-04)."""

import json
import logging
from typing import Any, Final

import pytest

from tests.support.runners.work import DONE, completed, delta, work
from yarrow.packages import event_types
from yarrow.protocol.agui import snapshot
from yarrow.protocol.agui.events import Profile
from yarrow.protocol.ui_schema.compiler import ui_schema
from yarrow.protocol.ui_schema.event_lines import with_schema, without_hints
from yarrow.protocol.ui_schema.hints import MAX_BYTES, event_card
from yarrow.worker.results import ui_hints

CARD: Final = event_card("created", "站会", "2026-03-17 09:00")
HINTS: Final = {"cards": [CARD]}
IDS: Final = {"threadId": "thread", "runId": "run"}


def shown(output: dict[str, Any] | None) -> tuple[Any, str]:
    """The output that is stored, and the line of TEXT_MESSAGE_END."""
    data = {"message": {"role": "assistant", "content": "好"}, **({} if output is None else {"output": output})}
    done = work([delta("好"), ("message.completed", data), DONE])
    (line,) = (line for line in done.lines if line.startswith('{"type":"TEXT_MESSAGE_END"'))
    return done.answer.output, line


def test_valid_hints_are_stored_with_the_message() -> None:
    """UIS-04, HIS-13."""
    output, line = shown({"status": "success", "ui_hints": HINTS})
    assert output == {"status": "success", "ui_hints": HINTS}
    assert ui_schema(json.loads(line)) == ui_schema(output) is not None


@pytest.mark.parametrize(
    "wrong",
    [
        None,
        "card",
        {"cards": []},
        {"cards": [{"title": "t", "unknown": True}]},
        {"cards": [{"body": "b" * 4_000} for _ in range(8)], "theme": "x" * MAX_BYTES},
    ],
)
def test_other_hints_are_left_out_and_the_message_stays(wrong: Any, caplog: pytest.LogCaptureFixture) -> None:
    """UIS-04: the event is that of a message without."""
    with caplog.at_level(logging.WARNING):
        output, line = shown({"status": "success", "ui_hints": wrong})
    assert output == {"status": "success"}
    assert "ui_hints" not in line
    assert "malformed hints for clients" in caplog.text
    assert shown({"ui_hints": wrong})[0] is None


@pytest.mark.parametrize(
    ("value", "user", "stored"),
    [(None, "en-US", "en-US"), ("zh-TW", "en-US", "zh-TW"), (None, None, None), (None, "no locale!", None)],
)
def test_hints_are_in_the_users_locale(value: str | None, user: str | None, stored: str | None) -> None:
    """UIS-01: unless they name one; C37: the deployment's for a user without."""
    hints = HINTS if value is None else {**HINTS, "locale": value}
    output, valid = ui_hints.checked({"ui_hints": hints}, user)
    assert valid
    assert output is not None
    assert output["ui_hints"].get("locale") == stored
    schema = ui_schema(output, locale="zh-CN")
    assert schema is not None
    assert schema["locale"] == stored or (stored is None and schema["locale"] == "zh-CN")


def test_no_client_is_sent_hints() -> None:
    """EVT-26, UIS-04: without a schema asked for, every stream is that of a message without hints."""
    _, bare = shown(None)
    _, line = shown({"ui_hints": HINTS})
    bare_id, line_id = (json.loads(text)["messageId"] for text in (bare, line))
    bare = bare.replace(bare_id, line_id)
    assert without_hints(line) == bare
    profile = Profile({"thread_id": "thread", "run_id": "run"}, event_types.find)
    assert profile.line(line) == Profile({"thread_id": "thread", "run_id": "run"}, event_types.find).line(bare)
    finished = json.loads(profile.line('{"type":"RUN_FINISHED","threadId":"thread","runId":"run"}') or "")
    assert "result" not in finished
    (output,) = snapshot.messages_of(work([completed("好", {"ui_hints": HINTS}), DONE]).lines)
    assert "metadata" not in output


def test_beside_hints_the_output_stays() -> None:
    """DIV-33a: It stays as metadata, as members, and as the result."""
    output = {"status": "success", "answer": "好"}
    _, line = shown({**output, "ui_hints": HINTS})
    assert {**IDS, **output}.items() <= json.loads(without_hints(line)).items()
    sent = json.loads(Profile({"thread_id": "thread", "run_id": "run"}, event_types.find).line(line) or "")
    assert sent["metadata"] == output
    (document,) = snapshot.messages_of(work([completed("好", {**output, "ui_hints": HINTS}), DONE]).lines)
    assert document["metadata"] == output


def test_a_client_that_asks_gets_the_schema() -> None:
    """UIS-04: beside what the event has anyway; other events stay as they are."""
    _, line = shown({"status": "success", "ui_hints": HINTS})
    assert json.loads(with_schema(line, ui_schema)) == {
        **json.loads(without_hints(line)),
        "ui_schema": ui_schema({"ui_hints": HINTS}),
    }
    text = '{"type":"TEXT_MESSAGE_CONTENT","delta":"\\"ui_hints\\":"}'
    assert with_schema(text, ui_schema) == without_hints(text) == text
    framing = '"threadId":"t","runId":"r","messageId":"m"'
    other = f'{{"type":"TEXT_MESSAGE_END",{framing},"answer":"\\"ui_hints\\":"}}'
    assert json.loads(with_schema(other, ui_schema)) == json.loads(without_hints(other)) == json.loads(other)
