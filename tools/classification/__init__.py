"""Trains the linear classifiers of `liuyao.classification` on the sentences in `training/`."""
