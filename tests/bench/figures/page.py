"""`python -m tests.bench.figures.page` writes the tables of some pages again, from the model in `tests.bench.scale`.

A table stands between `<!-- table: NAME -->` and `<!-- end -->`; the text around them is written by hand.
"""

import math
import re
from collections.abc import Callable, Iterable, Sequence
from typing import Final

from tests.bench import scale
from tests.bench.figures import bill, user_day, watching
from tests.support.paths import ROOT

PAGES: Final = (ROOT / "docs/scale.md", ROOT / "docs/operations.md")
USERS: Final = (100, 10_000, 1_000_000)
SPREADS: Final = (1, 5, 15, 30)
VIEWERS: Final = (1, 1_000, 100_000)
OUTAGE_MINUTES: Final = 10
BURST: Final = 100_000
LATENCIES: Final = (0.1, 1, 10)
RAISED: Final = 5
"""How many times the defaults the limits of requests are in the second half of the table of an outage."""

TABLE: Final = re.compile(r"(?<=<!-- table: )(\w+)( -->\n)(.*?)(?=<!-- end -->)", re.DOTALL)


def main() -> None:
    for page in PAGES:
        page.write_text(written(page.read_text(encoding="utf-8")), encoding="utf-8")


def written(page: str) -> str:
    """The page with its tables as the model has them. Raises KeyError for one that the model does not have."""
    return TABLE.sub(lambda found: f"{found[1]}{found[2]}{TABLES[found[1]]()}", page)


def table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [heads, ["---"] + ["---:"] * (len(heads) - 1), *rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def _text(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    return table(heads, rows).replace("---:", "---")


def number(value: float, unit: str = "") -> str:
    """Round to two digits below 100, to three above."""
    digits = 0 if value == 0 else (1 if value < 100 else 2) - math.floor(math.log10(value))
    return f"{round(value, digits):,.{max(0, digits)}f} {unit}".strip()


def _habits() -> str:
    has = scale.HABITS
    rows = [
        ("runs, of 20 seconds, with one viewer each", f"{has.runs:g}"),
        ("streams that break off and are opened again", f"{has.resumed:.0%}"),
        ("other requests: history, jobs, signed URLs", f"{has.requests:g}"),
        ("sign-ins and renewals of tokens", f"{has.sign_ins:g}"),
        ("minutes with an open workspace; runs shown there", f"{has.workspace_minutes:g}; {has.workspace_runs:g}"),
        ("uploads; recordings; runs cancelled", f"{has.uploads:g}; {has.recordings:g}; {has.cancels:g}"),
        ("automation jobs that run", f"{has.jobs:g}, half of them at 09:00 in one time zone"),
        ("part of the day that is in its busiest hour", f"{has.peak_hour:.0%}"),
        ("users of a month", f"{has.monthly_users:g}"),
    ]
    return _text(("a daily user, on average", ""), rows)


def _load() -> str:
    rows: list[tuple[str, Callable[[float], float], str]] = [
        ("runs started", scale.runs_a_second, "/s"),
        ("executions of functions at once", scale.concurrency, ""),
        ("writes of the table", scale.table_writes, "units/s"),
        ("reads of the table", scale.table_reads, "units/s"),
        ("workspace pages open", scale.pages, ""),
        ("requests, frames and pushes", scale.requests, "/s"),
    ]
    heads = ("in the busiest hour", *(f"{users:,} users" for users in USERS))
    return table(heads, [(name, *(number(load(users), unit) for users in USERS)) for name, load, unit in rows])


def _limits() -> str:
    rows = [
        (
            limit.name,
            f"{limit.value:,.0f}{limit.unit}",
            number(limit.users),
            number(limit.load(USERS[-1])) + limit.unit,
            limit.raised,
        )
        for limit in scale.limits()
        if limit.users < 100 * USERS[-1]
    ]
    return _text(("limit", "default", "daily users that reach it", f"load of {USERS[-1]:,}", "what to do"), rows)


def _raise() -> str:
    rows = []
    for users in (*USERS, 300_000):
        found = scale.recommended(users)
        rows.append((users, "; ".join(f"{name} {value:,.0f}" for name, value in found) or "nothing"))
    return _text(("daily users", "with half left free"), [(f"{users:,}", what) for users, what in sorted(rows)])


def _jobs() -> str:
    rows = []
    for users in USERS[1:]:
        for minutes in SPREADS:
            load = scale.sharp(users, minutes)
            shown = "1 (no spread)" if minutes == 1 else str(minutes)
            loads = (number(load.starts, "/s"), number(load.executions), number(load.writes, "units/s"))
            rows.append((f"{users:,}", shown, *loads))
    return table(("daily users", "minutes", "runs started", "executions at once", "writes"), rows)


def _partitions() -> str:
    rows = [
        (
            partition.name,
            number(partition.writes),
            number(partition.reads),
            f"{partition.part:.0%}" if partition.part >= 0.01 else "under 1%",
        )
        for partition in scale.partitions().values()
    ]
    return table(("one partition", "writes a second, of 1,000", "reads a second, of 3,000", "used"), rows)


def _outage() -> str:
    heads = (
        f"after {OUTAGE_MINUTES} minutes, {USERS[-1]:,} users",
        "waiting",
        "let in",
        "all are back",
        "executions at once",
    )
    return _text(
        heads,
        (
            (
                item.name,
                number(item.waiting),
                f"{item.admitted:,.0f}/s" + ("" if factor == 1 else f" ({factor} × the default)"),
                "never: as many come anew" if math.isinf(item.seconds) else number(item.seconds, "s"),
                number(item.executions),
            )
            for factor in (1, RAISED)
            for item in scale.outage(USERS[-1], OUTAGE_MINUTES, factor)
        ),
    )


def _burst() -> str:
    def time(seconds: float) -> str:
        return number(seconds / 60, "min") if seconds < 2 * scale.HOUR else number(seconds / scale.HOUR, "h")

    heads = (f"{BURST:,} events at once", *(f"receivers answer in {latency:g} s" for latency in LATENCIES), "raised by")
    rows = [
        (
            consumer.name,
            *(f"{number(rate)}/s: {time(BURST / rate)}" for latency in LATENCIES if (rate := consumer.rate(latency))),
            consumer.raised,
        )
        for consumer in scale.consumers()
    ]
    return _text(heads, rows)


def _bill() -> str:
    bills = [bill.bill(users) for users in USERS]

    def row(name: str) -> Sequence[str]:
        return [name, *(f"{bill[name]:,.2f}" if bill[name] < 100 else f"{bill[name]:,.0f}" for bill in bills)]

    sums = [sum(bill.values()) for bill in bills]
    rows = [row(name) for name in bills[-1]]
    rows.append(["**all**", *(f"**{number:,.0f}**" for number in sums)])
    rows.append(["for a daily user", *(f"{number / users:.3f}" for number, users in zip(sums, USERS, strict=True))])
    return table(("USD a month", *(f"{users:,} users" for users in USERS)), rows)


def _watching() -> str:
    rows = [
        (
            way.name,
            f"${sum(bill.price(name, amount) for name, amount in way.used.items()):.4f}",
            *(f"{number(way.executions(viewers))}; {number(way.requests(viewers), '/s')}" for viewers in VIEWERS),
        )
        for way in watching.WAYS
    ]
    return table(("executions; requests", "a viewer's hour", *(f"{viewers:,} watch" for viewers in VIEWERS)), rows)


def _user_day() -> str:
    def cell(door: user_day.Door, amount: float) -> str:
        price = door.price(amount)
        return f"{_amount(amount, door.unit)}: ${price:,.{2 if price < 10 else 0}f}"

    return table(
        ("what one user can use in a day", "if only the route limited it", "with the limits of a user"),
        ((door.name, cell(door, door.by_route), cell(door, door.by_user)) for door in user_day.doors()),
    )


def _amount(value: float, unit: str) -> str:
    """Format bytes as GB."""
    return number(value / 1e9, "GB") if unit == "B" else number(value, unit)


def _sources() -> str:
    found: dict[str, tuple[str, list[str]]] = {}
    for name, quota in scale.QUOTAS.items():
        found.setdefault(quota["source"], (quota["url"], []))[1].append(f"{name}: {quota['value']:,}")
    return _text(("page", "figures"), [(f"[{page}]({url})", "; ".join(of)) for page, (url, of) in found.items()])


TABLES: Final[dict[str, Callable[[], str]]] = {
    "habits": _habits,
    "load": _load,
    "limits": _limits,
    "raise": _raise,
    "jobs": _jobs,
    "partitions": _partitions,
    "outage": _outage,
    "burst": _burst,
    "bill": _bill,
    "watching": _watching,
    "user_day": _user_day,
    "sources": _sources,
}

if __name__ == "__main__":
    main()
