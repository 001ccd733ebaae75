"""Executing one run: prepare it, run its agent, write its events to the journal."""
