"""Branches of a session: which messages are current and which superseded (C38).

Messages are append-only. When a client edits, regenerates or goes back, a branch continues after an earlier one.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from yarrow.formats import json_text

MAX_BRANCHES: Final = 100
_ALL_TURNS: Final = "~"
_DROPPED: Final = -1


class Branch(NamedTuple):
    """From the seq `first`, stored yet or not, it continues after the seq `after` of branch `base`. Turns there that
    ended until `turns` are on the path.
    """

    first: int
    base: int
    after: int
    turns: str = ""


class Segment(NamedTuple):
    """Possibly empty. `turns` is as in `Branch`, for the last message."""

    first: int
    last: int
    turns: str = _ALL_TURNS


_ROOT: Final = Branch(1, _DROPPED, 0)


@dataclass(frozen=True, slots=True)
class Path:
    """In ascending order; the first seq of each segment names its branch."""

    segments: tuple[Segment, ...]

    @property
    def first(self) -> int:
        """0 if empty."""
        return min((each.first for each in self.segments if each.first <= each.last), default=0)

    @property
    def last(self) -> int:
        """0 if empty."""
        return max((each.last for each in self.segments if each.first <= each.last), default=0)

    @property
    def count(self) -> int:
        """Of messages."""
        return sum(max(0, each.last - each.first + 1) for each in self.segments)

    def holds(self, seq: int) -> bool:
        return any(each.first <= seq <= each.last for each in self.segments)

    def at(self, index: int) -> int:
        """The seq of a message by its place, from 0. Raises IndexError."""
        for each in self.segments:
            count = max(0, each.last - each.first + 1)
            if index < count:
                return each.first + index
            index -= count
        raise IndexError(index)

    def before(self, seq: int) -> "Path":
        """Its messages below a seq."""
        return Path(
            tuple(each._replace(last=min(each.last, seq - 1)) for each in self.segments if each.first < seq),
        )

    def locate(self, branch: int, after: int, ended_at: str) -> int | None:
        """The seq that a turn follows on this path; None if not on it."""
        before = 0
        for each in self.segments:
            if each.first == branch:
                if after > each.last or (after == each.last and ended_at > each.turns):
                    return None
                return after if after >= each.first else before
            before = max(before, each.last) if each.first <= each.last else before
        return None


def path(branches: Sequence[Branch], last: int, branch: int | None = None) -> Path:
    """To the message `last` of a branch, by default the latest."""
    by_first = {each.first: each for each in (_ROOT, *branches)}
    current = by_first[branch if branch is not None else max(by_first)]
    found = [Segment(current.first, last)]
    while current.base in by_first and current.base < current.first:  # a branch based on itself would loop
        found.append(Segment(current.base, current.after, current.turns))
        current = by_first[current.base]
    return Path(tuple(found[::-1]))


def branch_of(branches: Sequence[Branch], seq: int) -> int | None:
    """None if the branch was dropped."""
    found = max((each for each in (_ROOT, *branches) if each.first <= seq), default=_ROOT)
    return None if found.base == _DROPPED and found != _ROOT else found.first


def added(branches: Sequence[Branch], new: Branch) -> tuple[Branch, ...] | None:
    """Beyond MAX_BRANCHES, drops those off the new path; None if that is not enough."""
    every = (*branches, new)
    if len(every) <= MAX_BRANCHES:
        return every
    live = {each.first for each in path(every, new.first).segments}
    kept: list[Branch] = []
    for each in every:
        if each.first in live:
            kept.append(each)
        elif not kept or kept[-1].base != _DROPPED:  # one for all adjacent ones
            kept.append(Branch(each.first, _DROPPED, 0))
    return tuple(kept) if len(kept) <= MAX_BRANCHES else None


def to_text(branches: Sequence[Branch]) -> str:
    return json_text.dumps(branches)


def from_text(text: str | None) -> tuple[Branch, ...]:
    return () if text is None else tuple(Branch(*each) for each in json_text.loads(text.encode()))
