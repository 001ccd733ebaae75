"""The package by itself: its wheel, installed alone into an empty environment, derives, reads and draws."""

import importlib.util
import json
import re
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from email.parser import Parser
from pathlib import Path
from typing import Final

import pytest
from packaging.requirements import Requirement

from tests.support.casts import payload
from tests.support.example_cast import EXAMPLE
from tests.support.layers import distributions
from tests.support.paths import ROOT
from tools.release import wheel

FOLDER: Final = ROOT / "layers/core/liuyao"
MOST_BYTES: Final = 3_000_000


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the wheel."""
    if importlib.util.find_spec("setuptools") is None or importlib.util.find_spec("pip") is None:
        pytest.skip("needs what builds wheels: pip install setuptools pip")
    folder = tmp_path_factory.mktemp("wheel")
    wheel(FOLDER, folder)
    (path,) = folder.iterdir()
    return path


@pytest.fixture(scope="module")
def python(built: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The interpreter of an environment with the wheel and what its metadata asks for; nothing else."""
    folder = tmp_path_factory.mktemp("environment")
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder], check=True)
    found = folder / "bin/python"
    question = subprocess.check_output([found, "-c", "import site; print(site.getsitepackages()[0])"], text=True)
    needed = distributions(required(built))
    tops = {
        Path(str(distribution.locate_file(file.parts[0])))
        for distribution in needed
        for file in distribution.files or ()
    }
    for top in tops:
        if top.parent.name == "site-packages" and top.name != "__pycache__":
            (Path(question.strip()) / top.name).symlink_to(top)
    install = [sys.executable, "-m", "pip", "--python", str(found), "install", "--quiet", "--no-index", str(built)]
    subprocess.run(install, check=True)
    yield found
    shutil.rmtree(folder)


def required(built: Path) -> list[Requirement]:
    """What the wheel's metadata asks for."""
    with zipfile.ZipFile(built) as archive:
        (name,) = (text for text in archive.namelist() if text.endswith(".dist-info/METADATA"))
        text = Parser().parsestr(archive.read(name).decode("utf-8"))
    return [Requirement(item) for item in text.get_all("Requires-Dist", [])]


def test_the_wheel_is_small_and_needs_pydantic_alone(built: Path) -> None:
    assert built.stat().st_size < MOST_BYTES
    assert {requirement.name for requirement in required(built) if requirement.marker is None} == {"pydantic"}


def test_the_wheel_has_all_modules_and_tables(built: Path) -> None:
    kinds = {".py", ".json", ".bin", ".txt", ".typed"}
    files = (path for path in FOLDER.rglob("*") if path.suffix in kinds and "build" not in path.parts)
    with zipfile.ZipFile(built) as archive:
        names = {text for text in archive.namelist() if not text.partition("/")[0].endswith(".dist-info")}
    assert names == {str(path.relative_to(FOLDER.parent)) for path in files}


def test_alone_it_derives_reads_and_draws(python: Path) -> None:
    """The example of its README runs in an environment without the platform."""
    (example,) = re.findall(r"```python\n(.*?)```", (FOLDER / "README.md").read_text("utf-8"), re.DOTALL)
    code = f"{example}\nimport sys\nprint({{name.partition('.')[0] for name in sys.modules}})"
    done = subprocess.run([python, "-I", "-X", "utf8", "-c", code], capture_output=True, text=True, check=True)
    *shown, loaded = done.stdout.splitlines()
    assert any("世" in line for line in shown)
    assert any(re.search(r"[A-Za-z]{4,} [a-z]{2,}", line) for line in shown)
    assert "'liuyao'" in loaded
    assert "yarrow" not in loaded
    absent = subprocess.run([python, "-I", "-c", "import yarrow"], capture_output=True, text=True, check=False)
    assert "No module named 'yarrow'" in absent.stderr


def test_alone_its_command_answers(python: Path) -> None:
    from liuyao import derive
    from liuyao.chart import draw

    line = json.dumps(EXAMPLE).encode() + b"\n"
    for command in ([str(python), "-I", "-m", "liuyao"], [str(python.with_name("liuyao"))]):
        derived = subprocess.run(command, input=line + b"{}\n", capture_output=True, check=True).stdout.splitlines()
        assert derived[0].decode() == derive(payload()).model_dump_json()
        assert json.loads(derived[1])["code"] == "AGENT_RUN_INPUT_INVALID"
    shown = subprocess.run([python, "-I", "-m", "liuyao", "--show"], input=line, capture_output=True, check=True).stdout
    assert shown.decode() == draw(derive(payload())) + "\n\n"
