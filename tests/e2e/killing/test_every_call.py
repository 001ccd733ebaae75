"""Agents whose workers die at calls of models, tools and the table do what they do once, and tell the same."""

import random
from collections.abc import Iterator

import pytest

from tests.proof.plans import points_of
from tests.proof.points import Plan
from tests.proof.prove import CASES, Case, Proof, proving


@pytest.fixture(scope="module")
def proof(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Proof]:
    with proving(tmp_path_factory.mktemp("site")) as proof:
        yield proof


@pytest.mark.parametrize("case", CASES, ids=lambda case: str(case.name))
def test_a_finished_call_is_made_once_and_the_run_is_told_as_if_nothing_had_happened(case: Case, proof: Proof) -> None:
    """STP-01, STP-02, STP-06: whether its worker dies before a call, in it, or before or after its result is stored.

    `make prove-steps` kills at all points of all agents.
    """
    chance = random.Random(case.name)
    undisturbed = proof.undisturbed(case)
    points = points_of(undisturbed)
    outer = [point for point in points if point.startswith(("model", "effect"))]
    stored = [point for point in points if "STEP" in point]
    plans = [
        Plan(chance.choice(outer)),
        Plan(chance.choice(stored), then=chance.randint(1, 12)),
        Plan(after=chance.uniform(0, undisturbed.seconds)),
    ]
    killed = 0
    for plan in plans:
        output = proof.run(case, plan)
        proof.check(case, output, undisturbed, plan)
        killed += output.killed
    assert killed >= 3
