"""LangGraph graphs as runners, whose nodes are durable steps (AGT-02)."""

from yarrow.adapters.langgraph.chat_model import ChatYarrow as ChatYarrow
from yarrow.adapters.langgraph.runner import runner as runner
