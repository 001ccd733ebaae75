"""Names other plates that the time of a cast could have, and adds a note to the reading."""
