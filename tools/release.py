"""Prepares a release: sets the version of every part, updates the changelog, and builds what is published.

`make release VERSION=1.2.0` runs `prepare`, which commits and tags; with `DRY_RUN=1` it works in a copy of the tree.
`.github/workflows/release.yml` runs `build` for the tag and publishes what it wrote. Neither needs a network.
"""

import argparse
import re
import shutil
import subprocess
import sys
import tarfile
from collections.abc import Callable, Sequence
from datetime import UTC, date, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, NamedTuple

ROOT: Final = Path(__file__).parent.parent
DIST: Final = "dist"
"""Where `build` writes, in the repository."""

_VERSION: Final = re.compile(r"(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)")
_UNRELEASED: Final = "## [Unreleased]\n"
_EMPTY: Final = "## [Unreleased]\n\n### Migration notes\n\nNone.\n\n"


class ReleaseError(Exception):
    """A release cannot be made of this tree; the message says what to do."""


class ReleasePart(NamedTuple):
    """A file with the version of a part, and a pattern whose group is the version."""

    path: str
    pattern: str


def parts(root: Path) -> list[ReleasePart]:
    """Return the files with a version: distributions, clients and the description of the API."""
    python = [path for path in _tracked(root, "*pyproject.toml") if not path.startswith(("tests/", "examples/"))]
    return [
        *(ReleasePart(path, r'^version = "(.+)"$') for path in python),
        ReleasePart("clients/js/package.json", r'^  "version": "(.+)"'),
        ReleasePart("clients/kotlin/pom.xml", r"^  <version>(.+)</version>$"),
        ReleasePart("functions/describe_api/openapi.json", r'^  "version": "(.+)"'),
    ]


def versions(root: Path) -> dict[str, str]:
    """Return the versions of all parts by path."""
    return {part.path: _found(root, part)[1] for part in parts(root)}


def set_version(root: Path, version: str) -> None:
    """Write the version into every part."""
    for part in parts(root):
        found = _found(root, part)
        path = root / part.path
        text = path.read_text(encoding="utf-8")
        path.write_text(text[: found.start(1)] + version + text[found.end(1) :], encoding="utf-8")


def released(changelog: str, version: str, day: date) -> str:
    """Return the changelog with the section Unreleased renamed to the version, and a new empty one above it.

    Raises:
        ReleaseError: the version is no number of the form 1.2.3, or not above the last one; nothing is unreleased.
    """
    if not _VERSION.fullmatch(version):
        raise ReleaseError(f"{version!r} is not a version such as 1.2.3")
    last = re.search(r"^## \[(\d[^\]]*)\]", changelog, re.MULTILINE)
    if last and _ordered(version) <= _ordered(last[1]):
        raise ReleaseError(f"{version} is not above {last[1]}, the last release in CHANGELOG.md")
    if not re.search(r"^- ", notes(changelog, "Unreleased"), re.MULTILINE):
        raise ReleaseError("CHANGELOG.md lists nothing under [Unreleased]")
    before, _, after = changelog.partition(_UNRELEASED)
    return f"{before}{_EMPTY}## [{version}] - {day.isoformat()}\n{after}"


def notes(changelog: str, version: str) -> str:
    """Return the section of a version, without its heading.

    Raises:
        ReleaseError: there is none.
    """
    found = re.search(rf"^## \[{re.escape(version)}\][^\n]*\n(.*?)(?=^## \[|\Z)", changelog, re.MULTILINE | re.DOTALL)
    if not found:
        raise ReleaseError(f"CHANGELOG.md has no section [{version}]")
    return found[1].strip() + "\n"


def prepare(root: Path, version: str, day: date) -> None:
    """Set the version, build everything, commit and tag.

    Raises:
        ReleaseError: the tree has changes, or is not what a release is made of.
    """
    if _git(root, "status", "--porcelain"):
        raise ReleaseError("the tree has changes: commit them first")
    changelog = root / "CHANGELOG.md"
    changelog.write_text(released(changelog.read_text(encoding="utf-8"), version, day), encoding="utf-8")
    set_version(root, version)
    build(root)
    _git(root, "commit", "--quiet", "--all", "--message", f"Release {version}")
    _git(root, "tag", "--annotate", f"v{version}", "--message", f"Yarrow {version}")


def build(root: Path, tag: str | None = None) -> list[Path]:
    """Build wheels, npm package, documentation, notes and bill of materials into `dist/`.

    The npm package needs npm, the bill of materials `make sbom`. A tag's build fails without them; others skip them.

    Raises:
        ReleaseError: the parts state different versions, or another than the tag.
    """
    stated = versions(root)
    if len(set(stated.values())) != 1:
        raise ReleaseError(f"the parts state different versions: {stated}")
    version = next(iter(stated.values()))
    if tag is not None and tag != f"v{version}":
        raise ReleaseError(f"the tag is {tag}, and the parts state {version}")
    dist = root / DIST
    shutil.rmtree(dist, ignore_errors=True)
    dist.mkdir()
    changes = notes((root / "CHANGELOG.md").read_text(encoding="utf-8"), version)
    (dist / "notes.md").write_text(changes, encoding="utf-8")
    for path in stated:
        if path.endswith("pyproject.toml") and (folder := (root / path).parent) != root:
            wheel(folder, dist)
    if tag is not None or shutil.which("npm"):
        _run(root, "npm", "pack", "--silent", "--pack-destination", str(dist), str(root / "clients/js"))
    _documentation(root, dist / f"yarrow-docs-{version}.tar.gz")
    if tag is not None or (root / ".aws-sam/sbom.json").exists():
        shutil.copy(root / ".aws-sam/sbom.json", dist / f"yarrow-{version}.cdx.json")
    return sorted(dist.iterdir())


def rehearse(root: Path, version: str, day: date, look: Callable[[Path], None] | None = None) -> list[str]:
    """Prepare a release in a copy of the tree's files and return the names of what was built; the tree stays as it is.

    `look` gets the copy before it is deleted.
    """
    with TemporaryDirectory() as folder:
        copy = Path(folder)
        for path in _tracked(root):
            if (root / path).is_file():
                (copy / path).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(root / path, copy / path)
        _git(copy, "init", "--quiet")
        _git(copy, "config", "user.name", "Rehearsal")
        _git(copy, "config", "user.email", "rehearsal@example.com")
        _git(copy, "add", "--all")
        _git(copy, "commit", "--quiet", "--message", "Before")
        prepare(copy, version, day)
        if _git(copy, "describe", "--exact-match") != f"v{version}" or _git(copy, "status", "--porcelain"):
            raise ReleaseError("the release's commit lacks some of its changes")
        if look:
            look(copy)
        return sorted(path.name for path in (copy / DIST).iterdir())


def wheel(folder: Path, dist: Path) -> None:
    """Build a wheel with the environment's setuptools, in a copy, since setuptools leaves folders beside the sources.

    The copy has the folder's name, which is the package's where the folder is the package itself.
    """
    with TemporaryDirectory() as temporary:
        copy = shutil.copytree(
            folder, Path(temporary) / folder.name, ignore=shutil.ignore_patterns("__pycache__", "*.egg-info")
        )
        command = ["-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation", "--no-index"]
        _run(folder, sys.executable, *command, "--wheel-dir", str(dist), str(copy))


def _documentation(root: Path, target: Path) -> None:
    with TemporaryDirectory() as site:
        _run(root, sys.executable, "-m", "mkdocs", "build", "--quiet", "--site-dir", site)
        with tarfile.open(target, "w:gz") as archive:
            archive.add(site, arcname="site")


def _found(root: Path, part: ReleasePart) -> re.Match[str]:
    found = re.search(part.pattern, (root / part.path).read_text(encoding="utf-8"), re.MULTILINE)
    if not found:
        raise ReleaseError(f"{part.path} has no version")
    return found


def _ordered(version: str) -> tuple[int, ...]:
    return tuple(map(int, version.split(".")))


def _tracked(root: Path, *patterns: str) -> list[str]:
    return _git(root, "ls-files", "-z", "--", *patterns).rstrip("\0").split("\0")


def _git(root: Path, *arguments: str) -> str:
    return _run(root, "git", *arguments)


def _run(root: Path, *command: str) -> str:
    done = subprocess.run(command, cwd=root, capture_output=True, text=True, check=False)  # noqa: S603 (our own commands)
    if done.returncode:
        raise ReleaseError(f"`{' '.join(command[:3])}` failed:\n{done.stderr.strip()}")
    return done.stdout.strip("\n")


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    preparing = commands.add_parser("prepare", help="set the version, build, commit and tag")
    preparing.add_argument("version")
    preparing.add_argument("--dry-run", action="store_true", help="run in a copy, which is deleted")
    building = commands.add_parser("build", help="write what is published into dist/")
    building.add_argument("--tag", help="the tag that it is built for, such as v1.2.0")
    options = parser.parse_args(arguments)
    today = datetime.now(UTC).date()
    try:
        if options.command == "build":
            names = [path.name for path in build(ROOT, options.tag)]
        elif options.dry_run:
            names = rehearse(ROOT, options.version, today)
        else:
            prepare(ROOT, options.version, today)
            names = sorted(path.name for path in (ROOT / DIST).iterdir())
    except ReleaseError as error:
        sys.stderr.write(f"{error}\n")
        return 1
    sys.stdout.write("".join(f"{DIST}/{name}\n" for name in names))
    if options.command == "prepare":
        done = "would be" if options.dry_run else "is"
        sys.stdout.write(f"v{options.version} {done} committed and tagged; `git push --follow-tags` publishes it\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
