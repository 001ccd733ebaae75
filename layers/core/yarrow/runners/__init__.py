"""The bundled runners, and discovery of installed ones."""
