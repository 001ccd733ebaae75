"""Branches of a session: which of its messages are the conversation as it stands, and which were superseded (C38).

Messages are only ever added. A branch begins where a client edits, regenerates or goes back: it goes on after some
message, and what came after that message before is on no path any more. The list is short and part of the session.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from yarrow.formats import json_text

MOST: Final = 100
_EVERY_TURN: Final = "~"
_DEAD: Final = -1


class Branch(NamedTuple):
    """`first` is the seq of its first message, be it there yet or not; `after` that of the message it goes on after,
    on the branch `base`. Of the turns at that message, those are kept that ended until `turns`.
    """

    first: int
    base: int
    after: int
    turns: str = ""


class Stretch(NamedTuple):
    """Messages of one branch that follow each other; maybe none. `turns` is as in `Branch`, for the last of them."""

    first: int
    last: int
    turns: str = _EVERY_TURN


_ROOT: Final = Branch(1, _DEAD, 0)


@dataclass(frozen=True, slots=True)
class Path:
    """A conversation from its first message on: stretches in ascending order, the first of each naming its branch."""

    stretches: tuple[Stretch, ...]

    @property
    def first(self) -> int:
        """The seq of its first message; 0 where it has none."""
        return min((each.first for each in self.stretches if each.first <= each.last), default=0)

    @property
    def last(self) -> int:
        """The seq of its last message; 0 where it has none."""
        return max((each.last for each in self.stretches if each.first <= each.last), default=0)

    @property
    def count(self) -> int:
        """How many messages it has."""
        return sum(each.last - each.first + 1 for each in self.stretches)

    def holds(self, seq: int) -> bool:
        """Whether a message is on it."""
        return any(each.first <= seq <= each.last for each in self.stretches)

    def place(self, branch: int, after: int, ended_at: str) -> int | None:
        """The seq of the message that a turn comes after, by its branch; None where the turn is not on the path."""
        before = 0
        for each in self.stretches:
            if each.first == branch:
                if after > each.last or (after == each.last and ended_at > each.turns):
                    return None
                return after if after >= each.first else before
            before = max(before, each.last) if each.first <= each.last else before
        return None


def path(branches: Sequence[Branch], last: int, branch: int | None = None) -> Path:
    """The path to the message `last` of a branch, which is the latest unless told."""
    by_first = {each.first: each for each in (_ROOT, *branches)}
    current = by_first[branch if branch is not None else max(by_first)]
    found = [Stretch(current.first, last)]
    while current.base in by_first and current.base < current.first:  # one that named itself would never end
        found.append(Stretch(current.base, current.after, current.turns))
        current = by_first[current.base]
    return Path(tuple(found[::-1]))


def branch_of(branches: Sequence[Branch], seq: int) -> int | None:
    """The branch that a message is on; None where the branch was forgotten."""
    found = max((each for each in (_ROOT, *branches) if each.first <= seq), default=_ROOT)
    return None if found.base == _DEAD and found != _ROOT else found.first


def added(branches: Sequence[Branch], new: Branch) -> tuple[Branch, ...] | None:
    """The branches with a new one. Beyond MOST, those that are not on its path are forgotten; None where all are."""
    every = (*branches, new)
    if len(every) <= MOST:
        return every
    live = {each.first for each in path(every, new.first).stretches}
    kept: list[Branch] = []
    for each in every:
        if each.first in live:
            kept.append(each)
        elif not kept or kept[-1].base != _DEAD:  # one stands for those that follow each other
            kept.append(Branch(each.first, _DEAD, 0))
    return tuple(kept) if len(kept) <= MOST else None


def to_text(branches: Sequence[Branch]) -> str:
    """What is stored of them."""
    return json_text.dumps(branches)


def from_text(text: str | None) -> tuple[Branch, ...]:
    """What was stored."""
    return () if text is None else tuple(Branch(*each) for each in json_text.loads(text.encode()))
