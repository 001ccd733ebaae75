"""What a run of the tests prints: each failure when it happens, and at the end why tests were skipped, and the time."""

import resource
import time
from collections import Counter

import pytest


class Summary:
    """Counts over all processes of the tests. With `-n`, pytest's own output names no test before the end."""

    def __init__(self, config: pytest.Config) -> None:
        self._config = config
        self._began = time.monotonic()

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed and self._config.option.verbose <= 0:
            terminal: pytest.TerminalReporter = self._config.pluginmanager.getplugin("terminalreporter")
            terminal.write_line(f"\nFAILED {report.nodeid}")

    @pytest.hookimpl(trylast=True)
    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Print a line for each reason, and the CPU seconds of the processes that were waited for."""
        skipped = terminalreporter.stats.get("skipped", [])
        for reason, number in Counter(_reason(report) for report in skipped).most_common():
            terminalreporter.write_line(f"{number:5} skipped: {reason}")
        used = sum(sum(resource.getrusage(who)[:2]) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
        terminalreporter.write_line(f"{used:.0f} CPU seconds in {time.monotonic() - self._began:.0f} seconds")


def _reason(report: pytest.TestReport | pytest.CollectReport) -> str:
    reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
    return reason.removeprefix("Skipped: ")
