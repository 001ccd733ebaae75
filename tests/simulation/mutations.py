"""`python -m tests.simulation.mutations [SEED] [COUNT]`: changes of single lines, each of which must be noticed.

A change is of a condition or an order in the code that is simulated, chosen by the seed; `NAMED` are always among them.
Each is tried in a copy of the core layer: by simulations, then by the tests of its module, then by those of ROOMS.
Prints a table.
"""

import ast
import os
import random
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from tests.support.paths import ROOT

CORE: Final = ROOT / "layers" / "core"
SEEDS: Final = 60
"""With faults of every kind; a third as many with writes that are made twice alone."""
SECONDS: Final = 900.0
ROOMS: Final = tuple(f"tests/{kind}/{room}" for kind in ("unit", "integration") for room in ("store", "runs", "worker"))
FILES: Final = (
    *("store/journal.py", "store/runs.py", "store/sessions.py", "store/table.py", "store/submit_snapshot.py"),
    *("store/limits/run_slots.py", "store/limits/stream_slots.py"),
    *("runs/submit_run.py", "runs/end_run.py", "runs/cancel_run.py", "runs/delete_session.py", "runs/lost_runs.py"),
    *("runs/stream_events.py", "worker/execute_run.py", "worker/journal_writer.py", "worker/heartbeat.py"),
)
RULES: Final = (
    (r" AND [a-z_]+ = :[a-z]+", ""),
    (r" AND attribute_not_exists\([a-z_]+\)", ""),
    (r"attribute_not_exists\(pk\)", "attribute_not_exists(never)"),
    (r" is None\b", " is not None"),
    (r" is not None\b", " is None"),
    (r" not in ", " in "),
    (r" >= ", " > "),
    (r" > ", " >= "),
    (r" < ", " <= "),
    (r" == ", " != "),
    (r" and ", " or "),
    (r" or ", " and "),
    (r" \+ 1\b", ""),
    (r"\bif not ", "if "),
    (r"\bcontinue\b", "break"),
    (r"\braise$", "pass"),
    (r"\breturn False\b", "return True"),
    (r"\breturn True\b", "return False"),
    (r"ConsistentRead=True", "ConsistentRead=False"),
)


@dataclass(frozen=True, slots=True)
class Change:
    """Of the line of a file with this number, from 0; of the line after it too where they change places."""

    file: str
    line: int
    new: str

    def text(self) -> str:
        """The whole file, changed."""
        lines = _lines(self.file)
        lines[self.line : self.line + 1 + self.new.count("\n")] = [self.new]
        return "\n".join(lines) + "\n"

    def __str__(self) -> str:
        old = _lines(self.file)[self.line].strip()
        to = "after the next line" if "\n" in self.new else f"→ {self.new.strip()}"
        return f"{self.file}:{self.line + 1}  {old}  {to}"


def _named(file: str, old: str, new: str) -> Change:
    (line,) = (number for number, each in enumerate(_lines(file)) if old in each)
    return Change(file, line, _lines(file)[line].replace(old, new))


def named() -> list[Change]:
    """Without its own item found again, without the item that shuts others out, without the phase's condition."""
    return [
        _named("worker/journal_writer.py", "if own is None:", "if True:"),
        _named("worker/execute_run.py", "if run.attempt == 1 or order.ended:", "if True:"),
        _named("store/journal.py", '"phase IN (:queued, :running)",', '"phase <> :queued OR phase <> :running",'),
    ]


def changes() -> Iterator[Change]:
    """All that the rules make and that mean something else."""
    for file in FILES:
        lines, before = _lines(file), _meaning("\n".join(_lines(file)))
        for number, line in enumerate(lines):
            made = [
                line[: found.start()] + new + line[found.end() :]
                for old, new in RULES
                for found in re.finditer(old, line)
            ]
            after = lines[number + 1] if number + 1 < len(lines) else ""
            if _is_statement(line) and _is_statement(after) and _indent(line) == _indent(after):
                made.append(f"{after}\n{line}")
            for new in made:
                change = Change(file, number, new)
                meaning = _meaning(change.text())
                if meaning not in (None, before):
                    yield change


def _lines(file: str) -> list[str]:
    return (CORE / "yarrow" / file).read_text(encoding="utf-8").splitlines()


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def _is_statement(line: str) -> bool:
    return re.fullmatch(r"\s+(await |[a-z_.]+ = )?[a-z_.]+\(.*\)", line) is not None


def _meaning(text: str) -> str | None:
    """The syntax tree without docstrings; None where there is none."""
    try:
        tree = ast.parse(text)
    except SyntaxError:
        return None
    for node in ast.walk(tree):
        body = getattr(node, "body", None)
        if isinstance(body, list):
            kept = [each for each in body if not (isinstance(each, ast.Expr) and isinstance(each.value, ast.Constant))]
            node.body = kept  # type: ignore[attr-defined]
    return ast.dump(tree)


def noticed(change: Change) -> str | None:
    """What goes wrong in simulations; None if nothing does."""
    with _changed(change) as core:
        return _run(core, "-m", "tests.simulation.mutations", "simulations")


def failed(change: Change) -> str | None:
    """The first file of tests that fails; None if none does."""
    with _changed(change) as core:
        for tests in tests_of(change.file):
            if _run(core, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", str(tests)) is not None:
                return str(tests.relative_to(ROOT))
    return None


@contextmanager
def _changed(change: Change) -> Iterator[Path]:
    """A core layer."""
    with TemporaryDirectory() as folder:
        core = Path(folder) / "core"
        shutil.copytree(CORE, core, ignore=shutil.ignore_patterns("__pycache__"))
        (core / "yarrow" / change.file).write_text(change.text(), encoding="utf-8")
        yield core


def tests_of(file: str) -> list[Path]:
    """Those named as the module, then those of the rooms."""
    return [*sorted((ROOT / "tests").glob(f"*/**/test_{Path(file).stem}.py")), *(ROOT / room for room in ROOMS)]


def _run(core: Path, *arguments: str) -> str | None:
    """The last line of what failed; None if nothing did."""
    environment = {**os.environ, "PYTHONPATH": f"{core}{os.pathsep}{ROOT}"}
    try:
        done = subprocess.run(
            [sys.executable, *arguments],
            env=environment,
            cwd=ROOT,
            capture_output=True,
            text=True,
            timeout=SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return "no end"
    return None if done.returncode == 0 else (done.stdout.strip() or done.stderr.strip()).splitlines()[-1][:160]


def simulations() -> int:
    """Whether any goes wrong."""
    from tests.simulation.__main__ import deployment, quickly  # the changed core is imported only here
    from tests.simulation.simulate import simulate

    with quickly(), deployment():
        for seed in range(SEEDS):
            if problems := simulate(seed).problems:
                print(f"seed {seed}: {problems[0]}")
                return 1
        for seed in range(SEEDS // 3):
            report = simulate(seed, kinds=["twice"], rate=0.3, scenario="conversation")
            if report.problems or report.works > 1:
                print(f"seed {seed}, writes made twice: {[*report.problems, 'another worker'][0]}")
                return 1
    return 0


def main(seed: str = "1", count: str = "60") -> int:
    """The number of changes that nothing notices."""
    first = named()
    chosen = first + random.Random(int(seed)).sample(list(changes()), int(count) - len(first))
    with ThreadPoolExecutor(2) as pool:
        left = _tried(chosen, pool.map(noticed, chosen), "no simulation")
        print(f"{len(chosen)} changes, {len(left)} noticed by no simulation; the tests:")
        left = _tried(left, pool.map(failed, left), "NOTHING")
    print(f"{len(left)} noticed by nothing")
    return min(len(left), 1)


def _tried(chosen: list[Change], results: Iterable[str | None], nothing: str) -> list[Change]:
    """Those that nothing noticed."""
    left = []
    for change, by in zip(chosen, results, strict=True):
        left += [change] if by is None else []
        print(f"{by or nothing:<60}  {change}", flush=True)
    return left


if __name__ == "__main__":
    sys.exit(simulations() if sys.argv[1:] == ["simulations"] else main(*sys.argv[1:]))
