"""A package's declaration of a knowledge base: an entry point of `yarrow.knowledge`, under the base's id."""

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class KnowledgeBase:
    """Passages in a `.jsonl` file, or in all of a folder.

    Each line is a JSON object with `id`, `title`, `content` and maybe `metadata`, an object to filter by.
    """

    path: Path
