"""What the local stack keeps on disk: a folder with SQLite databases, for one stack at a time."""
