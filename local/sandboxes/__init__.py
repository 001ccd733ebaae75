"""Runs functions in separate processes, which end as Lambda's sandboxes do."""
