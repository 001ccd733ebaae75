"""What the command `yarrow` draws and reads, without a service."""

import argparse
import io
import json
import random
import re
import shlex
from datetime import UTC, datetime, timedelta, timezone
from importlib.metadata import version
from types import SimpleNamespace
from typing import Any

import pytest
from rich.cells import cell_len
from rich.console import Console

from liuyao import DivinationPayload, derive
from liuyao.coins import yao_of_hua
from liuyao.hexagrams import HEXAGRAMS
from liuyao.time_cast import lines_at as served_lines_at
from tests.support.example_cast import EXAMPLE
from tests.support.paths import ROOT
from yarrow.protocol.problems import Code
from yarrow_client.cli import coins
from yarrow_client.cli.actions import Context
from yarrow_client.cli.command import run
from yarrow_client.cli.hexagram import PALACES, stem, stems
from yarrow_client.cli.history import history
from yarrow_client.cli.input import harmless
from yarrow_client.cli.parser import parser
from yarrow_client.cli.plate import plate
from yarrow_client.cli.prose import fold
from yarrow_client.cli.service import Tokens, Unset
from yarrow_client.cli.texts.codes import CODES
from yarrow_client.cli.texts.manual import ARGUMENTS, COMMANDS, EXAMPLES, MISTAKES
from yarrow_client.cli.texts.messages import MESSAGES
from yarrow_client.cli.view import RunView
from yarrow_client.cli.words import LANGUAGES, Words, language_asked, language_of
from yarrow_client.effects import Event

LINES = ["少阳", "少阴", "老阳", "少阴", "少阳", "老阴"]


def divination(lines: list[str]) -> dict[str, Any]:
    document: dict[str, Any] = json.loads(
        derive(DivinationPayload.model_validate({**EXAMPLE, "yaoLines": lines})).model_dump_json(by_alias=True)
    )
    return document


def drawn(document: dict[str, Any], language: str, width: int) -> list[str]:
    console = Console(file=io.StringIO(), width=width, highlight=False)
    console.print(plate(document, Words(language), width))
    assert isinstance(console.file, io.StringIO)
    return [line.rstrip() for line in console.file.getvalue().splitlines()]


def test_palaces_and_stems_are_those_of_the_derivation() -> None:
    """DIV-04: of all 64 hexagrams, and of what is hidden in them."""
    for code, hexagram in HEXAGRAMS.items():
        assert PALACES[code] == (hexagram.palace.name, hexagram.generation), code
        assert tuple(stems(code)) == hexagram.stems, code
        assert [stem(PALACES[code].name, line.position) for line in hexagram.hidden] == [
            line.stem for line in hexagram.hidden
        ], code


def test_the_plate_is_drawn_as_in_the_books() -> None:
    """DIV-06: It has the names, marks and voids that `--show` draws, the highest line on top."""
    assert drawn(divination(LINES), "zh-CN", 80)[:10] == [
        "水火既济（坎宫三世） 之 风雷益（巽宫三世）",
        "丙午年  辛卯月  丁未日  庚戌时  旬空 寅卯",
        "",
        "六神  伏神        本卦                       变卦",
        "青龙              兄弟戊子水    ▅▅ ▅▅  × 应  ▅▅▅▅▅  子孙辛卯木空",
        "玄武              官鬼戊戌土    ▅▅▅▅▅        ▅▅▅▅▅  妻财辛巳火",
        "白虎              父母戊申金    ▅▅ ▅▅        ▅▅ ▅▅  官鬼辛未土",
        "螣蛇  妻财戊午火  兄弟己亥水    ▅▅▅▅▅  ○ 世  ▅▅ ▅▅  官鬼庚辰土",
        "勾陈              官鬼己丑土    ▅▅ ▅▅        ▅▅ ▅▅  子孙庚寅木空",
        "朱雀              子孙己卯木空  ▅▅▅▅▅        ▅▅▅▅▅  兄弟庚子水",
    ]


def test_its_columns_are_aligned_and_fit_at_every_width() -> None:
    """A Chinese character takes two cells; 64 cells are enough."""
    chance = random.Random(6)
    for width in (64, 80, 120):
        for _ in range(30):
            document = divination([yao_of_hua(chance.randint(0, 3)) for _ in range(6)])
            rows = drawn(document, "zh-TW", width)[4:10]
            assert all(cell_len(row) <= width for row in rows)
            bars = {cell_len(row[: row.index("▅")]) for row in rows}
            assert len(bars) == 1, rows
            assert "…" not in "".join(rows)


def test_traditional_words_are_those_of_the_wire() -> None:
    text = "\n".join(drawn(divination(LINES), "zh-TW", 80))
    assert "水火既濟（坎宮三世）" in text
    assert "妻財戊午火" in text
    assert not set("龙济财孙应变宫时") & set(text)


def test_a_cast_by_time_is_that_of_the_service() -> None:
    """DIV-09: Random moments in many offsets include the boundaries of hours and days."""
    terms = json.loads((ROOT / "console/solar_terms.json").read_text(encoding="utf-8"))
    chance = random.Random(7)
    for _ in range(300):
        offset = timezone(timedelta(minutes=chance.randrange(-720, 841, 15)))
        moment = datetime.fromtimestamp(chance.randrange(-2_000_000_000, 4_000_000_000), offset)
        moment = chance.choice([moment, moment.replace(hour=23, minute=0, second=0), moment.replace(minute=0)])
        assert coins.lines_at(moment, terms) == list(served_lines_at(moment)), moment
    assert coins.lines_at(datetime(1850, 1, 1, tzinfo=UTC), terms) == []
    assert coins.lines_at(datetime(2200, 1, 1, tzinfo=UTC), terms) == []


def test_three_coins_make_a_line() -> None:
    """DIV-10: The chances are 1 : 3 : 3 : 1."""
    every = [(bool(bits & 1), bool(bits & 2), bool(bits & 4)) for bits in range(8)]
    assert [coins.line_of(item) for item in every] == [yao_of_hua(sum(item)) for item in every]
    assert {coins.throw() for _ in range(400)} == set(every)


def test_lines_are_read_as_numbers_or_names() -> None:
    assert coins.read_lines("787986") == ["少阳", "少阴", "少阳", "老阳", "少阴", "老阴"]
    assert coins.read_lines("少陽，少阴,老阳 少阴、少阳 老陰") == ["少阳", "少阴", "老阳", "少阴", "少阳", "老阴"]
    for text in ("78798", "7879866", "78798x", "", "少阳少阴", "787 98 5"):
        with pytest.raises(coins.NotLines):
            coins.read_lines(text)


def test_chinese_text_is_folded_by_its_rules() -> None:
    """Nothing is lost, no line is too long, none begins with what ends a clause, no date is parted."""
    text = "变爻为患，应期待冲去变爻，看卯月（2027年3月6日至4月4日），或用神逢值的寅月（2027年2月4日至3月5日）。"
    for width in range(20, 100):
        lines = fold(text, width).split("\n")
        assert "".join(lines) == text
        assert all(cell_len(line) <= width for line in lines)
        assert not any(line[0] in "，。）、" or line[-1] in "（" for line in lines)
        assert sum(line.count("2027年") for line in lines) == 2
    assert fold("", 20) == ""
    assert fold("one two three", 7) == "one two\nthree"
    assert fold("x" * 30, 7) == "x" * 30


def test_what_came_from_elsewhere_commands_no_terminal() -> None:
    """A model, a tool or a user may have said anything."""
    evil = "\x1b]0;title\x07\x1b[2Jred\x9b31m\r\nnext\tcell"
    shown = harmless({"text": [evil], "number": 3})
    assert shown == {"text": ["]0;title[2Jred31m\nnext\tcell"], "number": 3}
    console = Console(file=io.StringIO(), width=80, force_terminal=True, color_system=None)
    events = [
        Event(1, {"type": "TEXT_MESSAGE_CONTENT", "delta": evil}),
        Event(2, {"type": "TOOL_CALL_RESULT", "toolCallId": "t", "content": evil}),
        Event(3, {"type": "TEXT_MESSAGE_END"}),
    ]
    for event in events:
        RunView(console, Words("en")).show([event])
    RunView(console, Words("en")).show(events)
    assert isinstance(console.file, io.StringIO)
    text = console.file.getvalue()
    assert "next" in text
    assert "\x07" not in text
    assert "\x1b[2J" not in text
    assert "\x9b" not in text


def test_the_language_is_that_of_the_locale() -> None:
    locales = {"zh_CN.UTF-8": "zh-CN", "zh_TW.UTF-8": "zh-TW", "zh_HK": "zh-TW", "en_US.UTF-8": "en", "C": "en"}
    assert {name: language_of({"LANG": name}) for name in locales} == locales
    assert language_of({"LANG": "zh_CN", "LC_ALL": "en_GB"}) == "en"
    assert language_of({}) == "en"
    assert set(LANGUAGES) == set(locales.values())


def test_a_token_is_never_fetched_for_another_host(monkeypatch: pytest.MonkeyPatch) -> None:
    """SEC-01: an issuer of its own is only on this machine."""
    monkeypatch.setattr("httpx2.post", lambda *_, **__: pytest.fail("it was asked"))
    words = Words("en")
    with pytest.raises(Unset):
        Tokens("https://api.example", "alice", words, {})(None)
    assert Tokens("https://api.example", "alice", words, {"YARROW_TOKEN": "mine"})(None) == "mine"


def test_every_command_is_described() -> None:
    text = parser(Words("en")).format_help()
    names = ("cast", "watch", "tail", "history", "outcome", "record", "chat", "cancel", "upload")
    assert all(f"    {name} " in text for name in names)
    assert "exit codes" in text


def test_each_command_has_an_example_that_it_takes() -> None:
    """The help shows it as it can be typed."""
    known = parser(Words("en"))
    for name, example in EXAMPLES.items():
        program, *arguments = shlex.split(example.partition(" >> ")[0])
        assert program == "yarrow"
        assert known.parse_args(arguments).command == name
    shown = [line.split()[0] for line in known.format_help().splitlines() if re.match(r"    \w", line)]
    assert sorted(shown) == sorted(EXAMPLES)


def test_options_of_every_command_stand_before_it_or_after_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """In every language; the later one counts, and what was said before a command is not lost to its defaults."""
    monkeypatch.setenv("YARROW_URL", "http://of-the-environment")
    said = ["--url", "http://a", "--user", "bob", "--lang", "zh-TW", "--json"]
    expected = {"url": "http://a", "user": "bob", "lang": "zh-TW", "json": True}
    for language in LANGUAGES:
        known = parser(Words(language))
        unsaid = {"url": "http://of-the-environment", "user": "alice", "lang": language, "json": False}
        for example in EXAMPLES.values():
            arguments = shlex.split(example.partition(" >> ")[0])[1:]
            own = {name: value for name, value in vars(known.parse_args(arguments)).items() if name not in expected}
            assert vars(known.parse_args([*said, *arguments])) == {**own, **expected}
            if own["command"] not in ("new", "completion"):
                assert vars(known.parse_args([*arguments, *said])) == {**own, **expected}
        assert {**vars(known.parse_args(["record"])), **unsaid} == vars(known.parse_args(["record"]))
        assert known.parse_args(["--url", "http://a", "record", "--url", "http://b"]).url == "http://b"
        shown = known.format_help()
        assert all(f"  {option}" in shown for option in ("--url", "--user", "--lang", "--json"))


def test_the_version_is_that_of_the_package(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        parser(Words("en")).parse_args(["--version"])
    assert ended.value.code == 0
    assert capsys.readouterr().out == f"yarrow {version('yarrow-client')}\n"


PLACES = re.compile(r"\{\w*\}")


def test_no_text_lacks_a_language() -> None:
    """Each has the same places to fill; none but a name is the same in English and Chinese."""
    tables = {**MESSAGES, **{f"command {name}": texts for name, texts in COMMANDS.items()}, **ARGUMENTS}
    tables |= {pattern.pattern: texts for pattern, texts in MISTAKES}
    for name, texts in tables.items():
        assert len(texts) == len(LANGUAGES), name
        assert all(text.strip() for text in texts), name
        assert len({tuple(sorted(PLACES.findall(text))) for text in texts}) == 1, name
        if name != "new --framework":
            assert not any(text.isascii() for text in texts[1:]), name
        assert texts[0].isascii() or name in {"上上签", "event"}, name
    known = set(Code.__members__) | {"RUN_CANCELED"}
    assert set(CODES) <= known
    assert all(len(texts) == 2 and all(texts) for texts in CODES.values())


def test_every_argument_is_described_in_every_language() -> None:
    """Nothing in the help is left to argparse, whose texts are English."""
    for language in LANGUAGES:
        known = parser(Words(language))
        (commands,) = (action for action in known._actions if isinstance(action, argparse._SubParsersAction))
        assert set(commands.choices) == set(EXAMPLES) == set(COMMANDS) - {""}
        for name, command in commands.choices.items():
            text = command.format_help()
            assert EXAMPLES[name] in text
            assert all(action.help for action in command._actions)
            if language != "en":
                assert not re.search(r"positional|options:|usage:|show this|exit codes|example:", text)


@pytest.mark.parametrize(
    "arguments",
    [
        ("watch", "THREAD"),
        ("histry",),
        ("history", "--limit", "many"),
        ("history", "--limit"),
        ("history", "--nonsense"),
        ("answer", "--yes", "--no"),
        ("outcome", "THREAD", "perhaps"),
        ("jobs", "--yes=1"),
        ("jobs", "--start"),
        (),
    ],
)
def test_wrong_arguments_are_explained_in_the_readers_language(
    arguments: tuple[str, ...], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """ERR-01."""
    for locale, begins in (("zh_CN.UTF-8", "错误："), ("zh_TW.UTF-8", "錯誤："), ("C", "error: ")):
        monkeypatch.setenv("LC_ALL", locale)
        with pytest.raises(SystemExit) as ended:
            run(arguments)
        assert ended.value.code == 2
        usage, _, said = capsys.readouterr().err.rpartition(begins)
        assert usage.startswith({"C": "usage: "}.get(locale, "用法："))
        assert said.isascii() == (locale == "C")


def test_the_language_of_the_help_is_the_one_that_is_asked_for() -> None:
    """The help and the errors need it before the arguments are parsed."""
    for arguments in (["history", "--lang", "zh-TW"], ["history", "--lang=zh-TW", "-h"], ["--lang", "zh-TW"]):
        assert language_asked(arguments, {"LANG": "en_US"}) == "zh-TW"
    assert language_asked(["--lang", "en", "history", "--lang", "zh-TW"], {}) == "zh-TW"
    assert language_asked(["chat", "--lang"], {"LANG": "zh_CN"}) == "zh-CN"
    assert language_asked(["chat", "--lang", "xx"], {"LANG": "zh_CN"}) == "zh-CN"
    assert language_asked([], {}) == "en"


def test_a_refusal_is_explained_in_the_readers_language() -> None:
    """In English, and where a code has no text, the service's own sentence says more."""
    detail = "The session has an active run."
    assert Words("zh-CN").problem("AGENT_RUN_IN_PROGRESS", detail) == "会话里有一次运行还在进行"
    assert Words("zh-TW").problem("AGENT_RUN_IN_PROGRESS", detail) == "對話裡有一次執行還在進行"
    assert Words("en").problem("AGENT_RUN_IN_PROGRESS", detail) == detail
    assert Words("zh-CN").problem(502, "HTTP 502") == "HTTP 502"


def test_ids_are_whole_at_sixty_columns() -> None:
    """They are there to be copied; the text behind them is cut."""
    console = Console(file=io.StringIO(), width=60, force_terminal=True, color_system=None, highlight=False)
    thread = "550e8400-e29b-41d4-a716-446655440000"
    message = {"timestamp": "2026-11-22T23:43:06+00:00", "threadId": thread, "content": "a long answer " * 9}
    page = {"messages": [message | {"outcome": "came_true"}], "hasMore": True}
    options = argparse.Namespace(thread=None, limit=1, after=None, json=False)
    service: Any = SimpleNamespace(sessions=lambda **_: page)
    history(Context(options, Words("en"), console, console), service)
    assert isinstance(console.file, io.StringIO)
    first, more = console.file.getvalue().splitlines()
    assert thread in first
    assert cell_len(first) <= 60
    assert more == f"More: yarrow history --after {thread}"
