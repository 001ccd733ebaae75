"""The agents that come with Yarrow. They use the platform as any other package of agents does."""
