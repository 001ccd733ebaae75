"""The words that a runner's manifest, an operator's policy and the host's API share: ids, operations, areas, scopes.

Source: `agent-runner.md` §3.4, §4.11, §7. They stand apart from the models that use them, for whoever needs no model.
"""

from typing import Annotated, Literal

from pydantic import StringConstraints

RunnerId = Annotated[str, StringConstraints(pattern=r"^plugin:[^/\s:]+/[^/\s:]+/[^/\s:]+$", max_length=256)]
"""`plugin:author/name/runner`, three parts that are not empty (RNR-02)."""

ModelOperation = Literal["invoke", "stream", "rerank"]
ToolOperation = Literal["detail", "call"]
KnowledgeOperation = Literal["list", "retrieve"]
HistoryOperation = Literal["page", "search"]
EventOperation = Literal["get", "page"]
ArtifactOperation = Literal["metadata", "read"]
StorageArea = Literal["plugin", "workspace", "binding"]
StateScope = Literal["conversation", "actor", "subject", "runner", "binding"]
