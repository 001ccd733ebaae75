"""The texts of a reading, one catalogue per language, and what is done to a whole text (`spelling`, `repetition`).

Simplified Chinese and English are written out; Traditional Chinese is converted from Simplified. English puts canonical
terms in square brackets, `[月建]`, for the glosses.
"""
