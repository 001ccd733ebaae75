"""Care before any verdict: what a question says that no cast should be judged about, and what is answered instead.

`tables` holds the words that are looked for, `answers` and `help_lines` what is said; `assessment` looks a text up. All
of it is data that a clinician can review (docs/care.md).
"""

from yarrow.divination.care.assessment import Assessment, assess
from yarrow.divination.care.kinds import Caution, Kind

__all__ = ["Assessment", "Caution", "Kind", "assess"]
