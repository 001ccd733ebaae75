"""Cards for clients: an agent's hints, and the UiSchemaRenderer 2.0 they are compiled into.

Source: `run-input.md` (UIS-01 … UIS-04, HIS-13).
"""
