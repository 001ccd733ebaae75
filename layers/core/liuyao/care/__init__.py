"""Finds questions that get no reading (crisis, emergency, death, treatment), and has the replies to them.

`tables` are the phrases, `answers` and `help_lines` the replies, `assessment` the matcher. All of it is data that a
clinician can review (docs/care.md).
"""

from liuyao.care.assessment import Assessment, assess
from liuyao.care.kinds import Caution, Kind

__all__ = ["Assessment", "Caution", "Kind", "assess"]
