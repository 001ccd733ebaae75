"""The trigger in a run's body, which only the host writes."""

from typing import Any

import pytest

from tests.support.run_bodies import body, parsed, refusal, without
from yarrow.protocol.problems import Code
from yarrow.protocol.run_input.trigger import Trigger

OPTION = Trigger("workspace.option", "webui", {"optionId": "a"})


def test_a_run_with_a_trigger_needs_no_message() -> None:
    """RNR-16, C45: The host's may lack one, a client's may not."""
    sent = body(messages=[], trigger=OPTION.as_member(), forwardedProps={"runtime_mode": "chat"})
    read = parsed(sent)
    assert (read.trigger, read.user_message, read.text) == (OPTION, None, "")
    assert refusal(without(sent, "trigger")).code is Code.AGENT_RUN_MESSAGES_INVALID


@pytest.mark.parametrize(
    "member",
    [
        "workspace.option",
        {"type": "workspace.option", "source": "webui"},
        {"type": "workspace option", "source": "webui", "data": {}},
        {"type": "", "source": "webui", "data": {}},
        {"type": "a.b.c.d.e", "source": "webui", "data": {}},
        {"type": "workspace.option", "source": "somebody", "data": {}},
        {"type": "workspace.option", "source": "webui", "data": []},
    ],
)
def test_a_malformed_trigger_is_refused(member: Any) -> None:
    """RNR-16."""
    assert refusal(body(trigger=member)).detail == "invalid RunAgentInput.trigger"


def test_the_files_of_a_trigger_are_its_attachments() -> None:
    """WSP-12, RNR-19."""
    file = {"artifactId": "art", "name": "plan.pdf", "mimeType": "application/pdf", "size": 3}
    assert Trigger("workspace.attachment", "webui", {"attachments": [file, "?"]}).files == [file]
    assert Trigger("workspace.attachment", "webui", {"attachments": None}).files == []
