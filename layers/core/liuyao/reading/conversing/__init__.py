"""Answers of a conversation about a cast: doubts, pushes for a yes or no, corrections, persons, remarks."""
