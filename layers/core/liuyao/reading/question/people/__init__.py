"""The people a question names: who they are to the asker, and which of them it is about."""
