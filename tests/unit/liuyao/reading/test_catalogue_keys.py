"""Every sentence that a reading asks its catalogue for is there, in each language."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import liuyao.reading
from liuyao.reading import Language
from liuyao.reading.catalogues import CATALOGUES

ROOM = Path(liuyao.reading.__file__).parent
ASKED = {"phrase": "sentences", "varied": "sentences", "reply": "replies", "way": "roles"}
"""What of a catalogue each method of `Voice` looks a key up in."""


def keys() -> Iterator[tuple[str, str, bool]]:
    """Yield what is asked of the catalogue, with what of it, and whether it is whole: else the part before a value."""
    for path in sorted(ROOM.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.args):
                continue
            of, key = ASKED.get(node.func.attr), node.args[0]
            if of is None or "voice" not in ast.unparse(node.func.value):
                continue
            if isinstance(key, ast.Constant) and isinstance(key.value, str):
                yield of, key.value, True
            elif isinstance(key, ast.JoinedStr) and isinstance(key.values[0], ast.Constant):
                yield of, str(key.values[0].value), False


ALL = sorted(set(keys()))


def test_the_rooms_ask_their_catalogue() -> None:
    assert len(ALL) > 100


@pytest.mark.parametrize("language", list(Language))
def test_what_is_asked_for_is_there(language: Language) -> None:
    """A missing one would fail a run."""
    words = CATALOGUES[language]
    missing = [
        key
        for of, key, is_whole in ALL
        if not (key in getattr(words, of) if is_whole else any(name.startswith(key) for name in getattr(words, of)))
    ]
    assert not missing
