"""What a page gets for runs that nothing disturbs."""

import json
from collections import Counter
from functools import partial

from tests.support.stack.app import SignIn
from tests.support.workspace.live import LivePage

RUNS = 30


def is_answered(page: LivePage, times: int) -> bool:
    return len(page.messages()) == 2 * times and not page.is_thinking()


def test_quiet_runs_send_one_snapshot_and_then_updates(sign_in: SignIn) -> None:
    """WSP-39: a snapshot is for what a page does not know."""
    app = sign_in("alice", locale="en", zoneinfo="Asia/Shanghai")
    with LivePage(app, "assistant").dial() as page:
        page.start()
        page.wait(lambda: page.state.sessions)
        session = page.state.active
        page.wait(lambda: any(frame["type"] == "agent_state_snapshot" for frame in page.frames))
        begun = len(page.frames)
        for number in range(1, RUNS + 1):
            page.say(f"What time is it, for the {number}. time?", session)
            page.wait(partial(is_answered, page, number))
        kinds = Counter(frame["type"] for frame in page.frames[begun:])
        # A run that took seconds was shown as thinking, which only a snapshot takes away.
        slow = json.dumps(page.frames[begun:]).count('"id": "thinking-')
        assert kinds["agent_state_snapshot"] <= slow, kinds
        # The question and the answer, which may come together.
        assert RUNS <= kinds["agent_conversation_update"] <= 2 * RUNS + slow
        assert page.faults == page.alerts == []
