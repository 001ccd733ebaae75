"""`yarrow.protocol.ui_schema.compiler` and the models it compiles into (UIS-01 … UIS-04)."""

import json
import re
from typing import Any, Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from tests.support.effort import examples
from tests.support.paths import ROOT
from yarrow.protocol.ui_schema.compiler import MAX_NODES, MAX_SCHEMA_BYTES, ui_schema
from yarrow.protocol.ui_schema.hint_models import read_hints
from yarrow.protocol.ui_schema.hints import MAX_BYTES
from yarrow.protocol.ui_schema.renderer import UiSchemaRenderer

CALENDAR_CARD: Final = json.loads(
    """{ "version": "2.0", "locale": "zh-CN", "status": "success", "theme": "default", "root": { "type": "stack", "appearance": "card", "children": [ {"type": "text", "content": "日程已创建", "role": "title"}, {"type": "badge", "label": "SUCCESS", "status": "success"}, {"type": "text", "content": "您的会议日程创建成功", "role": "body"} ] } }"""  # noqa: E501
)
"""From the example of `run-input.md`, verbatim."""


def compiled(*cards: dict[str, Any], **members: Any) -> Any:
    return ui_schema({"status": "success", "ui_hints": {"cards": cards, **members}}, locale="zh-CN")


def test_the_documents_card_is_a_schema() -> None:
    """UIS-01, UIS-02, CMP-07: and comes back as it was."""
    assert UiSchemaRenderer.model_validate(CALENDAR_CARD).document() == CALENDAR_CARD


def test_hints_give_the_documents_card() -> None:
    """UIS-04, HIS-13."""
    card = {"status": "success", "title": {"word": "event_created"}, "body": "您的会议日程创建成功"}
    assert compiled(card) == CALENDAR_CARD


def test_a_card_shows_its_parts_in_order() -> None:
    """UIS-02, UIS-03."""
    schema = compiled(
        {
            "status": "warning",
            "icon": {"source": "emoji", "value": "📅"},
            "title": "t",
            "badge": {"label": "b", "status": "pending"},
            "subtitle": "s",
            "body": "**x**",
            "body_format": "markdown",
            "rows": [{"label": {"word": "starts"}, "value": "9:00"}],
            "lines": ["a", "", "  b"],
            "items": [{"title": "i"}, {}],
            "buttons": [{"label": "open", "url": "https://a.example/b", "style": "primary"}],
            "caption": "c",
        },
        locale="en",
        theme="dark",
    )
    assert (schema["locale"], schema["status"], schema["theme"]) == ("en", "warning", "dark")
    assert schema["root"]["children"] == [
        {"type": "icon", "source": "emoji", "value": "📅"},
        {"type": "text", "content": "t", "role": "title"},
        {"type": "badge", "label": "b", "status": "pending"},
        {"type": "text", "content": "s", "role": "subtitle"},
        {"type": "text", "content": "**x**", "role": "body", "format": "markdown"},
        {
            "type": "grid",
            "columns": 2,
            "children": [
                {"type": "text", "content": "Starts", "role": "caption"},
                {"type": "text", "content": "9:00", "role": "body"},
            ],
        },
        {"type": "text", "content": "a\n\n  b", "role": "code"},
        {"type": "stack", "appearance": "card", "children": [{"type": "text", "content": "i", "role": "title"}]},
        {
            "type": "grid",
            "columns": 1,
            "children": [{"type": "button", "label": "open", "style": "primary", "url": "https://a.example/b"}],
        },
        {"type": "text", "content": "c", "role": "caption"},
    ]


@pytest.mark.parametrize(
    ("statuses", "given_status", "shown"),
    [
        ((None,), None, "info"),
        (("success", "error", "pending"), None, "error"),
        (("success", "pending"), None, "pending"),
        (("success", "info"), None, "success"),
        (("error",), "warning", "warning"),
    ],
)
def test_the_status_is_the_gravest_of_the_cards(
    statuses: tuple[str | None, ...], given_status: str | None, shown: str
) -> None:
    """UIS-01: unless the hints give one."""
    schema = compiled(*({"title": "t", "status": status} for status in statuses), status=given_status)
    assert schema["status"] == shown
    assert len(schema["root"]["children"]) == len(statuses) or len(statuses) == 1


@pytest.mark.parametrize(
    "output",
    [
        None,
        "text",
        {},
        {"ui_hints": None},
        {"ui_hints": {"cards": [{}]}},
        {"ui_hints": {"cards": [{"title": "t"}, {"title": "t", "unknown": 1}]}},
        {"ui_hints": {"cards": [{"icon": {"source": "url", "value": "http://a.example/a.png"}}]}},
        {"ui_hints": {"cards": [{"body": float("nan")}]}},
        {"ui_hints": object()},
    ],
)
def test_what_is_no_hint_has_no_schema(output: object) -> None:
    """UIS-04."""
    assert ui_schema(output) is None


def test_a_value_of_any_depth_has_no_schema() -> None:
    """UIS-04."""
    deep: Any = []
    for _ in range(100_000):
        deep = [deep]
    assert ui_schema({"ui_hints": deep}) is None


def test_hints_and_schemas_are_bounded() -> None:
    """UIS-04: The bounds are bytes and the number of nodes."""
    full = {"body": "字" * 1_000}
    bytes_of_one = len(json.dumps(full, ensure_ascii=False).encode()) + 2
    fits = MAX_BYTES // bytes_of_one - 1
    assert read_hints({"cards": [{"items": [full] * fits}]}) is not None
    assert read_hints({"cards": [{"items": [full] * (fits + 2)}]}) is None
    row = {"label": "a", "value": "b"}

    def many(items: int) -> Any:
        return compiled(*[{"items": [{"rows": [row] * 12}] * items}] * 2)

    assert many(9) is not None  # 2 * (1 + 9 * 26) nodes and the root
    assert many(10) is None
    assert MAX_NODES == 500


def test_hostile_addresses_are_no_buttons() -> None:
    """UIS-04: a client may follow them."""
    for url in ("javascript:alert(1)", "http://a.example", "https://a.example/\n", "data:text/html,x", "https://"):
        assert compiled({"title": "t", "buttons": [{"label": "a", "url": url}]}) is None


_TEXTS: Final = st.text(max_size=20) | st.sampled_from(["t", "zh-CN", "success", "url", "https://a.example/b"])
_WORDS: Final = st.sampled_from([{"word": "cast"}, {"word": "unknown"}, {"word": 1}])
_MEMBERS: Final = st.sampled_from(
    [
        *("cards", "status", "locale", "theme", "title", "badge", "label", "subtitle", "body", "body_format"),
        *("rows", "value", "lines", "items", "buttons", "url", "icon", "source", "caption", "style", "word"),
    ]
)
_SCALARS: Final = st.none() | st.booleans() | st.integers() | st.floats() | _TEXTS
_JSON: Final = st.recursive(
    _SCALARS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(_MEMBERS | st.text(max_size=5), inner, max_size=5),
    max_leaves=20,
)
_ROW: Final = st.fixed_dictionaries({"label": _TEXTS | _WORDS, "value": _TEXTS})
_ITEM: Final[dict[str, st.SearchStrategy[Any]]] = {
    "status": st.sampled_from(["success", "error", "pending", None, "odd"]),
    "title": _TEXTS | _WORDS,
    "body": st.text(min_size=1, max_size=50),
    "rows": st.lists(_ROW, max_size=3),
    "lines": st.lists(_TEXTS, max_size=45),
    "caption": _TEXTS,
}
_CARD: Final = st.fixed_dictionaries(
    {}, optional={**_ITEM, "items": st.lists(st.fixed_dictionaries({}, optional=_ITEM), max_size=3), "extra": _JSON}
)
_HINTS: Final = st.fixed_dictionaries(
    {"cards": st.lists(_CARD, max_size=3)},
    optional={"status": st.sampled_from(["info", "warning", 3]), "locale": _TEXTS, "theme": _TEXTS},
)


@settings(max_examples=examples(150))
@given(hints_=_JSON | _HINTS)
def test_any_json_has_a_valid_schema_or_none(hints_: Any) -> None:
    """UIS-04: never an exception; the output is valid and bounded."""
    schema = ui_schema({"ui_hints": hints_})
    if schema is not None:
        assert UiSchemaRenderer.model_validate_json(json.dumps(schema)).document() == schema
        assert len(json.dumps(schema, ensure_ascii=False, separators=(",", ":")).encode()) <= MAX_SCHEMA_BYTES


@settings(max_examples=examples(50))
@given(any_=_JSON)
def test_any_output_has_a_valid_schema_or_none(any_: Any) -> None:
    """UIS-04."""
    assert ui_schema(any_) is None


@pytest.mark.parametrize(
    ("member", "wrong"),
    [
        ("version", "1.0"),
        ("locale", ""),
        ("status", "fine"),
        ("theme", "pink"),
        ("meta", {"requestID": "a"}),
        ("root", {"type": "text", "content": "a", "role": "title"}),
        ("root", {"type": "stack", "appearance": "panel", "children": []}),
        ("root", {"type": "grid", "children": [{"type": "text", "content": "a", "role": "heading"}]}),
        ("root", {"type": "stack", "children": [{"type": "badge", "label": "a", "status": "odd"}]}),
        ("root", {"type": "stack", "children": [{"type": "icon", "source": "file", "value": "a"}]}),
        ("root", {"type": "stack", "children": [{"type": "video"}]}),
    ],
)
def test_other_schemas_are_refused(member: str, wrong: Any) -> None:
    """UIS-01, UIS-02, UIS-03."""
    with pytest.raises(ValidationError):
        UiSchemaRenderer.model_validate({**CALENDAR_CARD, member: wrong})


def test_a_schema_says_where_it_comes_from_if_known() -> None:
    """UIS-01."""
    meta = {"requestId": "r", "toolId": "t", "traceId": "x", "userId": "u"}
    given_schema = {**CALENDAR_CARD, "meta": meta}
    assert UiSchemaRenderer.model_validate(given_schema).document() == given_schema


def test_the_guides_show_what_is_compiled() -> None:
    """UIS-04: the example for runners has a card, the one for clients is the document's."""
    guide, clients = (
        (ROOT / "docs" / name).read_text(encoding="utf-8") for name in ("write-a-runner.md", "clients.md")
    )
    (example,) = (text for text in re.findall(r"```json\n(.*?)```", guide, re.DOTALL) if "ui_hints" in text)
    schema = ui_schema(json.loads(example)["output"])
    assert schema is not None
    assert [child["type"] for child in schema["root"]["children"]] == ["text", "badge", "text", "grid", "grid"]
    (shown,) = (text for text in re.findall(r"```json\n(.*?)```", clients, re.DOTALL) if '"version"' in text)
    assert json.loads(shown) == CALENDAR_CARD
