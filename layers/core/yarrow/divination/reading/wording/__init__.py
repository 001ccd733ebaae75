"""The texts of a reading, one catalogue per language: data only.

Simplified Chinese and English are written out; Traditional Chinese is converted from Simplified
(`spelling`). English puts canonical terms in square brackets, `[月建]`, for the glosses.
"""
