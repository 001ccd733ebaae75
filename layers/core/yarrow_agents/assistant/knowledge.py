"""Searches of the knowledge bases that the agent's block names, as a tool of the model (AGT-03)."""

import asyncio
from collections.abc import Iterable, Mapping
from typing import Any, Final

from yarrow.protocol.runner.api import ModelTool, RetrievedDocument
from yarrow.protocol.runner.proxy import AgentRunAPIProxy
from yarrow.protocol.runner.resources import KnowledgeBaseResource

NAME: Final = "search_knowledge"
PASSAGES: Final = 5
"""Passages of an answer, the closest of all searched bases."""
MAX_QUERY: Final = 1_000


class WrongArgumentsError(Exception):
    """The message is for model and client."""


class KnowledgeSearch:
    """Searches the granted knowledge bases of one run."""

    def __init__(self, api: AgentRunAPIProxy, granted: Iterable[KnowledgeBaseResource]) -> None:
        self._api = api
        self._bases = {base.kb_id: base.kb_name or base.kb_id for base in granted}

    def __bool__(self) -> bool:
        return bool(self._bases)

    @property
    def tool(self) -> ModelTool:
        """The tool; with several bases the model may choose one."""
        named = ", ".join(f"{kb_id} ({name})" if name != kb_id else kb_id for kb_id, name in self._bases.items())
        properties: dict[str, Any] = {"query": {"type": "string", "minLength": 1, "maxLength": MAX_QUERY}}
        if len(self._bases) > 1:
            base = {"type": "string", "enum": list(self._bases), "description": "The one to search; all without it."}
            properties["knowledge_base"] = base
        return ModelTool(
            name=NAME,
            description=f"Find passages in the knowledge bases: {named}. Search in the words of the texts.",
            parameters={
                "type": "object",
                "properties": properties,
                "required": ["query"],
                "additionalProperties": False,
            },
        )

    async def search(self, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """Return the closest passages. Raises WrongArgumentsError, and AgentAPIException if no base can be searched."""
        query, wanted = arguments.get("query"), arguments.get("knowledge_base")
        if not isinstance(query, str) or not 0 < len(query.strip()) <= MAX_QUERY:
            raise WrongArgumentsError(f"query has to be a text of 1 to {MAX_QUERY} characters")
        if wanted is not None and wanted not in self._bases:
            raise WrongArgumentsError(f"knowledge_base is one of {', '.join(self._bases)}")
        searched = list(self._bases) if wanted is None else [wanted]
        found = await asyncio.gather(
            *(self._api.knowledge.retrieve(kb_id, query, top_k=PASSAGES) for kb_id in searched)
        )
        passages = [
            (kb_id, document) for kb_id, documents in zip(searched, found, strict=True) for document in documents
        ]
        passages.sort(key=lambda passage: passage[1].score, reverse=True)
        return {"passages": [_passage(kb_id, document) for kb_id, document in passages[:PASSAGES]]}


def _passage(kb_id: str, document: RetrievedDocument) -> dict[str, Any]:
    return {
        "knowledge_base": kb_id,
        "id": document.document_id,
        "content": document.content,
        **({"metadata": document.metadata} if document.metadata else {}),
    }
