"""The host: accepts a run, binds it to a runner, runs it against one journal and ends it, once."""
