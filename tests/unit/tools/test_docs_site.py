"""The check of the built documentation: what it takes and what it warns of. `make docs` runs it on the real pages."""

import logging
from pathlib import Path

import pytest
from mkdocs.config.defaults import MkDocsConfig

from tools.docs_site import ROOT, breakable, on_config, on_page_content, on_post_build


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


def _table(*rows: tuple[str, ...]) -> str:
    head, *body = ("".join(f"<{tag}>{cell}</{tag}>" for cell in row) for tag, row in _tagged(rows))
    return f"<table>\n<thead><tr>{head}</tr></thead><tbody>{''.join(f'<tr>{row}</tr>' for row in body)}</tbody></table>"


def _tagged(rows: tuple[tuple[str, ...], ...]) -> list[tuple[str, tuple[str, ...]]]:
    return [("td" if at else "th", row) for at, row in enumerate(rows)]


def test_a_table_of_sentences_is_read_row_by_row_on_a_telephone_and_names_the_columns() -> None:
    html = on_page_content(
        _table(("code", "status", "meaning"), ("A_CODE", "404", "The session has no run of this id."))
    )
    assert html.startswith("<table data-stacks>")
    assert '<td data-column="status">404</td><td data-column="meaning">The session' in html
    assert "<th>status</th>" in html


def test_of_two_columns_the_second_needs_no_name() -> None:
    html = on_page_content(_table(("member", "meaning"), ("type", "always about:blank; use code")))
    assert html.startswith("<table data-stacks>")
    assert "data-column" not in html


def test_a_table_of_figures_keeps_its_columns() -> None:
    figures = _table(
        ("in the busiest hour of a whole day", "100 users", "10,000 users"), ("runs", "0.0083 /s", "0.83 /s")
    )
    assert on_page_content(figures) == figures


def test_a_long_name_breaks_at_its_joints_and_nowhere_else() -> None:
    assert breakable("<code>AGENT_RUN_NOT_FOUND</code>") == "<code>AGENT_<wbr>RUN_<wbr>NOT_<wbr>FOUND</code>"
    assert breakable("<code>/runs/{threadId}/fork</code>") == "<code>/runs/<wbr>{threadId}/<wbr>fork</code>"
    assert breakable("<td>ApnsSandboxApplicationArn</td>") == "<td>Apns<wbr>Sandbox<wbr>Application<wbr>Arn</td>"


@pytest.mark.parametrize(
    "html",
    [
        '<a href="reference/http-api.html#submit_run_of_somebody">Submit</a>',
        "<pre><code>AGENT_RUN_NOT_FOUND</code></pre>",
        "<code>run_id</code> and internationalization",
    ],
)
def test_addresses_blocks_of_code_and_short_names_stay_whole(html: str) -> None:
    assert breakable(html) == html
