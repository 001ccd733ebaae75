"""Simulations of all scenarios, with faults of AWS at any call, break no rule."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from pathlib import Path

import pytest

from tests.simulation import mutations, scenarios
from tests.simulation.__main__ import deployment, quickly
from tests.simulation.aws import FAULTS
from tests.simulation.explore import explore
from tests.simulation.simulate import OFTEN, ORDER, SCENARIOS, scenario_of, simulate
from tests.simulation.world import RATES
from tests.support.effort import examples
from yarrow.store import clients, table
from yarrow.store.items.updates import Condition, Update

pytestmark = pytest.mark.usefixtures("deployed")
BLOCK = 20
"""Seeds of one test: a few seconds of a processor, so that the limit of a test's time holds on a busy machine, too."""
BLOCKS = examples(5)
"""A hundred seeds are more than a turn of scenarios and rates; `make simulate` takes any, the nightly job new ones."""


@pytest.fixture(scope="module")
def deployed() -> Iterator[None]:
    with deployment():
        yield


def test_every_scenario_is_told_with_every_rate_in_the_seeds_of_a_test_run() -> None:
    """A module of `scenarios/` is one by being there."""
    folder = Path(scenarios.__file__).parent
    modules = {path.stem for path in folder.glob("*.py")} - {"__init__"}
    turn = range(len(ORDER) * len(RATES))
    assert {(scenario_of(seed), seed % len(RATES)) for seed in turn} == set(product(modules, range(len(RATES))))
    assert len(turn) <= 5 * BLOCK
    assert OFTEN.keys() <= SCENARIOS.keys() == modules


@pytest.mark.parametrize("first", range(0, BLOCKS * BLOCK, BLOCK))
def test_no_simulation_breaks_a_rule(first: int) -> None:
    """EVT-05, EVT-08, EVT-27, RUN-10, SES-01, CAN-04: what they are is in `rules`."""
    with quickly():
        for seed in range(first, first + BLOCK):
            assert simulate(seed).problems == [], f"make simulate SEEDS={seed}"


@pytest.mark.parametrize("fault", FAULTS)
def test_each_kind_of_fault_strikes_and_breaks_no_rule(fault: str) -> None:
    """EVT-27: Each turn of the scenarios has a seed."""
    calls: Counter[tuple[str, str]] = Counter()
    with quickly():
        for seed in range(0, len(ORDER) * len(RATES), len(RATES)):
            report = simulate(seed, kinds=[fault], rate=0.1)
            assert report.problems == [], f"seed {seed}"
            calls += report.calls
    assert {kind for _, kind in calls} == {"none", fault}


def test_what_happened_is_on_the_bus_and_nothing_else() -> None:
    """EVB-01: under all faults, with functions that die between a transaction and its event, and after it was sent."""
    calls: Counter[tuple[str, str]] = Counter()
    with quickly():
        for seed in range(examples(40)):
            report = simulate(seed, rate=0.1, scenario="domain_events")
            assert report.problems == [], f"SCENARIO=domain_events make simulate SEEDS={seed}"
            calls += report.calls
    assert {"killed before", "killed after", "lost", "twice", "throttled"} <= {
        fault for operation, fault in calls if operation == "PutEvents"
    }


def test_slots_that_wait_for_an_answer_run_after_it() -> None:
    """AUT-03, ASK-01: under all faults, as schedules, timers and the stream let them go more than once."""
    with quickly():
        for seed in range(examples(40)):
            report = simulate(seed, scenario="waiting_jobs")
            assert report.problems == [], f"SCENARIO=waiting_jobs make simulate SEEDS={seed}"


def test_webhooks_get_what_they_were_promised() -> None:
    """EVB-04: from receivers that are dead for a day, slow or gone, as their operator changes, replays and removes."""
    calls: Counter[tuple[str, str]] = Counter()
    with quickly():
        for seed in range(examples(12)):
            report = simulate(seed, scenario="webhooks")
            assert report.problems == [], f"SCENARIO=webhooks make simulate SEEDS={seed}"
            calls += report.calls
    assert {"killed before", "killed after", "lost", "late"} <= {fault for kind, fault in calls if kind == "POST"}


def test_each_run_is_traced() -> None:
    """EVB-02: by an endpoint that is down for days, slow, or wrong about some."""
    with quickly():
        for seed in range(examples(12)):
            report = simulate(seed, scenario="traces")
            assert report.problems == [], f"SCENARIO=traces make simulate SEEDS={seed}"


def test_devices_are_told_once_and_of_nothing_that_is_over() -> None:
    """EVB-09: with push services that fail or do not know a browser any more, and runs that the user watches."""
    with quickly():
        for seed in range(examples(12)):
            report = simulate(seed, scenario="notifications")
            assert report.problems == [], f"SCENARIO=notifications make simulate SEEDS={seed}"


def test_a_write_that_is_made_twice_costs_no_worker() -> None:
    """EVT-27: botocore repeats a write whose answer is lost, and the repeat fails its condition."""
    with quickly():
        for seed in range(examples(20)):
            report = simulate(seed, kinds=["twice"], rate=0.3, scenario="conversation")
            assert (report.problems, report.works) == ([], 1), f"seed {seed}"


def test_what_comes_late_finds_what_the_others_left() -> None:
    """ATT-03, ASR-01: a call that is on its way while others finish an upload or a recording."""
    with quickly():
        for seed in range(examples(20)):
            report = simulate(seed, kinds=["late"], rate=0.3, scenario="media")
            assert report.problems == [], f"seed {seed}"


def _with_stale_reads(seeds: int) -> list[str]:
    """What goes wrong where every third read that may be stale is."""
    with quickly():
        reports = [
            simulate(seed, kinds=["stale"], rate=0.3, scenario=scenario)
            for scenario in ("jobs", "media", "remote_runners", "steps")
            for seed in range(seeds)
        ]
    return [problem for report in reports for problem in report.problems]


def test_no_read_that_may_be_stale_breaks_a_rule() -> None:
    """EVT-27: `test_consistency` says which these are."""
    assert _with_stale_reads(examples(8)) == []


def test_simulations_show_that_items_are_to_be_read_consistently(monkeypatch: pytest.MonkeyPatch) -> None:
    client = clients.dynamodb()
    read = client.get_item
    monkeypatch.setattr(client, "get_item", lambda **parameters: read(**{**parameters, "ConsistentRead": False}))
    assert _with_stale_reads(8)


def test_no_order_of_one_run_breaks_a_rule() -> None:
    """RUN-10, EVT-08, CAN-04: two workers, a cancel, a deletion and a viewer; `explore` says how far."""
    with quickly():
        found = explore(1, 1, examples(300))
    assert found.problems == []
    assert len(found.states) > found.orders > 100


def test_an_order_shows_that_an_append_needs_its_condition(monkeypatch: pytest.MonkeyPatch) -> None:
    put_alone = table.put_alone
    monkeypatch.setattr(table, "put_alone", lambda item, *_: put_alone(item))
    with quickly():
        assert explore(1, 0).problems


def test_the_workspace_shows_a_delivery_that_nobody_looked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """WSP-21: what came while another function held the lease, when that one does not look again."""
    update = table.update_returning

    def forgetful(key: table.Item, changes: Update, condition: Condition) -> table.Item | None:
        pairs = zip((None, *condition.form), condition.form, strict=False)
        form = [" >= " if last == "wakes" else part for last, part in pairs]
        return update(key, changes, replace(condition, form=tuple(form)))

    monkeypatch.setattr(table, "update_returning", forgetful)
    assert any(simulate(seed, scenario="workspace").problems for seed in range(100))


def test_each_mutation_that_is_named_changes_a_line_that_is_there() -> None:
    """It is a program that means something else; its file is of one scenario, or all are simulated for it."""
    for change in mutations.named():
        before = mutations._meaning("\n".join(mutations._lines(change.file)))
        assert mutations._meaning(change.text()) not in (None, before), str(change)
    assert set(mutations.SCENARIO.values()) <= SCENARIOS.keys()
    assert all((mutations.CORE / "yarrow" / file).is_file() for file in mutations.FILES)


def test_a_seed_is_the_same_simulation_each_time() -> None:
    with quickly():
        for seed in (2, 3, 7):
            assert simulate(seed).history == simulate(seed).history != simulate(seed + 4).history
