"""What clients saw: statuses, how long things took, events that were lost or came twice, what else was wrong."""

import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Final

import httpx

SHOWN: Final = 20
"""Of what was wrong, so many are printed."""
SERVER_ERROR: Final = 500
TOO_MANY: Final = 429


@dataclass
class Ledger:
    """`wrong` has whatever a client could not explain; of events, `lost` and `repeated` count."""

    statuses: Counter[tuple[str, int]] = field(default_factory=Counter)
    seconds: defaultdict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    turns: Counter[str] = field(default_factory=Counter)
    broken: int = 0
    """Streams that broke off, and went on."""
    lost: int = 0
    repeated: int = 0
    wrong: list[str] = field(default_factory=list)

    @contextmanager
    def timed(self, what: str) -> Iterator[None]:
        """Note how long it took, unless it failed."""
        start = time.perf_counter()
        yield
        self.seconds[what].append(time.perf_counter() - start)

    @contextmanager
    def breaking(self) -> Iterator[None]:
        """A stream, which may break off as a line does."""
        try:
            yield
        except (httpx.RemoteProtocolError, httpx.ReadError):
            self.broken += 1

    def check_dense(self, what: str, numbers: list[int]) -> None:
        """Events as one client saw them, over all its connections."""
        seen = set(numbers)
        self.repeated += len(numbers) - len(seen)
        if missing := set(range(1, max(seen, default=0) + 1)) - seen:
            self.lost += len(missing)
            self.wrong.append(f"{what}: without the events {sorted(missing)[:5]}")
        if len(numbers) != len(seen):
            self.wrong.append(f"{what}: {len(numbers) - len(seen)} events twice")
        if numbers != sorted(numbers):
            self.wrong.append(f"{what}: events out of order")

    @property
    def server_errors(self) -> int:
        """Answers of 500 and above."""
        return sum(count for (_, status), count in self.statuses.items() if status >= SERVER_ERROR)

    @property
    def refused(self) -> int:
        """Answers of 429."""
        return sum(count for (_, status), count in self.statuses.items() if status == TOO_MANY)

    @property
    def is_clean(self) -> bool:
        """Whether nothing went wrong."""
        return not (self.server_errors or self.lost or self.repeated or self.wrong)

    def report(self) -> str:
        lines = [f"{'':34}{'count':>8}{'p50':>9}{'p95':>9}{'p99':>9}{'most':>9}   ms"]
        for what, seconds in sorted(self.seconds.items()):
            lines.append(
                f"{what:34}{len(seconds):8}" + "".join(f"{1000 * quantile:9,.0f}" for quantile in quantiles(seconds))
            )
        turns = ", ".join(f"{name} {count}" for name, count in sorted(self.turns.items()))
        errors = Counter({key: count for key, count in self.statuses.items() if key[1] >= SERVER_ERROR})
        lines += [
            f"\nturns: {turns}",
            f"requests {self.statuses.total()}, 5xx {self.server_errors}, told to wait (429) {self.refused}",
            *(f"  {status} at {door}: {count}" for (door, status), count in errors.most_common()),
            f"streams that broke off and went on {self.broken}",
            f"events lost {self.lost}, repeated {self.repeated}, otherwise wrong {len(self.wrong)}",
            *(f"  {text}" for text in self.wrong[:SHOWN]),
        ]
        return "\n".join(lines)


def quantiles(seconds: list[float]) -> tuple[float, float, float, float]:
    """Return the median, p95, p99 and the most."""
    ordered = sorted(seconds)
    last = len(ordered) - 1
    return ordered[last // 2], ordered[round(0.95 * last)], ordered[round(0.99 * last)], ordered[last]
