"""Files, folders, modules and make targets that the documentation names exist."""

import re
from functools import cache
from pathlib import Path

import pytest

from tests.support.paths import ROOT
from yarrow.traces import semantic_conventions
from yarrow_client.starter import files

PAGES = sorted({*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("examples/**/*.md")})
EXAMPLES = (
    "visits/",
    "weather/",
    "tides/",
    "acme_agents/",
    "support/",
    "orders/",
    "handbook/",
    "shop/",
    "notes/",
    "triage/",
)
"""Packages that a guide lets its reader write."""
BUILT = (".aws-sam/", ".wheels/", "dist/", "site/")
IN_THE_BUCKET = ("agent-inputs/", "steps/", "storage/")
NOT_MODULES = {
    "yarrow.card_words",
    "yarrow.knowledge",
    "yarrow.mcp_tools",
    "yarrow.outcomes",
    "yarrow.request_examples",
    "tools.call",
    "tools.get_detail",
    "yarrow.divination",
    "yarrow.stand_ins",
    "yarrow.tools",
    "yarrow.threadId",
    "yarrow.input_rules",
    "yarrow.error_codes",
    "yarrow.event_types",
    "yarrow.divination-derived",
    "yarrow.message-taken",
    "yarrow.messages-unread",
    "yarrow.js",
    "yarrow.remote",
}
ATTRIBUTES = {name for name in vars(semantic_conventions).values() if isinstance(name, str)} | set(
    semantic_conventions.ALL_TOKENS.values()
)
"""Of spans."""
"""Names that look like modules; the last is one of the past, in the changelog."""
FILE = r"(?<![\w/.$:<>{}-])((?:[\w.-]+/)+[\w.-]+\.(?:asl\.json|py|md|ya?ml|toml|jsonl?|m?js|txt|wav|png|svg))\b"

MODULE = r"(?<![\w./-])((?:yarrow|yarrow_agents|liuyao|local|tools|tests)(?:\.[\w-]+)+)(?![\w(-])"


@cache
def python_files() -> set[str]:
    """Return the names of Python files without folders, also of the project that `yarrow new` is shown to write."""
    folders = ("layers", "functions", "local", "tools", "tests", "examples")
    return {path.name for folder in folders for path in (ROOT / folder).rglob("*.py")} | set(files("support", "plain"))


def exists(page: Path, path: str) -> bool:
    """Look from the root, from the page's folder, from that of the tests or, as `web/app.py`, from a package's."""
    packages = ("", "yarrow", "yarrow_agents", "liuyao", "liuyao/reading")
    starts = (ROOT, page.parent, ROOT / "tests", *(ROOT / "layers/core" / package for package in packages))
    return any((start / path).exists() for start in starts)


def is_module(name: str) -> bool:
    """Whether a dotted name is a module, or something in one."""
    start = ROOT / "layers/core" if name.startswith(("yarrow.", "yarrow_agents.", "liuyao.")) else ROOT
    path = start / name.replace(".", "/")
    return path.is_dir() or path.with_suffix(".py").is_file() or path.parent.with_suffix(".py").is_file()


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_what_a_page_names_exists(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    assert all((page.parent / match).is_file() for match in re.findall(r'(?:src|srcset)="([^"]+)"', text))
    named = set(re.findall(FILE, text)) | set(re.findall(r"`((?:[\w.-]+/)+)`", text))
    assert {
        file for file in named if not file.startswith((*EXAMPLES, *BUILT, *IN_THE_BUCKET)) and not exists(page, file)
    } == set()
    assert set(re.findall(r"`(\w+\.py)`", text)) <= python_files()
    modules = set(re.findall(MODULE, text)) - NOT_MODULES - ATTRIBUTES
    assert {module for module in modules if not is_module(module)} == set()


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_make_targets_that_a_page_names_exist(page: Path) -> None:
    makefiles = (ROOT / "Makefile", *ROOT.glob("examples/*/Makefile"))
    targets = {
        target
        for makefile in makefiles
        for target in re.findall(r"^([\w-]+):", makefile.read_text(encoding="utf-8"), re.MULTILINE)
    }
    text = page.read_text(encoding="utf-8")
    named = re.findall(r"(?:`|^|&& )(?:\w+=\S+ )*make ([a-z][\w-]*)", text, re.MULTILINE)
    assert set(named) <= targets


def test_a_missing_file_is_found(tmp_path: Path) -> None:
    (tmp_path / "page.md").write_text("`web/no_such_file.py`", encoding="utf-8")
    page = tmp_path / "page.md"
    assert re.findall(FILE, page.read_text(encoding="utf-8")) == ["web/no_such_file.py"]
    assert not exists(page, "web/no_such_file.py")
    assert not is_module("yarrow.web.no_such_module.at_all")
