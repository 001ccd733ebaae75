"""The work on one run: prepare it, run its agent, write what it gives to the journal."""
