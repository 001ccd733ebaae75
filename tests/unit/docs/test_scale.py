"""The page about scale has the tables of its model, and the model what it is made of."""

import pytest

from tests.bench import scale
from tests.bench.figures import bill, page, user_day
from yarrow.store.limits import stream_slots

TEXT, *OTHERS = (path.read_text(encoding="utf-8") for path in page.PAGES)


def test_the_page_has_the_tables_of_the_model() -> None:
    """If it does not: python -m tests.bench.figures.page."""
    for other in (TEXT, *OTHERS):
        assert page.written(other) == other


def test_every_table_of_the_model_is_on_one_page_once() -> None:
    found = [name for other in (TEXT, *OTHERS) for name, _, _ in page.TABLE.findall(other)]
    assert sorted(found) == sorted(page.TABLES)


def test_a_table_that_differs_from_the_model_is_found() -> None:
    changed = TEXT.replace("| **all** |", "| **everything** |")
    assert changed != TEXT
    assert page.written(changed) == TEXT


def test_limits_are_in_the_order_in_which_users_reach_them() -> None:
    found = scale.limits()
    assert [limit.users for limit in found] == sorted(limit.users for limit in found)
    for limit in found:
        assert limit.load(limit.users) == pytest.approx(limit.value)


def test_all_that_has_a_price_is_on_the_bill() -> None:
    used = bill.used(1000)
    assert used.keys() == bill.PRICES.keys()
    assert sum(bill.bill(1000).values()) == pytest.approx(sum(bill.price(name, used[name]) for name in used))


def test_a_price_in_steps_is_that_of_each_step() -> None:
    """The case is that of operations.md for a million users of a month."""
    assert bill.price("cognito lite monthly users", 10_000) == 0
    assert bill.price("cognito lite monthly users", 100_000) == pytest.approx(495)
    assert bill.price("cognito lite monthly users", 1_000_000) == pytest.approx(4_635)


def test_a_slot_is_renewed_as_often_as_the_model_says() -> None:
    assert scale.RENEW_SECONDS == stream_slots.RENEW_SECONDS


def test_each_limit_of_a_user_is_below_that_of_its_route() -> None:
    """Requests that are refused have none."""
    for door in user_day.doors():
        assert 0 < door.by_user < door.by_route or door.name.startswith("requests that are refused")
        assert 0 < door.price(door.by_user) <= door.price(door.by_route)
