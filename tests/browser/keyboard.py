"""The console by keyboard alone."""

from tests.browser.console import Page

MOST = 60
"""Tab stops until a control is reached."""


def tab_to(page: Page, name: str) -> None:
    """Press Tab until what has this in its name has the focus."""
    passed = []
    for _ in range(MOST):
        page.do("keyboard", key="Tab")
        focused = page.do("focused")
        assert focused["seen"] or focused["tag"] == "body", focused
        if focused["tag"] != "body" and name in focused["name"]:
            return
        passed.append(focused["name"])
    raise AssertionError(f"no {name!r} among {passed}")


def press(page: Page, key: str, times: int = 1) -> None:
    for _ in range(times):
        page.do("keyboard", key=key)
