"""The knowledge bases of a deployment, and a search in one of them (RNR-54).

Packages declare bases (`KnowledgeBase`). The setting `KNOWLEDGE_BASES`, a JSON object of bases by id, adds others and
replaces those of the same id:

    {"handbook": {"kind": "bedrock", "id": "ABCDEFGHIJ", "name": "Handbook"},
     "manual": {"kind": "embedded", "path": "/opt/manual.jsonl", "name": "Manual"}}

Permissions are checked before this module is called.
"""

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Annotated, Any, Final, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

from yarrow.packages import declared
from yarrow.protocol.runner.api import AgentAPIException, RetrievedDocument
from yarrow.protocol.runner.knowledge import KnowledgeBase
from yarrow.services.knowledge import bedrock
from yarrow.services.knowledge.filters import read_filters
from yarrow.settings import settings

ENTRY_POINTS: Final = "yarrow.knowledge"
"""Entry point group of KnowledgeBase objects, each under the base's id."""


class _Base(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)

    name: str | None = None


class _Bedrock(_Base):
    kind: Literal["bedrock"]
    id: str


class _Embedded(_Base):
    """A file or folder of passages; a relative path begins where the declared base of the same id is."""

    kind: Literal["embedded"]
    path: str


_BASES = TypeAdapter(dict[str, Annotated[_Bedrock | _Embedded, Field(discriminator="kind")]])


def retrieve(
    kb_id: str, query: str, top_k: int = 5, filters: Mapping[str, Any] | None = None
) -> list[RetrievedDocument]:
    """Return up to `top_k` passages, best first; scores are comparable within one base.

    `filters` maps metadata members to a required value or list of values. Raises AgentAPIException: `not_found`,
    `invalid_argument`, `rate_limited`, `runtime_error`.
    """
    base = _configured(settings.knowledge_bases).get(kb_id) or _declared().get(kb_id)
    if base is None:
        raise AgentAPIException("not_found", "there is no such knowledge base")
    wanted = read_filters(filters or {})
    if isinstance(base, _Bedrock):
        return bedrock.retrieve(base.id, query, top_k, wanted)
    from yarrow.services.knowledge import embedded  # imports SQLite, which few functions need

    return embedded.retrieve(_path(kb_id, base), query, top_k, wanted)


def ids() -> list[str]:
    """Return the ids of all bases, sorted. Raises ValueError for an invalid setting."""
    return sorted({*_configured(settings.knowledge_bases), *declared.names(ENTRY_POINTS)})


def _path(kb_id: str, base: _Embedded | KnowledgeBase) -> Path:
    if isinstance(base, KnowledgeBase):
        return base.path
    beside = _declared().get(kb_id)
    return Path(base.path) if beside is None else beside.path.parent / base.path


@cache
def _configured(text: str) -> dict[str, _Bedrock | _Embedded]:
    return _BASES.validate_json(text)


@cache
def _declared() -> dict[str, KnowledgeBase]:
    return dict(declared.objects(ENTRY_POINTS, KnowledgeBase))
