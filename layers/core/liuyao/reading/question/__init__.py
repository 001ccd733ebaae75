"""The question: its matter, keywords and language."""
