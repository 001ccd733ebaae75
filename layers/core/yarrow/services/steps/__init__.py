"""Steps: a run's calls that cost or act. A finished one is never made again, whatever worker goes on (STP-01)."""
