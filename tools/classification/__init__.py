"""Trains the linear classifiers of `yarrow.divination.classification` on the sentences in `training/`."""
