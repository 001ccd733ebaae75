"""The words of a reading, a catalogue for each language: data only.

Simplified Chinese and English are written out; Traditional Chinese is the Simplified catalogue in traditional
characters (`spelling`). In English a canonical term stands in square brackets, `[月建]`: the voice glosses its first
mention.
"""
