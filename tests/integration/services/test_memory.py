"""The assistant's memory of a user: bounded, found again, forgotten, and never told to anyone else."""

import asyncio
import json
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from local.stack import Stack
from tests.support.effort import examples
from tests.support.functions.deployment import configured
from tests.support.log_lines import LogLines
from tests.support.memory_aws.aws import MemoryAws
from tests.support.runners.chat import Chat
from yarrow.protocol.problems import Code, Problem
from yarrow.protocol.response_body import to_json
from yarrow.protocol.runner.api import AgentAPIException
from yarrow.protocol.runner.tools import TimeZones, ToolContext
from yarrow.runs.memories import delete_memory, list_memories
from yarrow.services.tools.builtin import TOOLS
from yarrow.store import clock, memories, table


@pytest.fixture(autouse=True)
def memory(stack: Stack) -> Iterator[MemoryAws]:
    aws = MemoryAws()
    with configured(stack, RUNS_PER_MINUTE="0"), aws.installed():
        yield aws


def call(name: str, user: str = "alice", key: str | None = None, **members: Any) -> Any:
    context = ToolContext(user, f"thread-of-{user}", "run-key", TimeZones(), key=key)
    return asyncio.run(TOOLS.call(name, members, context))


def search(query: str = "", user: str = "alice", limit: int = 20) -> list[str]:
    return [item["text"] for item in call("memory_search", user, query=query, limit=limit)]


def counted(user: str = "alice") -> int:
    head = table.get({"pk": memories.partition(user), "sk": "MEMORIES"})
    return 0 if head is None else int(head["memory_count"])


def test_a_step_that_is_made_again_is_told_what_it_was_told() -> None:
    """STP-02: that it saved or forgot the memory; another step is told that it is there, or is not."""
    saved = [call("memory_save", key=key, text="我喜歡爬山") for key in ("first", "first", "second")]
    assert [item["already_there"] for item in saved] == [False, False, True]
    assert len({item["saved_at"] for item in saved}) == 1
    assert counted() == 1
    memory = saved[0]["memory_id"]
    forgotten = [call("memory_forget", key=key, memory_id=memory) for key in ("third", "third", "fourth")]
    assert [item["already_gone"] for item in forgotten] == [False, False, True]
    assert counted() == 0


def test_a_step_that_forgets_does_not_forget_what_was_saved_again_meanwhile() -> None:
    """STP-02: made again, it has no second effect."""
    memory = call("memory_save", text="我喜歡爬山")["memory_id"]
    call("memory_forget", key="first", memory_id=memory)
    call("memory_save", text="我喜歡爬山")
    assert call("memory_forget", key="first", memory_id=memory)["already_gone"] is False
    assert search() == ["我喜歡爬山"]


def test_what_is_saved_is_found_in_a_later_conversation() -> None:
    """Chinese is matched by characters, other languages by words in any case."""
    for text in ("我对花生过敏", "My sister Ana lives in Lisbon", "我喜歡爬山"):
        assert call("memory_save", text=text)["already_there"] is False
    assert search("花生") == ["我对花生过敏"]
    assert search("where does ANA live?") == ["My sister Ana lives in Lisbon"]
    assert search("爬山") == ["我喜歡爬山"]
    assert search("quantum") == []
    assert len(search()) == 3
    assert len(search(limit=2)) == 2


def test_the_same_text_is_saved_once() -> None:
    """CMP-11: however it is spaced; a run that is worked on again saves nothing anew."""
    first = call("memory_save", text="Likes  green tea")
    again = call("memory_save", text=" likes green TEA ")
    assert again == {**first, "already_there": True}
    assert (search(), counted()) == (["Likes  green tea"], 1)


def test_what_is_forgotten_is_gone() -> None:
    """And to forget it again is no error."""
    saved = call("memory_save", text="我住在杭州")["memory_id"]
    assert call("memory_forget", memory_id=saved)["already_gone"] is False
    assert call("memory_forget", memory_id=saved)["already_gone"] is True
    assert (search("杭州"), counted()) == ([], 0)
    with pytest.raises(AgentAPIException, match="invalid_argument"):
        call("memory_forget", memory_id="我住在杭州")


@pytest.mark.parametrize("text", ["", "  ", "x" * (memories.CHARACTERS + 1)])
def test_a_text_has_a_size(text: str) -> None:
    """RNR-53."""
    with pytest.raises(AgentAPIException, match="invalid_argument"):
        call("memory_save", text=text)
    call("memory_save", text="x" * memories.CHARACTERS)


def test_there_are_so_many_and_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also of those that are saved at once; what is there already needs no room."""
    monkeypatch.setattr(memories, "MAX_MEMORIES", 2)
    call("memory_save", text="one")
    transact, between = table.transact, iter([None])

    def first_the_other(*items: Any) -> None:
        if next(between, 0) is None:
            call("memory_save", text="two")
        transact(*items)

    monkeypatch.setattr(table, "transact", first_the_other)
    with pytest.raises(AgentAPIException) as refused:
        call("memory_save", text="three")
    assert refused.value.error.code == "payload_too_large"
    assert sorted(search()) == ["one", "two"]
    assert call("memory_save", text="ONE")["already_there"] is True
    call("memory_forget", memory_id=memories.id_of("alice", "one"))
    assert call("memory_save", text="three")["already_there"] is False
    assert counted() == 2


def test_no_log_has_what_is_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    """SEC-05: of a run that saves, finds and forgets it, or is refused to."""
    secret, chat = "花生过敏", Chat()
    monkeypatch.setattr(memories, "MAX_MEMORIES", 1)
    with LogLines.captured() as log:
        chat.ask(f'/call memory_save {{"text": "我对{secret}"}}')
        for call in (
            f'memory_search {{"query": "{secret}"}}',
            f'memory_save {{"text": "{secret}", "more": "{secret}"}}',
            f'memory_save {{"text": "也是{secret}"}}',
            f'memory_forget {{"memory_id": "{secret}"}}',
            f'memory_forget {{"memory_id": "{memories.id_of("alice", f"我对{secret}")}"}}',
        ):
            assert chat.ask(f"/call {call}")[-1]["type"] == "RUN_FINISHED"
    assert [line for line in log.records if line["message"] == "runner action"]
    assert secret not in log.text


# ---- Over HTTP


def test_pages_hold_each_memory_once_though_some_are_deleted_meanwhile(monkeypatch: pytest.MonkeyPatch) -> None:
    """The latest first; the place of a page is a moment, not a memory."""
    for number in range(5):
        monkeypatch.setattr(clock, "now_iso", lambda number=number: f"2026-04-03T12:00:0{number // 2}.000+00:00")
        call("memory_save", text=f"m{number}")
    everything = [memory.text for memory in list_memories("alice").memories]
    assert everything[0] == "m4"
    first = list_memories("alice", "2")
    delete_memory("alice", first.memories[-1].id)
    second = list_memories("alice", "2", first.next)
    third = list_memories("alice", "2", second.next)
    texts = [memory.text for page in (first, second, third) for memory in page.memories]
    assert (texts, third.next) == (everything, None)
    assert json.loads(to_json(first))["memories"][0].keys() == {"id", "text", "createdAt"}


@pytest.mark.parametrize("query", [("0",), ("101",), ("x",), ("1.0",), (None, ""), (None, "2026~" + "0" * 32)])
def test_a_page_is_asked_for_as_described(query: tuple[str | None, ...]) -> None:
    """ERR-11."""
    with pytest.raises(Problem) as refused:
        list_memories("alice", *query)
    assert refused.value.code is Code.AGENT_MEMORY_QUERY_INVALID


def test_a_user_deletes_their_own() -> None:
    """SES-02 as of sessions: again, and what never was, is no error."""
    saved = call("memory_save", text="one")["memory_id"]
    delete_memory("bob", saved)
    assert search() == ["one"]
    delete_memory("alice", saved)
    delete_memory("alice", saved)
    assert (search(), counted(), counted("bob")) == ([], 0, 0)
    with pytest.raises(Problem) as refused:
        delete_memory("alice", "one")
    assert refused.value.code is Code.AGENT_MEMORY_ID_INVALID


# ---- Of one user alone

USERS = ("alice", "bob", "alice#bob", "MEMORY#alice")
WORDS = ("tea 茶", "secret 秘密", "tea secret", "MEMORY")
STEPS = st.lists(
    st.tuples(
        st.sampled_from(["save", "search", "latest", "forget", "list", "delete"]),
        st.sampled_from(USERS),
        st.sampled_from(WORDS),
        st.sampled_from(USERS),
    ),
    max_size=25,
)


@settings(max_examples=examples(30), deadline=None)
@given(STEPS)
def test_what_one_user_saved_no_other_is_ever_told(steps: list[tuple[str, str, str, str]]) -> None:
    """SEC-03: whatever they save, search, list, and whoever's ids they name; nor is it lost by what others do."""
    with MemoryAws().installed():
        own: dict[str, set[str]] = {user: set() for user in USERS}
        for step, user, word, other in steps:
            text = f"{word} of {user}"
            named = memories.id_of(other, f"{word} of {other}")
            match step:
                case "save":
                    assert call("memory_save", user, text=text)["text"] == text
                    own[user].add(text)
                case "search":
                    assert set(search(word, user)) <= own[user]
                case "latest":
                    assert set(search("", user)) == own[user]
                case "list":
                    assert {memory.text for memory in list_memories(user).memories} == own[user]
                case "forget":
                    call("memory_forget", user, memory_id=named)
                case "delete":
                    delete_memory(user, named)
            if step in ("forget", "delete") and other == user:
                own[user].discard(text)
        for user in USERS:
            assert set(search("", user)) == own[user]
            assert counted(user) == len(own[user])
