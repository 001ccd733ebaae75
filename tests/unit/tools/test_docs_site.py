"""The check of the built documentation: what it takes and what it warns of. `make docs` runs it on the real pages."""

import logging
from pathlib import Path

import pytest
from mkdocs.config.defaults import MkDocsConfig

from tools.docs_site import ROOT, on_config, on_post_build


def warnings(site: Path, caplog: pytest.LogCaptureFixture, **pages: str) -> list[str]:
    for name, text in pages.items():
        (site / f"{name}.html").write_text(text, encoding="utf-8")
    config = MkDocsConfig()
    config.site_dir = str(site)
    with caplog.at_level(logging.WARNING, "mkdocs.hooks.docs_site"):
        on_post_build(config=config)
    return caplog.messages


def test_links_that_lead_somewhere_pass(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    (tmp_path / "data.json").write_text("{}", encoding="utf-8")
    page = """<h1 id="top">T</h1> <a href="#top">1</a> <a href="b.html#六爻">2</a> <a href="data.json">3</a>
        <a href="https://example.com/">4</a> <img src="data:image/png;base64,AA=="> <a href="/">5</a>"""
    assert warnings(tmp_path, caplog, index=page, b='<h2 id="六爻">六爻</h2>') == []


@pytest.mark.parametrize(
    ("page", "warning"),
    [
        ('<a href="gone.html">', "index.html links to gone.html, which does not exist"),
        ('<picture><source srcset="gone.svg">', "index.html links to gone.svg, which does not exist"),
        ('<a href="#gone">', "index.html links to #gone, which has no such anchor"),
        ('<a href="b.html#gone">', "index.html links to b.html#gone, which has no such anchor"),
        ('<script src="https://cdn.example/x.js">', "index.html loads https://cdn.example/x.js from another host"),
        ('<img src="//cdn.example/x.png">', "index.html loads //cdn.example/x.png from another host"),
        ('<link href="https://fonts.example/a.css">', "index.html loads https://fonts.example/a.css from another host"),
    ],
)
def test_what_leads_nowhere_or_to_others_is_told(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, page: str, warning: str
) -> None:
    assert warnings(tmp_path, caplog, index=page, b="") == [warning]


def test_a_style_sheet_of_another_host_is_told(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    (tmp_path / "a.css").write_text("a { background: url('https://cdn.example/x.png') }", encoding="utf-8")
    assert warnings(tmp_path, caplog) == ["a.css loads https://cdn.example/x.png from another host"]


def test_each_decision_is_in_the_navigation() -> None:
    config = MkDocsConfig()
    config.nav = [{"Decisions": "docs/decisions"}]
    on_config(config)
    (section,) = config.nav
    first, *others = section["Decisions"]
    assert first == "docs/decisions/README.md"
    assert {ROOT / page for page in others} == set((ROOT / "docs/decisions").glob("*.md")) - {ROOT / first}
