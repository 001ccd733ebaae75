"""The types of `clients/js`: those that the compiler makes of modules and description, with each client of AG-UI."""

import json
import shutil
from pathlib import Path

import pytest

from tests.clients.agui_clients import VERSIONS
from tools import make_js_types


@pytest.mark.parametrize("client", VERSIONS)
def test_they_are_what_the_compiler_makes(client: str, tmp_path: Path) -> None:
    if shutil.which("node") is None or not (make_js_types.PACKAGES / "typescript").is_dir():
        pytest.skip("needs Node 20 or newer, and: make agui-clients")
    made = make_js_types.make(tmp_path, client)
    assert [path.name for path in made] == ["api.d.ts", "yarrow-agent.d.ts", "yarrow.d.ts"]
    for path in made:
        kept = (make_js_types.MODULES / path.name).read_text(encoding="utf-8")
        assert kept == path.read_text(encoding="utf-8"), "python -m tools.make_js_types makes it again"


def test_a_package_has_what_its_entries_name() -> None:
    package = json.loads((make_js_types.MODULES / "package.json").read_text(encoding="utf-8"))
    named = {path.removeprefix("./") for entry in package["exports"].values() for path in entry.values()}
    there = {path.name for path in make_js_types.MODULES.iterdir()}
    assert named <= set(package["files"]) <= there
    assert there - {*package["files"], "package.json", "README.md"} == set()
