"""The console by keyboard alone: every view's controls are reached by Tab, and one sees where one is."""

from tests.browser.console import Page
from tests.browser.keyboard import press, tab_to

CONTROL = "main :is(a[href], button, input, select, textarea):not(:disabled)"
"""A view has none before what it shows is loaded."""


def test_a_hexagram_is_cast_and_asked_about_without_a_mouse(page: Page) -> None:
    page.sees(".welcome")
    tab_to(page, "Sign in")
    press(page, "Enter")
    page.sees("#name:focus")
    page.do("keyboard", text=page.user)
    press(page, "Enter")
    page.sees("#question")
    tab_to(page, "Your question")
    page.do("keyboard", text="Should I change my job this spring?")
    tab_to(page, "Throw 1 of 6")
    press(page, "Enter", times=6)
    tab_to(page, "Read it")
    press(page, "Enter")
    page.sees(".whole .grade")
    tab_to(page, "Line 6")
    press(page, "Enter")
    page.sees(".told", "Line 6")
    tab_to(page, "Ask on")
    page.do("keyboard", text="When will it be decided?")
    press(page, "Enter")
    page.do("sees", selector="article", nth=1)
    page.check()


def test_every_view_is_opened_without_a_mouse(page: Page) -> None:
    """And its first control is one Tab behind the link that skips what all views have."""
    page.sign_in()
    for view in ("Talk", "Workspace", "Jobs", "Usage", "History", "Glass"):
        tab_to(page, view)
        press(page, "Enter")
        page.sees("main h1")
        page.do("reload")
        page.sees(CONTROL)
        tab_to(page, "Skip to content")
        press(page, "Enter")
        press(page, "Tab")
        page.has("value", True, expression="document.querySelector('main').contains(document.activeElement)")
    page.check()


def open_palette(page: Page) -> None:
    """A dialog that closes gives the focus back before its page knows: until then the shortcut is for that one."""
    page.has("value", 0, expression="document.querySelectorAll('dialog').length")
    press(page, "Control+k")
    page.sees(".palette input:focus")


def test_one_goes_anywhere_by_a_name(page: Page) -> None:
    """Views, agents, sessions and languages; what has the focus has it again afterwards."""
    page.sign_in()
    page.cast("Will it rain on the wedding?")
    page.sees(".whole")
    page.do("press", selector="#on", key="Control+k")
    page.sees(".palette input:focus")
    page.do("reads", text="Will it rain")
    page.look("the palette", desktop=True)
    page.do("keyboard", text="rain wedding")
    page.has("value", 1, expression="document.querySelectorAll('.palette [role=option]').length")
    press(page, "Escape")
    page.sees("#on:focus")
    for typed, seen in (("jobs", "main.jobs h1"), ("assistant", "main.talk #words"), ("rain", "main.reading .whole")):
        open_palette(page)
        page.do("reads", text="Will it rain")  # the sessions have come
        page.do("keyboard", text=typed)
        press(page, "Enter")
        page.sees(seen)
    open_palette(page)
    page.do("keyboard", text="繁體")
    press(page, "Enter")
    page.do("reads", text="就此卦再問")
    press(page, "Control+/")
    page.sees(".shortcuts", "Ctrl")
    page.look("the shortcuts")
    press(page, "Enter")
    open_palette(page)
    page.do("keyboard", text="xyzzy")
    page.do("reads", text="沒有這個名稱。")
    press(page, "Enter")  # there is nothing to choose
    page.sees(".palette input:focus")
    page.check()
