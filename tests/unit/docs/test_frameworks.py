"""The page on frameworks: what its table says is what tests show."""

import re
from collections.abc import Mapping

import pytest

from tests.support.frameworks.quick_starts import FEATURES, QUICK_STARTS
from tests.support.paths import ROOT

PAGE = (ROOT / "docs/frameworks.md").read_text("utf-8")
COLUMNS = ("pydantic_ai", "langgraph", "openai_agents", "strands")

PYDANTIC_AI, LANGGRAPH, OPENAI_AGENTS, STRANDS = (f"tests/e2e/adapters/test_{name}.py" for name in COLUMNS)
NESTED = "tests/unit/adapters/{}/test_durability.py::test_an_agent_that_is_a_tool_makes_steps_of_its_own"
PICTURES = "tests/unit/adapters/test_pictures_of_tools.py"
MADE_ONCE = "test_nothing_that_ended_is_made_again_whenever_the_worker_is_killed"
APPROVED = "test_an_approval_is_asked_of_the_user_and_the_run_goes_on_without_repeating"

OTHERS: Mapping[str, Mapping[str, str]] = {
    "calls of tools are made once": {
        "pydantic_ai": f"{PYDANTIC_AI}::{MADE_ONCE}",
        "langgraph": f"{LANGGRAPH}::test_no_node_that_ended_runs_again_whenever_the_worker_is_killed",
        "openai_agents": f"{OPENAI_AGENTS}::{MADE_ONCE}",
        "strands": f"{STRANDS}::{MADE_ONCE}",
    },
    "a question to the user is answered later": {
        "pydantic_ai": f"{PYDANTIC_AI}::{APPROVED}",
        "langgraph": f"{LANGGRAPH}::test_an_interrupt_asks_the_user_and_the_answer_goes_on",
        "openai_agents": f"{OPENAI_AGENTS}::{APPROVED}",
        "strands": f"{STRANDS}::{APPROVED}",
    },
    "pictures that its tools return are shown, and reach the model": dict.fromkeys(
        COLUMNS, f"{PICTURES}::test_a_picture_of_the_agents_own_tool"
    ),
    "pictures that the host's tools return reach the model": dict.fromkeys(
        ("pydantic_ai", "openai_agents", "strands"), f"{PICTURES}::test_a_picture_of_the_hosts_tool"
    ),
    "it may ask the deployment's models that its block lists": dict.fromkeys(
        COLUMNS, "tests/unit/adapters/test_models_permission.py::test_a_block_lists_the_models_that_an_agent_may_ask"
    ),
    "a nested agent is durable": {
        "openai_agents": NESTED.format("openai_agents"),
        "strands": NESTED.format("strands"),
    },
    "state is kept for the conversation's next run": {
        "langgraph": f"{LANGGRAPH}::test_the_next_run_of_a_conversation_has_the_graphs_state",
        "strands": f"{STRANDS}::test_the_next_run_of_a_conversation_has_the_agents_state",
    },
}
"""What is tested with other agents than the quick starts: the test of each framework."""


def table() -> dict[str, dict[str, bool]]:
    rows = PAGE.partition("| tested of each |")[2].partition("\n\n")[0].splitlines()[2:]
    cells = [[cell.strip() for cell in row.strip("|").split("|")] for row in rows]
    return {
        sentence: {name: "yes" in cell for name, cell in zip(COLUMNS, answers, strict=True)}
        for sentence, *answers in cells
    }


def test_the_table_says_what_is_tested() -> None:
    of_quick_starts = {
        sentence: {start.framework: feature not in start.lacks for start in QUICK_STARTS}
        for feature, sentence in FEATURES.items()
    }
    of_others = {sentence: {name: name in shown for name in COLUMNS} for sentence, shown in OTHERS.items()}
    assert table() == of_quick_starts | of_others


@pytest.mark.parametrize("test", [test for shown in OTHERS.values() for test in shown.values()])
def test_each_test_is_there(test: str) -> None:
    file, _, name = test.partition("::")
    assert re.search(rf"^def {name}\(", (ROOT / file).read_text("utf-8"), re.MULTILINE)


def test_the_lines_of_adapters_are_those_of_the_page() -> None:
    """To within a tenth."""
    told = next(line for line in PAGE.splitlines() if line.startswith("| lines of the adapter |"))
    for name, cell in zip(COLUMNS, told.strip("|").split("|")[1:], strict=True):
        files = (ROOT / "layers/core/yarrow/adapters" / name).glob("*.py")
        assert sum(len(file.read_text("utf-8").splitlines()) for file in files) == pytest.approx(int(cell), rel=0.1)
