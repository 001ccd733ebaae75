"""The use cases of automation jobs: a user's input that runs at set times."""
