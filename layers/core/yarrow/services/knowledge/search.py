"""The knowledge bases of a deployment, and a search in one of them (RNR-54).

The setting `KNOWLEDGE_BASES` is a JSON object of bases by id:

    {"handbook": {"kind": "bedrock", "id": "ABCDEFGHIJ", "name": "Handbook"},
     "liu-yao": {"kind": "embedded", "path": "liu_yao.jsonl", "name": "Liu Yao terms"}}

Permissions are checked before this module is called.
"""

from collections.abc import Mapping
from functools import cache
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

from yarrow.protocol.runner.api import AgentAPIException, RetrievedDocument
from yarrow.services.knowledge import bedrock
from yarrow.services.knowledge.filters import read_filters
from yarrow.settings import settings


class _Base(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)

    name: str | None = None


class _Bedrock(_Base):
    kind: Literal["bedrock"]
    id: str


class _Embedded(_Base):
    """A file or folder of passages; a relative path is below `bases`."""

    kind: Literal["embedded"]
    path: str


_BASES = TypeAdapter(dict[str, Annotated[_Bedrock | _Embedded, Field(discriminator="kind")]])


def retrieve(
    kb_id: str, query: str, top_k: int = 5, filters: Mapping[str, Any] | None = None
) -> list[RetrievedDocument]:
    """Up to `top_k` passages, best first; scores are comparable within one base.

    `filters` maps metadata members to a required value or list of values. Raises AgentAPIException: `not_found`,
    `invalid_argument`, `rate_limited`, `runtime_error`.
    """
    base = _configured(settings.knowledge_bases).get(kb_id)
    if base is None:
        raise AgentAPIException("not_found", "there is no such knowledge base")
    wanted = read_filters(filters or {})
    if isinstance(base, _Bedrock):
        return bedrock.retrieve(base.id, query, top_k, wanted)
    from yarrow.services.knowledge import embedded  # imports SQLite, which few functions need

    return embedded.retrieve(base.path, query, top_k, wanted)


@cache
def _configured(text: str) -> dict[str, _Bedrock | _Embedded]:
    return _BASES.validate_json(text)
