"""Backend tools and their registry."""
