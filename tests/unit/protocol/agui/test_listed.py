"""A client's list of messages and the stored conversation, as one."""

import pytest

from yarrow.protocol.agui.listed import merged


def _messages(names: str) -> list[dict[str, str]]:
    """Messages by the letters of their ids: `s` has the role system, `x` and `y` have ids that are not stored."""
    return [{"id": name, "role": "system" if name == "s" else "user"} for name in names]


@pytest.mark.parametrize(
    ("listed", "stored", "result"),
    [
        ("", "abc", "abc"),
        ("abc", "", "abc"),
        ("sab", "abcd", "sabcd"),
        ("c", "abcd", "abcd"),
        ("sc", "abcd", "sabcd"),
        ("ac", "abcd", "abcd"),
        ("axc", "abcd", "axcd"),
        ("abx", "abcd", "abcd"),
        ("absx", "abcd", "abscd"),
        ("xyb", "abc", "xybc"),
        ("xy", "ab", "xyab"),
        ("ba", "ab", "ab"),
    ],
)
def test_what_only_one_side_has_stays(listed: str, stored: str, result: str) -> None:
    """ASK-02: between two that both have, the client's own messages are in place of those that are stored."""
    assert "".join(message["id"] for message in merged(_messages(listed), _messages(stored))) == result


def test_activities_stay_with_the_client() -> None:
    assert merged([{"id": "a", "role": "activity"}], []) == []
