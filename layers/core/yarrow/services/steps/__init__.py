"""Steps: a run's calls that cost or act, each made once however many workers the run takes (STP-01)."""
