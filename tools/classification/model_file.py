"""Writes model files (`liuyao.classification.model`)."""

import json
import zlib
from collections.abc import Mapping, Sequence
from typing import Any

from liuyao.classification.model import MAGIC


def pack(
    labels: Sequence[str],
    biases: Sequence[float],
    scales: Sequence[float],
    weights: Sequence[bytes],
    thresholds: Mapping[str, float],
    about: Mapping[str, Any],
) -> bytes:
    """Return a model file; `weights` are signed bytes by label, one a bucket."""
    header = {
        "labels": list(labels),
        "buckets": len(weights[0]),
        "biases": list(biases),
        "scales": list(scales),
        "thresholds": dict(thresholds),
        "about": dict(about),
    }
    head = json.dumps(header, sort_keys=True).encode()
    return MAGIC + len(head).to_bytes(4, "big") + head + zlib.compress(b"".join(weights), 9)
