"""A MkDocs hook (mkdocs.yml) that gives the site the repository's layout and checks the result.

Every file keeps its path in the repository, including linked files outside `docs/`, so that links work in both places.
Beside each page is its Markdown, and `llms.txt` lists them, for readers that are programs (https://llmstxt.org).
"""

import logging
import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any, Final
from urllib.parse import unquote, urlsplit

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.nav import Navigation, Section
from mkdocs.structure.pages import Page

from tools import docs_events, docs_reference

ROOT: Final = Path(__file__).parent.parent
DOCS: Final = "docs"

# MkDocs counts warnings below its own logger, and fails for them.
_log: Final = logging.getLogger("mkdocs.hooks.docs_site")
_TABLE: Final = re.compile(r"<table>(.*?)</table>", re.DOTALL)
_ROW: Final = re.compile(r"<tr>.*?</tr>", re.DOTALL)
_CELL: Final = re.compile(r"<(t[hd])([^>]*)>(.*?)</t[hd]>", re.DOTALL)
_PROSE: Final = 24
"""A table whose cells beside the first have more characters is read row by row, and not by its columns."""
_WHOLE: Final = re.compile(r"(<pre\b.*?</pre>|<script\b.*?</script>|<svg\b.*?</svg>|<[^>]+>)", re.DOTALL)
_JOINT: Final = re.compile(r"(?<=[\w}])([_/.:])(?=[\w{])")
_LONG_NAME: Final = re.compile(r"[\w./:{}-]{15,}", re.ASCII)
_CAMEL: Final = re.compile(r"(?<=[a-z])(?=[A-Z])")
_LINK: Final = re.compile(r"""\]\(([^)\s]+)|\b(?:src|srcset|href)=["']([^"'\s]+)""")


def on_config(config: MkDocsConfig) -> None:
    """Expand a folder in the navigation to its pages, README first."""
    _expand(config.nav)


def _expand(entries: Any) -> None:
    for section in entries if isinstance(entries, list) else ():
        for title, content in section.items() if isinstance(section, dict) else ():
            if isinstance(content, str) and (ROOT / content).is_dir():
                pages = [path.relative_to(ROOT).as_posix() for path in (ROOT / content).glob("*.md")]
                section[title] = sorted(pages, key=lambda page: (not page.endswith("README.md"), page))
            else:
                _expand(content)


def on_files(files: Files, *, config: MkDocsConfig) -> Files:
    """Give files their repository paths, and add the navigation's pages and the files they link to."""
    docs = Path(config.docs_dir)
    paths = {path for file in files if (path := docs / file.src_uri).is_file()}
    theme = [file for file in files if docs / file.src_uri not in paths]
    made = {**docs_reference.pages(), **docs_events.pages()}
    pages = paths | {ROOT / page for page in _pages(config.nav) if page not in made}
    for page in {page for page in pages if page.suffix == ".md"}:
        pages |= _linked(page)
    pages.add(ROOT / config.theme["logo"])
    generated = [File.generated(config, path, content=text) for path, text in made.items()]
    return Files([*theme, *(_file(path, config) for path in sorted(pages)), *generated])


def on_nav(nav: Navigation, **_: Any) -> None:
    """Keep the shelves and their pages for `llms.txt`."""
    _shelves.clear()
    for shelf in nav.items:
        if isinstance(shelf, Section):
            _shelves[shelf.title] = list(_pages_of(shelf))


def on_page_content(html: str, **_: Any) -> str:
    """Prepare tables for telephones, where `site.css` sets the rows of some below one another."""
    return _TABLE.sub(lambda table: stackable(table[0]), html)


def stackable(table: str) -> str:
    """Mark a table of sentences, and name each of its cells after its column; one of figures stays as it is."""
    rows = [_CELL.findall(row) for row in _ROW.findall(table)]
    head = [_text(cell) for _, _, cell in rows[0]]
    columns = head if len(head) > 2 else []  # of two, the second says of itself what it is
    cells = [[_text(cell) for _, _, cell in row] for row in rows]
    lengths = (max(map(len, row[1:]), default=0) if columns else len("".join(row)) for row in cells)
    if max(lengths) <= _PROSE:
        return table

    def row(found: re.Match[str]) -> str:
        names = iter(columns)

        def cell(one: re.Match[str]) -> str:
            name = next(names, "")
            return f'<{one[1]}{one[2]} data-column="{name}">{one[3]}</{one[1]}>' if name and one[1] == "td" else one[0]

        return _CELL.sub(cell, found[0])

    return _ROW.sub(row, table).replace("<table>", "<table data-stacks>", 1)


def _text(html: str) -> str:
    return re.sub(r"<[^>]+>", "", html).replace('"', "&quot;").strip()


def breakable(html: str) -> str:
    """Let long names end their lines at their joints, outside blocks of code: `AGENT_` `RUN_` `NOT_` `FOUND`."""
    parts = _WHOLE.split(html)
    parts[::2] = [_LONG_NAME.sub(lambda name: _at_joints(name[0]), text) for text in parts[::2]]
    return "".join(parts)


def _at_joints(name: str) -> str:
    return _JOINT.sub(r"\1<wbr>", name) if _JOINT.search(name) else _CAMEL.sub("<wbr>", name)


def on_page_context(_: Any, *, page: Page, config: MkDocsConfig, **__: Any) -> None:
    """Have the frame of a Chinese page in Chinese: what the theme writes around the text."""
    config.theme["language"] = "zh" if _is_chinese(page) else "en"


def _is_chinese(page: Page) -> bool:
    return page.file.src_uri.endswith("zh-CN.md")


def on_post_page(output: str, *, page: Page, **_: Any) -> str:
    """Name the page's Markdown in its head, say in which script the page is, and let its long names break."""
    twin = Path(page.file.src_uri).name
    if _is_chinese(page):
        output = output.replace('<html lang="zh"', '<html lang="zh-CN"', 1)
    before, article, after = re.split(r"(<article\b.*?</article>)", output, maxsplit=1, flags=re.DOTALL)
    output = f"{before}{breakable(article)}{after}"
    return output.replace("</head>", f'<link rel="alternate" type="text/markdown" href="{twin}"></head>', 1)


def on_post_build(*, config: MkDocsConfig) -> None:
    """Write the pages' Markdown and `llms.txt`; warn of resources from other hosts and of broken links."""
    site = Path(config.site_dir)
    _write_markdown(config, site)
    built = {path: _Page(path.read_text(encoding="utf-8")) for path in site.rglob("*.html")}
    for path, page in built.items():
        name = path.relative_to(site)
        for url in page.loads | page.links:
            parts = urlsplit(url)
            if parts.scheme in ("data", "mailto"):
                continue
            if parts.scheme or parts.netloc:
                if url in page.loads:
                    _log.warning("%s loads %s from another host", name, url)
                continue
            target = site / parts.path.lstrip("/") if parts.path.startswith("/") else path.parent / parts.path
            target = Path(unquote(str(target))).resolve() if parts.path else path
            target = target / "index.html" if target.is_dir() else target
            if not target.is_file():
                _log.warning("%s links to %s, which does not exist", name, url)
            elif parts.fragment and target in built and unquote(parts.fragment) not in built[target].anchors:
                _log.warning("%s links to %s, which has no such anchor", name, url)
    for path in site.rglob("*.css"):
        for url in re.findall(r"(?:url\(|@import )[\"']?((?:https?:)?//[^)\"']+)", path.read_text(encoding="utf-8")):
            _log.warning("%s loads %s from another host", path.relative_to(site), url)


_shelves: Final[dict[str, list[Page]]] = {}
"""The pages of the navigation by the titles of its shelves."""


def _pages_of(section: Section) -> Iterator[Page]:
    for item in section.children:
        if isinstance(item, Section):
            yield from _pages_of(item)
        elif isinstance(item, Page):
            yield item


def _write_markdown(config: MkDocsConfig, site: Path) -> None:
    lines = [f"# {config.site_name}", "", f"> {config.site_description}"]
    for title, pages in _shelves.items():
        lines += ["", f"## {title}", ""]
        for page in pages:
            twin = site / page.file.src_uri
            twin.parent.mkdir(parents=True, exist_ok=True)
            twin.write_text(page.file.content_string, encoding="utf-8")
            lines.append(f"- [{page.title}]({page.file.src_uri})")
    (site / "llms.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")


def _pages(nav: Any) -> list[str]:
    if isinstance(nav, dict):
        return [page for entry in nav.values() for page in _pages(entry)]
    if isinstance(nav, list):
        return [page for entry in nav for page in _pages(entry)]
    return [nav] if isinstance(nav, str) else []


def _linked(page: Path) -> set[Path]:
    """Return the repository files that a page links to; MkDocs reports missing ones."""
    if not page.is_file():
        return set()
    urls = (first or second for first, second in _LINK.findall(page.read_text(encoding="utf-8")))
    targets = {(page.parent / unquote(urlsplit(url).path)).resolve() for url in urls if not urlsplit(url).scheme}
    return {target for target in targets if target.is_file() and target.is_relative_to(ROOT)}


def _file(path: Path, config: MkDocsConfig) -> File:
    return File(path.relative_to(ROOT).as_posix(), str(ROOT), config.site_dir, config.use_directory_urls)


class _Page(HTMLParser):
    """A built page: its resources, links and anchors."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.loads: set[str] = set()
        self.links: set[str] = set()
        self.anchors: set[str] = {"__top"}
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Record a tag's resource, link or anchor."""
        for name, value in attrs:
            if not value:
                continue
            if name in ("id", "name"):
                self.anchors.add(value)
            elif name in ("src", "srcset") or (name == "href" and tag == "link"):
                self.loads.add(value)
            elif name == "href":
                self.links.add(value)
