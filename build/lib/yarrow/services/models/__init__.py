"""Models: providers by logical id, limits, and public errors."""
