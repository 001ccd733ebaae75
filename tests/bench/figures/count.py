"""`python -m tests.bench.figures.count` counts again what a run uses: `run_use.json`, which the model of scale reads.

Then `python -m tests.bench.figures.page` writes docs/scale.md again.
"""

import json
import logging
from pathlib import Path
from typing import Any, Final

from tests.bench import bench_cost

FILE: Final = Path(__file__).parent.parent / "run_use.json"


def counted() -> dict[str, Any]:
    """As the file has it; amounts to four digits, since a run's items have times in them."""
    used, requests = bench_cost.use_of_a_run()
    return {
        "seconds": bench_cost.SECONDS,
        "run": {
            "requests": dict(sorted(requests.items())),
            "used": {name: float(f"{amount:.4g}") for name, amount in used.items()},
        },
        "firing": bench_cost.use_of_a_firing(),
    }


if __name__ == "__main__":
    logging.disable(logging.INFO)
    FILE.write_text(json.dumps(counted(), indent=2) + "\n", encoding="utf-8")
