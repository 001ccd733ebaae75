"""Which package may import which, and what none may import."""

import ast
import re
import subprocess
import sys
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import TypeGuard

import pytest

from tests.support.paths import ROOT

CORE = ROOT / "layers/core/yarrow"

PROTOCOL = {"protocol", "formats"}
MAY_IMPORT = {
    "formats": set(),
    "protocol": {"formats"},
    "observability": {"settings"},
    "outbound": set(),
    "packages": {"observability", *PROTOCOL},
    "runners": {"packages", *PROTOCOL},
    "store": {"settings", *PROTOCOL},
    "access": {"store", "settings", "observability", *PROTOCOL},
    "agents": {"packages", "runners", "store", "settings", "observability", *PROTOCOL},
    "mcp_oauth": {"outbound", "agents", "access", "store", "settings", "observability", *PROTOCOL},
    "services": {"outbound", "packages", "agents", "store", "settings", "observability", *PROTOCOL},
    "media": {"access", "store", "settings", "observability", *PROTOCOL},
    "runs": {"packages", "media", "services", "agents", "access", "store", "settings", "observability", *PROTOCOL},
    "notifications": {"outbound", "access", "store", "settings", "observability", *PROTOCOL},
    "webhooks": {"outbound", "access", "store", "settings", "observability", *PROTOCOL},
    "traces": {"outbound", "store", "settings", "observability", *PROTOCOL},
    "automation": {"runs", "agents", "access", "store", "settings", "observability", *PROTOCOL},
    "domain_events": {"automation", "runs", "store", "settings", "observability", *PROTOCOL},
    "workspace": {"runs", "media", "agents", "access", "store", "settings", "observability", *PROTOCOL},
    "worker": {
        *("packages", "runners", "runs", "automation", "media", "services", "mcp_oauth", "agents", "access"),
        *("store", "settings", "observability", *PROTOCOL),
    },
    "web": {"runs", "access", "store", "settings", "observability", *PROTOCOL},
    "mcp_server": {"web", "packages", "runs", "agents", "access", "store", "settings", "observability", *PROTOCOL},
    "routes": {
        *(
            "mcp_server",
            "web",
            "automation",
            "notifications",
            "webhooks",
            "mcp_oauth",
            "runs",
            "access",
            "store",
            "settings",
        ),
        *PROTOCOL,
    },
    "sdk": {"web", *PROTOCOL},
    "adapters": {"outbound", "settings", *PROTOCOL},
    "testing": {*PROTOCOL},
}
"""Each room, and those below it that it knows; of what is not named, it knows nothing."""
AWS = {"aws_lambda_powertools", "boto3", "botocore", "mangum"}


def modules(folder: Path) -> Iterator[Path]:
    return folder.rglob("*.py")


@cache
def imported(path: Path) -> frozenset[str]:
    """Every module a file imports, by its full name, wherever in the file it does so."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: imports are absolute"
            names |= {node.module or ""} | {f"{node.module}.{alias.name}" for alias in node.names}
    return frozenset(names)


def rooms(names: Iterable[str]) -> set[str]:
    return {name.split(".")[1] for name in names if name.startswith("yarrow.")}


@pytest.mark.parametrize("room", MAY_IMPORT)
def test_imports_run_one_way(room: str) -> None:
    for path in modules(CORE / room):
        assert rooms(imported(path)) <= {room, *MAY_IMPORT[room]}, path


def test_no_arrow_points_up() -> None:
    """A room knows only rooms that were named before it."""
    named = {"settings"}
    for room, known in MAY_IMPORT.items():
        assert known <= named, room
        named.add(room)


def circles(arrows: dict[str, set[str]]) -> set[str]:
    """The modules that come back to themselves, or lead only to such."""
    left = dict(arrows)
    while free := {name for name, known in left.items() if not known & set(left)}:
        left = {name: known for name, known in left.items() if name not in free}
    return set(left)


def test_no_modules_import_each_other() -> None:
    """What is imported for type checkers alone, or inside a function, counts as well."""
    paths = {".".join(path.relative_to(CORE.parent).with_suffix("").parts): path for path in modules(CORE.parent)}
    names = {name.removesuffix(".__init__"): path for name, path in paths.items()}
    arrows = {}
    for name, path in names.items():
        known = (imported(path) & set(names)) - {name}
        arrows[name] = {text for text in known if not any(other.startswith(f"{text}.") for other in known)}
    assert not circles(arrows)


def test_the_architecture_lists_the_packages_and_their_imports() -> None:
    """In the order of the arrows; what every package may import is said above the table."""
    text = (ROOT / "docs/architecture.md").read_text(encoding="utf-8")
    rows = dict(re.findall(r"^\| `(\w+)/` \|.*\| ([\w, ]*?) ?\|$", text, re.MULTILINE))
    omitted = {"formats", "protocol", "observability", "settings"}
    assert list(rows) == list(MAY_IMPORT)
    assert {room: set(filter(None, known.split(", "))) for room, known in rows.items()} == {
        room: known - omitted for room, known in MAY_IMPORT.items()
    }


def test_files_of_tests_share_nothing_but_their_support() -> None:
    """What two of them need is in `tests/support`, a fixture in a `conftest.py`."""
    tests = ROOT / "tests"
    for path in (*tests.rglob("test_*.py"), *tests.rglob("conftest.py"), *modules(tests / "support")):
        parts = {part for name in imported(path) if name.startswith("tests.") for part in name.split(".")}
        assert not any(part.startswith("test_") or part == "conftest" for part in parts), path


def test_every_room_says_what_it_is_for() -> None:
    for path in CORE.parent.rglob("__init__.py"):
        assert ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))), path


def test_every_room_of_the_core_has_its_rule() -> None:
    assert {path.parent.name for path in CORE.glob("*/__init__.py")} == set(MAY_IMPORT)


@pytest.mark.parametrize("room", ["yarrow/protocol", "liuyao", "yarrow/runners", "yarrow_agents"])
def test_the_inner_rooms_know_nothing_of_aws(room: str) -> None:
    """CMP-10."""
    for path in modules(CORE.parent / room):
        assert not {name.split(".")[0] for name in imported(path)} & AWS, path


def test_the_derivation_runs_where_no_aws_package_is() -> None:
    """CMP-10: nothing it imports brings one in."""
    code = "import sys, liuyao, yarrow.protocol.run_input.body; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert not {name.split(".")[0] for name in loaded} & (AWS | {"starlette"})


def test_nothing_in_the_product_knows_that_it_may_be_local() -> None:
    for folder in (CORE.parent, ROOT / "functions"):
        for path in modules(folder):
            assert not any(name.split(".")[0] in {"local", "moto", "tests", "tools"} for name in imported(path)), path


def test_only_the_settings_read_the_environment() -> None:
    allowed = {
        CORE / "settings.py",
        CORE / "web/lambda_runtime.py",
    }  # the runtime speaks to Lambda, not to a deployment
    for path in modules(CORE.parent):
        if path not in allowed:
            assert "environ" not in path.read_text(encoding="utf-8"), path


def test_only_the_client_module_makes_clients() -> None:
    for path in modules(CORE.parent):
        if path != CORE / "store/clients.py":
            assert "boto3" not in imported(path), path
            assert "create_client" not in path.read_text(encoding="utf-8"), path


def test_the_tracer_stays_out() -> None:
    """Importing it builds an X-Ray client, which doubles a cold start."""
    for path in modules(ROOT / "functions"):
        assert not any("Tracer" in name or "tracing" in name for name in imported(path)), path


def test_functions_are_thin() -> None:
    """Parse, call, render: what is longer belongs to the core. Their descriptions are data, and may be longer.

    Their garbage collection takes three lines of each.
    """
    for path in modules(ROOT / "functions"):
        if "openapi" in (path.stem, path.parent.name):
            continue
        assert len(path.read_text(encoding="utf-8").splitlines()) <= 53, path
    for path in modules(CORE / "routes"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                assert (node.end_lineno or 0) - node.lineno < 20, (path, node.name)


def test_no_function_imports_the_descriptions() -> None:
    """They are for `tools.make_openapi`, and import more than a cold start should."""
    for path in [*modules(CORE.parent), *modules(ROOT / "local"), *(ROOT / "functions").glob("*/app.py")]:
        assert not any(re.fullmatch(r"functions\.(\w+\.)?openapi(\.\w+)?", name) for name in imported(path)), path


# ---- The host runs agents and is none (RNR-83) -----------------------------------------------------------------------
HOST = ("access", "agents", "media", "runs", "services", "worker")
ANSWERING = (CORE / "worker/orchestrator.py", CORE / "worker/runner_loop.py", *(CORE / "worker/results").glob("*.py"))
"""The modules that make events of a runner's results."""
SERVICES = ("models", "tools", "knowledge")
"""What the host does for a runner that asks; each for itself."""
AGENT_FRAMEWORKS = {
    "agents",
    "autogen",
    "crewai",
    "langbot_plugin",
    "langchain",
    "langchain_core",
    "langgraph",
    "llama_index",
    "strands",
}
AN_AGENTS_BUSINESS = {"prompt", "prompts", "memory", "memories", "compact", "compaction", "summarise", "summarize"}
RUNNER_PROTOCOL = re.compile(
    r"yarrow\.protocol\.(runner(\.\w+)?|events(\.event_types)?|workspace(\.surface)?|ui_schema(\.(hints|words))?)(\.\w+)?"
)
"""What a runner is written against: the runner protocol, and the shapes of what it tells."""
INPUT_PROTOCOL = re.compile(r"yarrow\.protocol\.(run_input|problems|validation_errors)(\.\w+)*")
"""What the rules of an agent's input are written against."""


def host_modules() -> Iterator[Path]:
    for room in HOST:
        yield from modules(CORE / room)


def words_of(name: str) -> set[str]:
    """The words of a name, whether they are joined by underscores or capitals."""
    return set(re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower().split("_"))


def defined(path: Path) -> Iterator[str]:
    """The module and every class and function it defines."""
    yield path.stem
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            yield node.name


def composed_roles(path: Path) -> Iterator[str]:
    """Yield the roles of the messages a module composes: `role="…"` and `{"role": "…"}`."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        values: list[tuple[object, ast.expr]] = []
        if isinstance(node, ast.Call):
            values = [(keyword.arg, keyword.value) for keyword in node.keywords]
        elif isinstance(node, ast.Dict):
            keys = [key.value if isinstance(key, ast.Constant) else None for key in node.keys]
            values = list(zip(keys, node.values, strict=True))
        yield from (str(node.value) for name, node in values if name == "role" and isinstance(node, ast.Constant))


def test_the_host_assembles_no_prompt() -> None:
    """RNR-83: it tells no model who it is or what to do; what a runner composed it passes on."""
    for path in host_modules():
        assert not {"system", "developer"} & set(composed_roles(path)), path


OF_A_USER = {CORE / name for name in ("services/tools/memory.py", "runs/memories.py")}
"""What users had remembered is data of theirs, as a calendar is: a tool keeps it, and no run is given it unasked."""


def test_the_host_has_no_memory_and_compacts_nothing() -> None:
    """RNR-83: nothing in it is even called so."""
    assert all(path.is_file() for path in OF_A_USER)
    for path in set(host_modules()) - OF_A_USER:
        for name in defined(path):
            assert not words_of(name) & AN_AGENTS_BUSINESS, f"{path}: {name}"


def test_the_host_has_no_tool_loop() -> None:
    """RNR-83: what asks a model knows of no tool, what runs a tool of no model, and what tells a run of neither."""
    parts = {name: f"yarrow.services.{name}" for name in SERVICES}
    for service in SERVICES:
        others = tuple(name for other, name in parts.items() if other != service)
        for path in modules(CORE / "services" / service):
            assert not any(name.startswith(others) for name in imported(path)), path
    for path in ANSWERING:
        assert not any(name.startswith(tuple(parts.values())) for name in imported(path)), path


def test_the_host_is_built_on_no_agent_framework() -> None:
    """RNR-83: of pydantic_ai it has the models, not the agent."""
    for path in host_modules():
        names = imported(path)
        assert not {name.split(".")[0] for name in names} & AGENT_FRAMEWORKS, path
        assert not any(re.match(r"pydantic_ai\.(Agent|agent)\b", name) for name in names), path


def test_a_runner_knows_the_runner_protocol_and_nothing_of_the_host() -> None:
    """RNR-83, CMP-02: what is true of the runners here is true of anyone's."""
    for path in [*modules(CORE / "runners"), *modules(CORE.parent / "yarrow_agents")]:
        assert rooms(imported(path)) <= {"formats", "packages", "protocol", "runners"}, path
        for name in imported(path):
            if name.startswith("yarrow.") and rooms({name}) == {"protocol"}:
                of_input = path.name in ("input_rules.py", "input_schema.py", "input_discovery.py", "error_codes.py")
                assert (INPUT_PROTOCOL if of_input else RUNNER_PROTOCOL).fullmatch(name), f"{path}: {name}"


# ---- JSON is read and written, never edited as text ------------------------------------------------------------------
OF_JSON = (CORE / "protocol/events", CORE / "formats")
"""Where the text of an event, and JSON as such, may be looked into."""
QUOTES = {CORE / name for name in ("protocol/validation_errors.py", "web/console/page.py")}
"""These look for quotes in messages of pydantic's and in HTML."""
FRAGMENTS = {
    CORE / "protocol/runner/vocabulary.py": ['{"error":"the client gave no result"}'],
    CORE / "services/models/parameter.py": [
        'Models (MODELS) is not a JSON object, such as {"chat": "openai-chat:MODEL"}'
    ],
}
"""A whole result of a tool, and an example."""
EDITING = {
    *("endswith", "find", "index", "partition", "removeprefix", "removesuffix", "replace", "rfind", "rindex"),
    *("rpartition", "rsplit", "split", "startswith"),
}
FRAGMENT = re.compile(r'[{,]\s*"|"\s*:')
"""A member's name with what is before or after it in an object."""


def is_text(node: ast.AST) -> TypeGuard[ast.Constant]:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def looked_for(tree: ast.Module) -> Iterator[str]:
    """The constants that a module looks for in texts, or replaces in them."""
    for node in ast.walk(tree):
        values: list[ast.expr] = []
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in EDITING:
            values = node.args
        elif isinstance(node, ast.Compare) and any(isinstance(item, ast.In | ast.NotIn) for item in node.ops):
            values = [node.left]
        yield from (str(part.value) for value in values for part in ast.walk(value) if is_text(part))


def constants(tree: ast.Module) -> Iterator[str]:
    """Return the constants without docstrings."""
    documentation = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    yield from (str(node.value) for node in ast.walk(tree) if is_text(node) and id(node) not in documentation)


def test_json_is_edited_as_text_nowhere() -> None:
    """EVT-18: what an event is, is known where events are; elsewhere it is a struct, or a line that is passed on."""
    for path in modules(CORE):
        if any(folder in path.parents for folder in OF_JSON):
            continue
        tree = ast.parse(path.read_text(encoding="utf-8"))
        assert any('"' in text for text in looked_for(tree)) == (path in QUOTES), path
        assert [text for text in constants(tree) if FRAGMENT.search(text)] == FRAGMENTS.get(path, []), path


@pytest.mark.parametrize(
    "edits",
    [
        "line.split('\"', 4)[3]",
        'line.startswith(\'{"type":"CUSTOM"\')',
        "line.replace(f',\"threadId\":\"{thread}\"', '', 1)",
        "f'\"{name}\":' in line",
    ],
)
def test_the_ways_in_which_it_was_edited_are_seen(edits: str) -> None:
    assert any('"' in text for text in looked_for(ast.parse(edits)))
