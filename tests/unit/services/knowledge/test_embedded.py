"""Search in files of passages: in Chinese and in English, by metadata, and within its bounds."""

import json
from pathlib import Path
from typing import Any

import pytest

from yarrow.packages import declared
from yarrow.protocol.runner.api import AgentAPIException
from yarrow.services import knowledge
from yarrow.settings import settings


@pytest.fixture(autouse=True)
def no_setting(monkeypatch: pytest.MonkeyPatch) -> None:
    """A bundled package declares the base `liu-yao`."""
    monkeypatch.setitem(settings.__dict__, "knowledge_bases", "{}")


def found(query: str, top_k: int = 5, filters: dict[str, Any] | None = None, base: str = "liu-yao") -> list[str]:
    return [retrieved_document.document_id for retrieved_document in knowledge.retrieve(base, query, top_k, filters)]


@pytest.fixture
def written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder of passages of the test's own, as the base `own`."""
    passages = [
        {"id": "a", "title": "α", "content": "one fish", "metadata": {"year": 2024, "lang": "en"}},
        {"id": "b", "title": "β", "content": "two fish", "metadata": {"year": 2025, "lang": "en"}},
        {"id": "c", "title": "γ", "content": "一条鱼 fish", "metadata": {"lang": "zh"}},
    ]
    for number, passage in enumerate(passages):
        (tmp_path / f"{number}.jsonl").write_text(json.dumps(passage) + "\n", "utf-8")
    (tmp_path / "notes.txt").write_text("not passages")
    own = {"kind": "embedded", "path": str(tmp_path)}
    monkeypatch.setitem(settings.__dict__, "knowledge_bases", json.dumps({"own": own}))
    return tmp_path


@pytest.mark.parametrize(
    ("query", "first"),
    [
        ("用神", "focus.what"),
        ("世应", "lines.world-response"),
        ("六亲", "relations.all"),
        ("六親", "relations.all"),
        ("六神", "spirits.all"),
        ("旬空", "void.what"),
        ("月破", "broken.month"),
        ("动爻", "movement.what"),
        ("動爻", "movement.what"),
        ("回头克", "change.back"),
        ("伏神何时可用?", "hidden.use"),
        ("我想换工作,官鬼持世好不好", "matter.career"),
        ("WHITE TIGERS", "spirits.tiger"),
        ("什么时候应验", "timing.what"),
        ("when will it happen", "timing.what"),
        ("void branches", "void.what"),
        ("ＡＤＶＡＮＣＩＮＧ change", "change.advance"),
    ],
)
def test_a_term_is_explained_by_its_own_passage(query: str, first: str) -> None:
    """RNR-54: in simplified and traditional characters and in English, whatever form the word has."""
    assert found(query, 1) == [first]


def test_passages_come_closest_first() -> None:
    """RNR-54: with a score, their title and what else is known of them."""
    documents = knowledge.retrieve("liu-yao", "旬空 月破", 4)
    scores = [document.score for document in documents]
    assert len(documents) == 4
    assert scores == sorted(scores, reverse=True)
    assert documents[0].score > 0
    assert documents[0].metadata.keys() == {"topic", "title"}
    assert "月" in documents[0].content


def test_one_character_is_a_query() -> None:
    """RNR-54: a trigram would not find it."""
    assert "lines.world" in found("世", 10)


@pytest.mark.parametrize("query", ["", "。。?!", '"', "   ", "quetzalcoatl"])
def test_what_says_nothing_finds_nothing(query: str) -> None:
    """RNR-54."""
    assert found(query) == []


@pytest.mark.parametrize("query", ['" OR *', "NEAR(用神", "title:用神", "用神*", "-- ;", "a AND NOT b", "卦" * 8_000])
def test_a_query_is_text_and_no_language(query: str) -> None:
    """RNR-54: nothing in it means anything to the engine, and any length will do."""
    assert len(found(query, 3)) <= 3


def test_as_many_are_found_as_are_asked_for() -> None:
    """RNR-54."""
    for top_k in (1, 2, 40):
        assert len(found("爻", top_k)) == top_k


@pytest.mark.parametrize(
    ("filters", "documents"),
    [
        (None, ["a", "b", "c"]),
        ({"lang": "en"}, ["a", "b"]),
        ({"lang": "en", "year": 2025}, ["b"]),
        ({"lang": ["zh", "en"]}, ["a", "b", "c"]),
        ({"year": [2024, 2026]}, ["a"]),
        ({"year": 1}, []),
        ({"nothing": "x"}, []),
    ],
)
def test_passages_are_filtered_by_their_metadata(
    filters: dict[str, Any] | None, documents: list[str], written: Path
) -> None:
    """RNR-54: before they are counted."""
    assert sorted(found("fish", 3, filters, "own")) == documents
    assert len(found("fish", 1, filters, "own")) == min(1, len(documents))


@pytest.mark.parametrize(
    "filters",
    [{"a": {"b": 1}}, {"a": None}, {"a": []}, {"a": [["b"]]}, {"a": list(range(51))}, {str(n): n for n in range(11)}],
)
def test_a_filter_is_a_value_or_a_list_of_values(filters: dict[str, Any]) -> None:
    """RNR-54."""
    with pytest.raises(AgentAPIException) as caught:
        knowledge.retrieve("liu-yao", "用神", 5, filters)
    assert caught.value.error.code == "invalid_argument"


def test_a_base_that_is_not_there_is_not_found(written: Path) -> None:
    """RNR-54."""
    with pytest.raises(AgentAPIException) as caught:
        knowledge.retrieve("handbook", "x")
    assert caught.value.error.code == "not_found"


def test_the_setting_adds_to_what_packages_declare(written: Path) -> None:
    """RNR-54."""
    assert {"liu-yao", "own"} <= set(knowledge.ids())
    assert knowledge.ids() == sorted({*declared.names(knowledge.ENTRY_POINTS), "own"})
    assert found("用神", 1) == ["focus.what"]


def test_the_setting_replaces_a_declared_base(written: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """RNR-54."""
    own = {"liu-yao": {"kind": "embedded", "path": str(written)}}
    monkeypatch.setitem(settings.__dict__, "knowledge_bases", json.dumps(own))
    assert "liu-yao" in knowledge.ids()
    assert knowledge.ids() == sorted(declared.names(knowledge.ENTRY_POINTS))
    assert found("fish", 3) != []


def test_a_relative_path_begins_beside_the_declared_base(monkeypatch: pytest.MonkeyPatch) -> None:
    """RNR-54: as the setting of earlier deployments has it."""
    earlier = {"liu-yao": {"kind": "embedded", "path": "liu_yao.jsonl", "name": "Liu Yao terms"}}
    monkeypatch.setitem(settings.__dict__, "knowledge_bases", json.dumps(earlier))
    assert found("用神", 1) == ["focus.what"]


def test_an_index_is_built_once(written: Path) -> None:
    """RNR-54: a warm function does not read its files again."""
    assert found("fish", 3, None, "own") != []
    for file in written.glob("*.jsonl"):
        file.unlink()
    assert found("fish", 3, None, "own") != []
