"""The console's conversation, in Node: where a message stands that its user adds to a run that goes on."""

import json
import shutil
import subprocess
from typing import Any

import pytest

from tests.support.paths import ROOT

_SCRIPT = """
import { EMPTY, told, withAdded, withoutAdded } from "./console/talk/conversation.js";
const { steps, history } = JSON.parse(process.argv[1]);
const idsOf = (messages) => messages.map(({ id }) => id);
const apply = (conversation, { add, refuse, ...event }) => {
  if (add) return withAdded(conversation, { id: add, role: "user", content: add });
  return refuse ? withoutAdded(conversation, refuse) : told(conversation, event, history);
};
const { messages, added, unread } = steps.reduce(apply, EMPTY);
console.log(JSON.stringify({ messages: idsOf(messages), added: idsOf(added), unread }));
"""

STARTED = {"type": "RUN_STARTED"}
FINISHED = {"type": "RUN_FINISHED"}
CANCELED = {"type": "RUN_ERROR", "code": "RUN_CANCELED"}


def said(*names: str) -> dict[str, Any]:
    messages = [{"id": name, "role": "assistant", "content": name} for name in names]
    return {"type": "MESSAGES_SNAPSHOT", "messages": messages}


def taken(name: str) -> dict[str, Any]:
    return {"type": "CUSTOM", "name": "yarrow.message-taken", "value": {"id": name, "content": name}}


def unread(*names: str) -> dict[str, Any]:
    return {"type": "CUSTOM", "name": "yarrow.messages-unread", "value": {"ids": names}}


def begun(name: str) -> dict[str, Any]:
    return {"type": "TEXT_MESSAGE_START", "messageId": name}


def after(*steps: dict[str, Any], history: tuple[str, ...] = ()) -> list[list[str]]:
    """The ids of messages that stand, that wait, and that were not read, after these events; skips without Node."""
    if shutil.which("node") is None:
        pytest.skip("needs Node 20 or newer")
    messages = [{"id": name, "role": "user", "content": name} for name in history]
    task = json.dumps({"steps": steps, "history": messages})
    command = ["node", "--input-type=module", "-e", _SCRIPT, task]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=60, check=True)
    return list(json.loads(done.stdout).values())


@pytest.mark.parametrize(
    ("steps", "found"),
    [
        ([begun("a"), {"add": "u"}, begun("b")], [["a", "b"], ["u"], []]),
        ([begun("a"), {"add": "u"}, begun("b"), taken("u"), begun("c")], [["a", "b", "u", "c"], [], []]),
        ([begun("a"), taken("u"), taken("u")], [["a", "u"], [], []]),  # another device's
        ([{"add": "u"}, {"add": "v"}, said("a", "u")], [["a", "u"], ["v"], []]),
        ([{"add": "u"}, {"refuse": "u"}], [[], [], []]),
        ([begun("a"), {"add": "u"}, {"add": "v"}, taken("u"), unread("v"), FINISHED], [["a", "u", "v"], [], ["v"]]),
        ([begun("a"), {"add": "u"}, CANCELED], [["a", "u"], [], ["u"]]),
        ([begun("a"), {"add": "u"}, FINISHED, {"refuse": "u"}], [["a"], [], []]),
    ],
)
def test_a_message_waits_after_the_others_until_it_is_taken_left_or_refused(
    steps: list[dict[str, Any]], found: list[list[str]]
) -> None:
    """RNR-87: it stands where the history will have it."""
    assert after(STARTED, *steps) == found


def test_a_run_that_is_seen_again_tells_again_what_it_left() -> None:
    """RNR-87: from a snapshot without these messages, or from a history that has them."""
    ended = [STARTED, begun("a"), {"add": "u"}, unread("u"), FINISHED]
    assert after(*ended, STARTED, said("a"), unread("u"), FINISHED) == [["a", "u"], [], ["u"]]
    assert after(STARTED, said("a"), unread("u"), FINISHED, history=("u",)) == [["a", "u"], [], ["u"]]
    assert after(STARTED, said("a", "u"), unread("u"), FINISHED, history=("u",)) == [["a", "u"], [], ["u"]]
