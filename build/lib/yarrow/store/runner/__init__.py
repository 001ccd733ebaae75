"""What the host keeps for runners: grants, tokens, state, secrets, storage."""
