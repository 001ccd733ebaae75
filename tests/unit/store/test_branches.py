"""Paths of a session's branches, against a tree of messages that is kept beside them."""

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support.effort import examples
from yarrow.store import branches
from yarrow.store.branches import Branch, Path

Steps = list[tuple[int, int]]


def grown(steps: Steps) -> tuple[list[list[int]], tuple[Branch, ...], list[int]]:
    """After some steps, the conversations that there were, newest last, the branches, and what each step kept.

    A step goes back to any message there is, or none, and then adds so many.
    """
    known: tuple[Branch, ...] = ()
    ancestors: dict[int, list[int]] = {0: []}
    count = head = 0
    conversations = []
    for back, more in steps:
        keep = back % (count + 1)
        if keep != head:
            new = Branch(count + 1, branches.branch_of(known, keep) or 1, keep)
            known = (*known, new)
            head = keep
        for _ in range(more):
            count += 1
            ancestors[count] = [*ancestors[head], count]
            head = count
        conversations.append(ancestors[head])
    return conversations, known, [count]


@given(st.lists(st.tuples(st.integers(0, 50), st.integers(1, 3)), min_size=1, max_size=12))
@settings(max_examples=examples(150), deadline=None)
def test_a_path_is_the_message_and_those_it_follows(steps: Steps) -> None:
    """C38: whatever was branched from wherever, superseded branches included."""
    conversations, known, (count,) = grown(steps)
    path = branches.path(branches.from_text(branches.to_text(known)), count)
    assert [seq for seq in range(count + 1) if path.holds(seq)] == conversations[-1]
    assert (path.count, path.last) == (len(conversations[-1]), conversations[-1][-1])


def test_a_branch_without_messages_ends_where_it_leaves() -> None:
    """C38: a regenerated answer that is not there yet."""
    path = branches.path((Branch(5, 1, 1),), 4)
    assert ([seq for seq in range(9) if path.holds(seq)], path.last, path.count) == ([1], 1, 1)
    assert branches.path((Branch(5, 1, 0),), 4) == Path((branches.Segment(1, 0, ""), branches.Segment(5, 4)))


def test_turns_are_kept_up_to_the_one_that_was_named() -> None:
    """C38: Of several after the same message, those of the new branch come after them."""
    path = branches.path((Branch(3, 1, 1, "2026-01-02"),), 3)
    assert path.locate(1, 1, "2026-01-01") == 1
    assert path.locate(1, 1, "2026-01-03") is None
    assert path.locate(1, 2, "2026-01-01") is None
    assert path.locate(3, 2, "2026-01-04") == 1
    assert path.locate(3, 3, "2026-01-05") == 3


def test_a_branch_that_names_itself_ends_the_path() -> None:
    """C38: no list that was stored keeps a function busy for ever."""
    assert branches.path((Branch(5, 5, 2),), 6) == Path((branches.Segment(5, 6),))


@given(st.lists(st.integers(0, 10**6), min_size=200, max_size=200))
@settings(max_examples=examples(10), deadline=None)
def test_dead_branches_are_forgotten_first(backs: list[int]) -> None:
    """C38: the list is bounded, and the conversation never changes for it; only one that cannot be kept is refused."""
    known: tuple[Branch, ...] = ()
    for count, back in enumerate(backs, 2):
        keep = back % count
        base = branches.branch_of(known, keep) if keep else 1
        if base is None:
            continue
        new = Branch(count, base, keep)
        kept = branches.added(known, new)
        if kept is None:
            assert len(branches.path((*known, new), count).segments) > branches.MAX_BRANCHES // 3
            return
        assert len(kept) <= branches.MAX_BRANCHES
        assert branches.path(kept, count) == branches.path((*known, new), count)
        known = kept
