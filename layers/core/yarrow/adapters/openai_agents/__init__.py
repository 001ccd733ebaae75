"""Agents of the OpenAI Agents SDK as runners, whose requests to models and calls of tools are steps (AGT-02)."""

from yarrow.adapters.openai_agents.runner import runner as runner
