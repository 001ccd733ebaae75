"""The package of `clients/js` in an application that is written in TypeScript, by the tools that such applications use.

The application has another copy of RxJS than `@ag-ui/client`, as package managers install it.
"""

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any, Final

import pytest

from tests.clients.agui_clients import VERSIONS
from tools import make_js_types

PACKAGES: Final = make_js_types.PACKAGES
SOURCES: Final = make_js_types.ROOT / "tests/clients/typescript_project"
STRICT: Final[dict[str, Any]] = {
    "exactOptionalPropertyTypes": True,
    "lib": ["es2023", "dom", "dom.iterable", "dom.asynciterable"],
    "noEmit": True,
    "noUncheckedIndexedAccess": True,
    "strict": True,
    "target": "es2022",
    "types": [],
    "verbatimModuleSyntax": True,
}
LOAD: Final = 'import("./out/main.js").then((bundle) => console.log(typeof bundle.agentOf))'


@pytest.fixture(params=VERSIONS)
def project(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """An application with `yarrow-client` installed as a package is."""
    if shutil.which("node") is None or not (PACKAGES / "vite").is_dir():
        pytest.skip("needs Node 20 or newer, and: make agui-clients")
    shutil.copytree(SOURCES, tmp_path, dirs_exist_ok=True)
    (tmp_path / "package.json").write_text('{"name": "app", "private": true, "type": "module"}', encoding="utf-8")
    modules = tmp_path / "node_modules"
    package = json.loads((make_js_types.MODULES / "package.json").read_text(encoding="utf-8"))
    (modules / "yarrow-client").mkdir(parents=True)
    for name in (*package["files"], "package.json"):
        shutil.copy(make_js_types.MODULES / name, modules / "yarrow-client")
    (modules / "@ag-ui").mkdir()
    (modules / "@ag-ui/client").symlink_to(PACKAGES / request.param)
    (modules / "rxjs").symlink_to(PACKAGES / "rxjs-7.8.2")
    return tmp_path


def run(project: Path, *command: str | Path) -> str:
    ended = subprocess.run(command, cwd=project, capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stdout + ended.stderr
    return ended.stdout


@pytest.mark.parametrize("module", [{"module": "nodenext"}, {"module": "esnext", "moduleResolution": "bundler"}])
def test_it_compiles_in_strict_mode(project: Path, module: dict[str, str]) -> None:
    """CMP-10: a user's message can be sent, and the agent stands where an `HttpAgent` is expected."""
    # The declarations of others are not checked, those of this package are used by the application's code.
    options = STRICT | module | {"skipLibCheck": True}
    (project / "tsconfig.json").write_text(json.dumps({"compilerOptions": options, "files": ["main.ts"]}))
    run(project, PACKAGES / ".bin/tsc", "--project", "tsconfig.json")


def test_vite_bundles_it(project: Path) -> None:
    """CMP-10: the bundle runs."""
    run(project, "node", PACKAGES / "vite/bin/vite.js", "build", "--logLevel", "error")
    assert run(project, "node", "--eval", LOAD).split() == ["function"]


def test_webpack_bundles_it(project: Path) -> None:
    """CMP-10: as Next.js does, from JavaScript that the compiler has made."""
    options = STRICT | {"module": "esnext", "moduleResolution": "bundler", "noEmit": False, "skipLibCheck": True}
    (project / "tsconfig.json").write_text(json.dumps({"compilerOptions": options, "files": ["main.ts"]}))
    run(project, PACKAGES / ".bin/tsc", "--project", "tsconfig.json")
    run(project, "node", "build_with_webpack.cjs", PACKAGES / "webpack")
    assert run(project, "node", "--eval", LOAD).split() == ["function"]
