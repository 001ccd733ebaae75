"""What a run may call: the runner API, models, tools and knowledge bases."""
