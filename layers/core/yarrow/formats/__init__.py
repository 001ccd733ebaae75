"""Formats that belong to no one document: JSON text, dates, WAV, patches. No I/O."""
