"""The state of a workspace: the fold of its log. Pure."""
