"""General formats: JSON text, dates, WAV, patches. No I/O."""
