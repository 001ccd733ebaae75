"""Pydantic AI agents as runners, whose requests to models and calls of tools are durable steps (AGT-02)."""

from yarrow.adapters.pydantic_ai.runner import runner as runner
