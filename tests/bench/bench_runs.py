"""Whole runs over HTTP, from the submit to the last event, beside Aegra and `langgraph dev`.

Every server runs an agent that streams so many deltas, and the same client reads them (`run_client`). Rounds go from
server to server, so that a busy moment of the machine falls on all. A graph can stream in two ways: `messages-tuple`
carries an answer's tokens, as our deltas do, and `custom` is the fastest there is. We store every delta before it is
sent; the peers store none.
"""

import time
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import partial
from itertools import chain
from statistics import median, quantiles

from tests.bench import servers
from tests.bench.row import Row
from tests.bench.run_client import AgentProtocol, Server, Watched, Yarrow, run, watch

WARM_UP = 2
ROUNDS = {2_000: 5, 20_000: 3}
"""How often a run of so many deltas is measured."""

RATE = 50
LIVE_SECONDS = 5
LIVE_ROUNDS = 2


@dataclass
class Entrant:
    """A server in one way of streaming, and what was seen of its runs; `live` where it streams an answer."""

    name: str
    server: Server
    live: bool
    fast: dict[int, list[Watched]] = field(default_factory=lambda: {deltas: [] for deltas in ROUNDS})
    delays: list[float] = field(default_factory=list)

    def per_second(self, deltas: int) -> float:
        """Deltas a second in a run of so many, from the submit to the end."""
        return deltas / median(seen.end for seen in self.fast[deltas])

    def first(self, moment: Callable[[Watched], float]) -> float:
        """Return the milliseconds from the submit to a moment of the shorter runs."""
        return median(moment(seen) for seen in self.fast[min(ROUNDS)]) * 1e3

    def delay(self, percent: int) -> float:
        """Milliseconds within which that share of the deltas came."""
        return quantiles(self.delays, n=100)[percent - 1] * 1e3


def measure() -> list[Row]:
    """Deltas a second, time to the first event and delta, and the delay of a delta when 50 a second are said."""
    with ExitStack() as running:
        ours = Entrant("", Yarrow(running.enter_context(servers.make_run())), live=True)
        rivals = _rivals(running)
        entrants = [ours, *(entrant for _, entrant in rivals if entrant is not None)]
        for _ in range(WARM_UP):
            for entrant in entrants:
                run(entrant.server, min(ROUNDS))
        for deltas, rounds in ROUNDS.items():
            for _ in range(rounds):
                for entrant in entrants:
                    entrant.fast[deltas].append(run(entrant.server, deltas))
        for _ in range(LIVE_ROUNDS):
            for entrant in entrants:
                if entrant.live:
                    entrant.delays += run(entrant.server, RATE * LIVE_SECONDS, RATE).delays
        deltas = max(ROUNDS)
        replay = watch(ours.server, ours.fast[deltas][0].path, deltas, time.monotonic()).end

    def beside(name: str, unit: str, figure: Callable[[Entrant], float], *, every_way: bool = False) -> list[Row]:
        return [
            Row(name, unit, figure(ours), reference, None if entrant is None else figure(entrant), unit == "1/s")
            for reference, entrant in rivals
            if entrant is None or entrant.live or every_way
        ]

    return [
        *chain.from_iterable(
            beside(f"deltas of a run of {deltas:,}", "1/s", partial(Entrant.per_second, deltas=deltas), every_way=True)
            for deltas in ROUNDS
        ),
        *beside("submit to first event", "ms", lambda entrant: entrant.first(lambda seen: seen.first_event)),
        *beside("submit to first delta", "ms", lambda entrant: entrant.first(lambda seen: seen.first_delta)),
        *beside(f"delay of a delta at {RATE} a second, p50", "ms", lambda entrant: entrant.delay(50)),
        *beside(f"delay of a delta at {RATE} a second, p95", "ms", lambda entrant: entrant.delay(95)),
        Row(f"deltas of a run of {max(ROUNDS):,}, replayed", "1/s", max(ROUNDS) / replay, ""),
    ]


def _rivals(running: ExitStack) -> list[tuple[str, Entrant | None]]:
    """What ours is measured beside; None instead of one that cannot run here, with the reason in its name."""
    peers = {
        f"Aegra {servers.version('aegra', 'aegra_api')}": servers.aegra,
        f"langgraph dev {servers.version('langgraph-dev', 'langgraph_api')}": servers.langgraph_dev,
    }
    rivals: list[tuple[str, Entrant | None]] = []
    for peer, start in peers.items():
        try:
            url = running.enter_context(start())
        except servers.NotHereError as error:
            rivals.append((f"{peer.strip()}: {error}", None))
            continue
        for mode, live in (("messages-tuple", True), ("custom", False)):
            name = f"{peer}, {mode}"
            rivals.append((name, Entrant(name, AgentProtocol(url, mode), live)))
    return rivals
