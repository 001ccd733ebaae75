"""What surrounds the code: the list of make's targets, the changelog, proposals of updates, hooks before a commit."""

import re
import subprocess
import tomllib
from typing import Any

import yaml

from tests.support.paths import ROOT

MAKEFILE = (ROOT / "Makefile").read_text(encoding="utf-8")
TARGETS = [name for line in re.findall(r"^\.PHONY: (.+)$", MAKEFILE, re.MULTILINE) for name in line.split()]
CHANGELOG = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")


def described(path: str) -> Any:
    return yaml.safe_load((ROOT / path).read_text(encoding="utf-8"))


def manifests() -> set[tuple[str, str]]:
    """The folders with a list of packages, each with the ecosystem it is of."""
    places = {"constraints.txt": "pip", "layers/*/requirements.txt": "pip", "tests/*/pom.xml": "maven"}
    places |= {"tests/*/package.json": "npm", "tests/clients/*/package.json": "npm", "clients/*/package.json": "npm"}
    return {
        (ecosystem, path.parent.relative_to(ROOT).as_posix())
        for place, ecosystem in places.items()
        for path in ROOT.glob(place)
    }


def test_make_alone_lists_every_target_with_what_it_does() -> None:
    make = ["make", "--no-print-directory"]
    shown = subprocess.run(make, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    listed = dict(re.findall(r"^  make ([a-z-]+) +(\S.*)$", shown, re.MULTILINE))
    assert sorted(listed) == sorted(TARGETS)


def test_a_target_is_named_in_documents_only_if_there_is_one() -> None:
    """Those of an agent's project are in the Makefile that `yarrow new` writes."""
    texts = [path.read_text(encoding="utf-8") for path in ROOT.glob("examples/*/Makefile")]
    projects = {name for text in texts for line in re.findall(r"^\.PHONY: (.+)$", text, re.M) for name in line.split()}
    for page in [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("examples/*/*.md")]:
        named = set(re.findall(r"^make ([a-z-]+)|`make ([a-z-]+)", page.read_text(encoding="utf-8"), re.MULTILINE))
        assert {name for pair in named for name in pair if name} <= {*TARGETS, *projects}, page


def test_the_changelog_says_what_to_do_for_each_version() -> None:
    version = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
    releases = dict(re.findall(r"^## \[([^\]]+)\](.*?)(?=^## |\Z)", CHANGELOG, re.MULTILINE | re.DOTALL))
    assert next(iter(releases)) == "Unreleased"
    assert version in releases
    assert all("### Migration notes\n" in text for text in releases.values())


def test_updates_are_proposed_for_everything_that_is_pinned() -> None:
    """A manifest that nobody watches grows old."""
    watched = {
        (update["package-ecosystem"], path.relative_to(ROOT).as_posix())
        for update in described(".github/dependabot.yml")["updates"]
        for folder in update.get("directories") or [update["directory"]]
        for path in ([ROOT] if folder == "/" else ROOT.glob(folder.strip("/") + "/"))
    }
    assert watched >= {("github-actions", "."), *manifests()}


def test_hooks_before_a_commit_run_what_make_lint_runs_and_fetch_nothing() -> None:
    (lint,) = re.findall(r"^lint: .*\n((?:\t.+\n)+)", MAKEFILE, re.MULTILINE)
    (local,) = described(".pre-commit-config.yaml")["repos"]
    assert local["repo"] == "local"
    for hook in local["hooks"]:
        command = " ".join(word for word in hook["entry"].split() if not word.startswith("--"))
        assert command in lint
        assert hook["language"] == "system"
