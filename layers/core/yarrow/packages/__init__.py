"""The declarations of packages beside the platform, by entry points."""
