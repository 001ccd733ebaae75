"""The agents that come with Yarrow. Each reaches the platform as anybody's package does."""
