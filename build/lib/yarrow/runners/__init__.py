"""The bundled runners, and how installed ones are found."""
