"""Strands agents as runners, whose requests to models and calls of tools are durable steps (AGT-02)."""

from yarrow.adapters.strands.runner import runner as runner
