"""The body of `POST /runs`, as `run-input.md` has it."""
