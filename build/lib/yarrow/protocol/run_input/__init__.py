"""The body of `POST /runs` (`run-input.md`)."""
