"""What a run may ask of its host: models, tools, knowledge, stores."""
