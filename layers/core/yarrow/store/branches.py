"""Branches of a session: which messages are current and which superseded (C38). Messages are append-only: an edit or
another answer continues after an earlier message.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from yarrow.formats import json_text

MAX_BRANCHES: Final = 100
_ALL_TURNS: Final = "~"
_DROPPED: Final = -1


class Branch(NamedTuple):
    """A branch from the seq `first`, stored yet or not, after the seq `after` of branch `base`. Turns of the base that
    ended by `turns` are on its path.
    """

    first: int
    base: int
    after: int
    turns: str = ""


class Segment(NamedTuple):
    """A range of messages, possibly empty. `turns` is as in `Branch`."""

    first: int
    last: int
    turns: str = _ALL_TURNS


_ROOT: Final = Branch(1, _DROPPED, 0)


@dataclass(frozen=True, slots=True)
class Path:
    """Segments in ascending order; the first seq of each names its branch."""

    segments: tuple[Segment, ...]

    @property
    def first(self) -> int:
        return min((segment.first for segment in self.segments if segment.first <= segment.last), default=0)

    @property
    def last(self) -> int:
        return max((segment.last for segment in self.segments if segment.first <= segment.last), default=0)

    @property
    def count(self) -> int:
        return sum(max(0, segment.last - segment.first + 1) for segment in self.segments)

    def holds(self, seq: int) -> bool:
        return any(segment.first <= seq <= segment.last for segment in self.segments)

    def at(self, index: int) -> int:
        """Return the seq at an index from 0. Raises IndexError."""
        for segment in self.segments:
            count = max(0, segment.last - segment.first + 1)
            if index < count:
                return segment.first + index
            index -= count
        raise IndexError(index)

    def before(self, seq: int) -> "Path":
        return Path(
            tuple(
                segment._replace(last=min(segment.last, seq - 1)) for segment in self.segments if segment.first < seq
            ),
        )

    def locate(self, branch: int, after: int, ended_at: str) -> int | None:
        """Return the seq that a turn follows; None if it is not on this path."""
        before = 0
        for segment in self.segments:
            if segment.first == branch:
                if after > segment.last or (after == segment.last and ended_at > segment.turns):
                    return None
                return after if after >= segment.first else before
            before = max(before, segment.last) if segment.first <= segment.last else before
        return None


def path(branches: Sequence[Branch], last: int, branch: int | None = None) -> Path:
    """Return the path to the message `last`, on the latest branch by default."""
    by_first = {known.first: known for known in (_ROOT, *branches)}
    current = by_first[branch if branch is not None else max(by_first)]
    found = [Segment(current.first, last)]
    while current.base in by_first and current.base < current.first:  # a branch based on itself would loop
        found.append(Segment(current.base, current.after, current.turns))
        current = by_first[current.base]
    return Path(tuple(found[::-1]))


def branch_of(branches: Sequence[Branch], seq: int) -> int | None:
    """Return a message's branch, None if it was dropped."""
    found = max((branch for branch in (_ROOT, *branches) if branch.first <= seq), default=_ROOT)
    return None if found.base == _DROPPED and found != _ROOT else found.first


def added(branches: Sequence[Branch], new: Branch) -> tuple[Branch, ...] | None:
    """Add a branch. Beyond MAX_BRANCHES, drops those off the new path; None if that is not enough."""
    every = (*branches, new)
    if len(every) <= MAX_BRANCHES:
        return every
    live = {branch.first for branch in path(every, new.first).segments}
    kept: list[Branch] = []
    for branch in every:
        if branch.first in live:
            kept.append(branch)
        elif not kept or kept[-1].base != _DROPPED:  # one for all adjacent ones
            kept.append(Branch(branch.first, _DROPPED, 0))
    return tuple(kept) if len(kept) <= MAX_BRANCHES else None


def to_text(branches: Sequence[Branch]) -> str:
    return json_text.dumps(branches)


def from_text(text: str | None) -> tuple[Branch, ...]:
    return () if text is None else tuple(Branch(*branch) for branch in json_text.loads(text.encode()))
