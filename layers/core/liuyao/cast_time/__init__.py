"""The time of a cast: which other plates it may have, and the note of a reading that names them."""
