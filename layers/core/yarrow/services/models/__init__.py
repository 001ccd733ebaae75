"""The models a run may use: who answers for a logical id, within which limits, and what failures are called."""
