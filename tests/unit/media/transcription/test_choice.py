"""Which recogniser a deployment chooses."""

import subprocess
import sys

import pytest

from yarrow.media.transcription import amazon, embedded
from yarrow.media.transcription.choice import recogniser_named


def test_a_recogniser_is_chosen_by_its_name() -> None:
    """ASR-01."""
    assert recogniser_named("amazon") is amazon.recognise
    assert recogniser_named("embedded") is embedded.recognise


@pytest.mark.parametrize("name", ["", "Amazon", "whisper"])
def test_a_name_that_nobody_has_is_told_at_once(name: str) -> None:
    """ASR-03: not when the first caller speaks."""
    with pytest.raises(ValueError, match=f"TRANSCRIBER must be amazon or embedded, not '{name}'"):
        recogniser_named(name)
    code = f"import os; os.environ['TRANSCRIBER'] = {name!r}; import functions.transcribe.app"
    started = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert started.stderr.splitlines()[-1] == f"ValueError: TRANSCRIBER must be amazon or embedded, not {name!r}"
    assert started.returncode == 1


def test_a_deployment_on_aws_needs_no_recogniser_of_its_own() -> None:
    """ASR-01: the layer does not have one."""
    code = "import sys, functions.transcribe.app; print('pocketsphinx' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout == "False\n"
