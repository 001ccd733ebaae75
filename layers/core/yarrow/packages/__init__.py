"""What the packages beside the platform declare, by entry points."""
