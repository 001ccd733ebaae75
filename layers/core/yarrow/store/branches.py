"""Branches of a session: which messages are the current conversation and which are superseded (C38).

Messages are append-only. A branch starts where a client edits, regenerates or goes back: it continues after an earlier
message, and the messages that followed it leave the path. The list is stored in the session.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from yarrow.formats import json_text

MAX_BRANCHES: Final = 100
_ALL_TURNS: Final = "~"
_DROPPED: Final = -1


class Branch(NamedTuple):
    """`first` is the seq of its first message, stored yet or not; `after` is the seq it continues after, on branch
    `base`. Of the turns at `after`, those that ended until `turns` are on the path.
    """

    first: int
    base: int
    after: int
    turns: str = ""


class Segment(NamedTuple):
    """A range of seqs in one branch, possibly empty. `turns` is as in `Branch`, for its last message."""

    first: int
    last: int
    turns: str = _ALL_TURNS


_ROOT: Final = Branch(1, _DROPPED, 0)


@dataclass(frozen=True, slots=True)
class Path:
    """A conversation from its first message: segments in ascending order; the first seq of each names its branch."""

    segments: tuple[Segment, ...]

    @property
    def first(self) -> int:
        """The seq of its first message; 0 if it has none."""
        return min((each.first for each in self.segments if each.first <= each.last), default=0)

    @property
    def last(self) -> int:
        """The seq of its last message; 0 if it has none."""
        return max((each.last for each in self.segments if each.first <= each.last), default=0)

    @property
    def count(self) -> int:
        """The number of its messages."""
        return sum(each.last - each.first + 1 for each in self.segments)

    def holds(self, seq: int) -> bool:
        """Whether a message is on it."""
        return any(each.first <= seq <= each.last for each in self.segments)

    def locate(self, branch: int, after: int, ended_at: str) -> int | None:
        """The seq of the message that a turn follows on this path; None if the turn is not on it."""
        before = 0
        for each in self.segments:
            if each.first == branch:
                if after > each.last or (after == each.last and ended_at > each.turns):
                    return None
                return after if after >= each.first else before
            before = max(before, each.last) if each.first <= each.last else before
        return None


def path(branches: Sequence[Branch], last: int, branch: int | None = None) -> Path:
    """The path to the message `last` of a branch, by default the latest."""
    by_first = {each.first: each for each in (_ROOT, *branches)}
    current = by_first[branch if branch is not None else max(by_first)]
    found = [Segment(current.first, last)]
    while current.base in by_first and current.base < current.first:  # one that named itself would never end
        found.append(Segment(current.base, current.after, current.turns))
        current = by_first[current.base]
    return Path(tuple(found[::-1]))


def branch_of(branches: Sequence[Branch], seq: int) -> int | None:
    """The branch of a message; None if the branch was dropped."""
    found = max((each for each in (_ROOT, *branches) if each.first <= seq), default=_ROOT)
    return None if found.base == _DROPPED and found != _ROOT else found.first


def added(branches: Sequence[Branch], new: Branch) -> tuple[Branch, ...] | None:
    """The branches with a new one. Beyond MAX_BRANCHES, those not on its path are dropped; None if that is
    not enough.
    """
    every = (*branches, new)
    if len(every) <= MAX_BRANCHES:
        return every
    live = {each.first for each in path(every, new.first).segments}
    kept: list[Branch] = []
    for each in every:
        if each.first in live:
            kept.append(each)
        elif not kept or kept[-1].base != _DROPPED:  # one stands for those that follow each other
            kept.append(Branch(each.first, _DROPPED, 0))
    return tuple(kept) if len(kept) <= MAX_BRANCHES else None


def to_text(branches: Sequence[Branch]) -> str:
    """The stored form."""
    return json_text.dumps(branches)


def from_text(text: str | None) -> tuple[Branch, ...]:
    """Parse the stored form."""
    return () if text is None else tuple(Branch(*each) for each in json_text.loads(text.encode()))
