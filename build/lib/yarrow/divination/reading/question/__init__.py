"""What is asked: the matter, the words that name it, the language it is put in."""
