"""Classifies text by linear models over hashed n-grams, in pure Python.

`tools/classification` trains them; a model file holds the weights of several labels (`model`).
"""

from liuyao.classification.model import Classifier, load

__all__ = ["Classifier", "load"]
