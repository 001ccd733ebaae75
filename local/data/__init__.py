"""The data folder: SQLite databases for one local stack at a time."""
