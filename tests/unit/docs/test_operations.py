"""The limits that the operations page names are the template's defaults."""

import re

from local.translation import translate
from tests.support.paths import ROOT

PAGE = (ROOT / "docs/operations.md").read_text(encoding="utf-8")
NAMED = re.findall(r"`([A-Z]\w+)`(?: [a-z]+){0,3}(?: \(| )(\d[\d,]*)", PAGE)


def test_a_limit_is_named_with_its_default() -> None:
    """CMP-12, ASR-03: what a user may use of runs, streams, models and speech."""
    parameters = translate(ROOT / "template.yaml", {})["Parameters"]
    defaults = {name: str(parameter["Default"]) for name, parameter in parameters.items()}
    named = {(name, value.replace(",", "")) for name, value in NAMED if name in defaults}
    limits = {name for name, _ in named}
    assert limits >= {
        *("RunsPerUser", "RunsPerMinute", "RunBytesPerMinute"),
        *("StreamsPerUser", "StreamsPerMinute", "StreamBytesPerMinute"),
        *("TokensPerUserPerDay", "TranscriptionSeconds", "TranscriptionSecondsPerDay"),
        *("UploadsPerMinute", "SignedUrlsPerMinute", "RateLimit", "RunRateLimit", "UploadRateLimit"),
    }
    assert {pair for pair in named if pair[1] != defaults[pair[0]]} <= {
        ("WorkerMemory", "512")
    }  # an advice, no default
