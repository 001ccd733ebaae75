"""Formats of no single document: JSON text, dates, WAV, patches. No I/O."""
