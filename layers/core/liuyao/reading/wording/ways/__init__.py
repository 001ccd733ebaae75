"""Other ways to say the sentences of the catalogues, and the reasons in plain words."""
