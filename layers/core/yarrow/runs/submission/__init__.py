"""The steps of submitting a run: read, admit, plan."""
