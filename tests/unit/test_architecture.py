"""The arrows of the house: who may import whom, and what may not be imported at all."""

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
CORE = ROOT / "layers/core/yarrow"

MAY_IMPORT = {
    "protocol": {"protocol"},
    "divination": {"divination", "protocol"},
    "runners": {"runners", "divination", "protocol"},
    "store": {"store", "protocol", "settings"},
    "host": {"host", "store", "runners", "divination", "protocol", "settings"},
    "web": {"web", "store", "host", "protocol", "settings"},
}
AWS = {"aws_lambda_powertools", "boto3", "botocore", "mangum"}


def modules(folder: Path) -> Iterator[Path]:
    return folder.rglob("*.py")


def imported(path: Path) -> set[str]:
    """Every module a file imports, by its full name, wherever in the file it does so."""
    names = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: imports are absolute"
            names |= {node.module or ""} | {f"{node.module}.{alias.name}" for alias in node.names}
    return names


def rooms(names: set[str]) -> set[str]:
    return {name.split(".")[1] for name in names if name.startswith("yarrow.")}


@pytest.mark.parametrize("room", MAY_IMPORT)
def test_imports_run_one_way(room: str) -> None:
    for path in modules(CORE / room):
        assert rooms(imported(path)) <= MAY_IMPORT[room], path


def test_every_room_of_the_core_has_its_rule() -> None:
    assert {path.name for path in CORE.iterdir() if path.is_dir() and path.name != "__pycache__"} == set(MAY_IMPORT)


@pytest.mark.parametrize("room", ["protocol", "divination", "runners"])
def test_the_inner_rooms_know_nothing_of_aws(room: str) -> None:
    """CMP-10."""
    for path in modules(CORE / room):
        assert not {name.split(".")[0] for name in imported(path)} & AWS, path


def test_the_derivation_runs_where_no_aws_package_is() -> None:
    """CMP-10: nothing it imports brings one in."""
    code = "import sys, yarrow.divination, yarrow.protocol.run_input; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert not {name.split(".")[0] for name in loaded} & (AWS | {"starlette"})


def test_nothing_in_the_product_knows_that_it_may_be_local() -> None:
    for folder in (CORE, ROOT / "functions"):
        for path in modules(folder):
            assert not any(name.split(".")[0] in {"local", "moto", "tests", "tools"} for name in imported(path)), path


def test_only_the_settings_read_the_environment() -> None:
    allowed = {
        CORE / "settings.py",
        CORE / "web/lambda_runtime.py",
    }  # the runtime speaks to Lambda, not to a deployment
    for path in modules(CORE):
        if path not in allowed:
            assert "environ" not in path.read_text(encoding="utf-8"), path


def test_only_the_client_module_makes_clients() -> None:
    for path in modules(CORE):
        if path != CORE / "store/clients.py":
            assert "boto3" not in imported(path), path


def test_the_tracer_stays_out() -> None:
    """Importing it builds an X-Ray client, which doubles a cold start."""
    for path in modules(ROOT / "functions"):
        assert not any("Tracer" in name or "tracing" in name for name in imported(path)), path


def test_functions_are_thin() -> None:
    """Parse, call, render: what is longer belongs to the core."""
    for path in modules(ROOT / "functions"):
        assert len(path.read_text(encoding="utf-8").splitlines()) <= 50, path
