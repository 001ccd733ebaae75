"""In-memory full-text retrieval: SQLite FTS5 with BM25, indexed once per process.

One passage a line: `{"id", "title", "content", "metadata"}`. Han and kana are indexed as characters and bigrams, other
words by stem.
"""

import re
import sqlite3
import unicodedata
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from threading import Lock
from typing import Any, Final

from pydantic import BaseModel, ConfigDict

from yarrow.protocol.runner.api import RetrievedDocument
from yarrow.services.knowledge.filters import Filters

_UNSPACED: Final = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"

_RUNS = re.compile(rf"([{_UNSPACED}]+)|([^\W{_UNSPACED}]+)")
_MAX_TERMS = 128

_TITLE_WEIGHT = 4.0

_building = Lock()


class _Passage(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)

    id: str
    title: str
    content: str
    metadata: dict[str, Any] = {}


class _Index:
    def __init__(self, passages: Iterable[_Passage]) -> None:
        self._passages = list(passages)
        self._turn = Lock()
        self._database = sqlite3.connect(":memory:", check_same_thread=False)
        self._database.execute(
            "CREATE VIRTUAL TABLE passages USING fts5(title, content, content='', tokenize='porter unicode61')"
        )
        rows = (
            (number, " ".join(_terms(passage.title)), " ".join(_terms(passage.content)))
            for number, passage in enumerate(self._passages)
        )
        self._database.executemany("INSERT INTO passages (rowid, title, content) VALUES (?, ?, ?)", rows)

    def search(self, query: str, top_k: int, filters: Filters) -> list[RetrievedDocument]:
        terms = dict.fromkeys(_terms(query, whole=False))
        if not terms:
            return []
        anyone = " OR ".join(f'"{term}"' for term in list(terms)[:_MAX_TERMS])
        ranked = (
            f"SELECT rowid, bm25(passages, {_TITLE_WEIGHT}, 1.0) AS distance"  # noqa: S608 (a constant of this file)
            " FROM passages WHERE passages MATCH ? ORDER BY distance, rowid"
        )
        with self._turn:
            rows = self._database.execute(ranked, (anyone,)).fetchall()
        found = ((self._passages[number], -distance) for number, distance in rows)
        fitting = [_document(*row) for row in found if _fits(row[0], filters)]
        return fitting[:top_k]


def retrieve(path: Path, query: str, top_k: int, filters: Filters) -> list[RetrievedDocument]:
    """Return passages with any term of the query, best first."""
    with _building:
        index = _index(path)
    return index.search(query, top_k, filters)


@cache
def _index(path: Path) -> _Index:
    files = sorted(path.glob("*.jsonl")) if path.is_dir() else [path]
    return _Index(
        _Passage.model_validate_json(line) for file in files for line in file.read_text("utf-8").splitlines() if line
    )


def _terms(text: str, *, whole: bool = True) -> list[str]:
    """Return the index terms of a text; for a query (not `whole`), bigrams replace the characters of longer runs."""
    terms: list[str] = []
    for unspaced, word in _RUNS.findall(unicodedata.normalize("NFKC", text).casefold()):
        if word:
            terms.append(word)
            continue
        if whole or len(unspaced) == 1:
            terms += unspaced
        terms += [unspaced[at : at + 2] for at in range(len(unspaced) - 1)]
    return terms


def _fits(passage: _Passage, filters: Filters) -> bool:
    return all(passage.metadata.get(name) in values for name, values in filters.items())


def _document(passage: _Passage, score: float) -> RetrievedDocument:
    return RetrievedDocument(
        document_id=passage.id,
        content=passage.content,
        score=score,
        metadata={**passage.metadata, "title": passage.title},
    )
