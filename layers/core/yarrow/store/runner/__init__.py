"""Runner data: grants, tokens, state, secrets, storage."""
