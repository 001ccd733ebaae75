"""The console's files: words in three languages, vendored releases, and what no file of it may do."""

import json
import re
from hashlib import sha256
from itertools import product
from typing import Final, get_args

from liuyao import DivinationPayload, derive
from liuyao.analysis_terms import (
    Change,
    Completion,
    DayClash,
    DayCombination,
    Interaction,
    PlateStatus,
    TimeEffect,
)
from liuyao.hexagrams import HEXAGRAMS, Kind, traditional
from liuyao.reading.wording import spelling
from tests.support.paths import ROOT
from tools.make_error_codes import OF_THE_HOST
from yarrow.packages import error_codes
from yarrow.protocol.problems import Code
from yarrow.protocol.steps import ForkObstacle
from yarrow.protocol.workspace.errors import ErrorCode
from yarrow_agents.divination.readings import NOTHING_DERIVED

CONSOLE = ROOT / "console"
OWN = sorted(path for path in CONSOLE.rglob("*.js") if "vendor" not in path.parts)
SOURCES = {path.relative_to(CONSOLE).as_posix(): path.read_text(encoding="utf-8") for path in OWN}
WORDS = {path.stem: json.loads(path.read_text(encoding="utf-8")) for path in CONSOLE.glob("words/*.json")}
PAGE = (CONSOLE / "index.html").read_text(encoding="utf-8")

CAST: Final = {
    "divinationMethod": "手动起卦",
    "questionType": "事业",
    "question": "今年换工作合适吗？",
    "divinationTimeIso": "2026-04-03T20:30:00+08:00",
}

_SPOKEN = (
    *("yarrow/workspace/state/notices.py", "yarrow/services/models/scripted.py", "yarrow/services/approvals.py"),
    "yarrow_agents/divination/one_matter.py",
)
"""What the service and its agents say outside of files of words."""

VENDORED = {
    "htm-preact.js": "72284e8e9079c87817145df1110f74e8a2aa040b2fc384922e18dfcb46fc1fd7",
    "oidc-client-ts.js": "f999daa383f09eb090d0ae32211e9ca931c76840e08e47fcf334fc8f5f74f1ef",
}
"""By file, the SHA-256 of the release that `console/vendor/README.md` names."""


def test_every_language_has_every_word() -> None:
    assert sorted(WORDS) == ["en", "zh-CN", "zh-TW"]
    for language, words in WORDS.items():
        assert list(words) == list(WORDS["en"]), language
        for key, text in words.items():
            assert text.strip(), (language, key)
            assert set(re.findall(r"\{\w+\}", text)) <= set(re.findall(r"\{\w+\}", WORDS["en"][key])), (language, key)


def test_every_word_that_is_asked_for_is_there_and_every_word_is_asked_for() -> None:
    """A key with a variable part, such as `line.${n}`, stands for all that begin like it."""
    text = "\n".join(source for name, source in SOURCES.items() if name != "yarrow.js")
    keys = set(re.findall(r"""\bt\(\s*"([\w.]+)\"""", text)) | set(re.findall(r"""[?:] "([a-z]+\.[\w.]+)\"""", text))
    keys |= set(re.findall(r"""\btitle: "([\w.]+)\"""", text))
    prefixes = tuple(re.findall(r"\bt\(`([\w.]+)\$\{", text))
    assert keys <= WORDS["en"].keys()
    assert {key for key in WORDS["en"] if key not in keys and not key.startswith(prefixes)} == set()
    assert {prefix for prefix in prefixes if not any(key.startswith(prefix) for key in WORDS["en"])} == set()


def test_one_voice_speaks_to_the_reader() -> None:
    """你 everywhere, as readings say it: in the console, in the terminal, and in what the service says of itself."""
    spoken = (
        *CONSOLE.glob("words/zh-*.json"),
        *(ROOT / "clients/python/src/yarrow_client/cli").rglob("words.py"),
        *(ROOT / "layers/core/yarrow").rglob("words.py"),
        *(ROOT / "layers/core" / name for name in _SPOKEN),
    )
    texts = {path: path.read_text(encoding="utf-8") for path in spoken}
    assert len(texts) > 5
    assert any("你" in text for text in texts.values())
    assert [path.name for path, text in texts.items() if "您" in text] == []


def test_every_term_of_a_plate_is_explained() -> None:
    """DIV-21 … DIV-24: by the first of the list that a note has in it."""
    found = re.search(r"const TERMS = \[(.*?)\];", SOURCES["plate.js"], re.DOTALL)
    assert found
    listed = re.findall(r'"(\S+?)"', found[1])
    kinds = (PlateStatus, Change, Interaction, TimeEffect, DayCombination, DayClash)
    for term in (str(plate_status) for kind in kinds for plate_status in kind):
        assert next(item for item in listed if item in term) == term
        assert f"term.{term}" in WORDS["en"]


def test_every_term_of_a_plate_has_its_traditional_spelling() -> None:
    """DIV-02: the names of all 64 hexagrams, palaces, relations and spirits as the wire has them, and every note."""
    found = re.search(r'const SIMPLIFIED = "(.+?)";\nconst TRADITIONAL = "(.+?)";', SOURCES["script.js"])
    assert found
    table = str.maketrans(found[1], found[2])
    for hexagram in HEXAGRAMS.values():
        assert hexagram.name.translate(table) == hexagram.name_hant
        assert hexagram.palace.name.translate(table) == traditional(hexagram.palace.name)
    kinds = (PlateStatus, Change, Interaction, Completion, TimeEffect, DayCombination, DayClash, Kind)
    terms = [str(term) for kind in kinds for term in kind] + [hexagram.generation for hexagram in HEXAGRAMS.values()]
    for lines in product(("少阳", "少阴", "老阳", "老阴"), repeat=6):
        divination = derive(DivinationPayload.model_validate({**CAST, "yaoLines": list(lines)}))
        notes = (divination.special_status, divination.interactions, divination.time_effect)
        terms += [note for each in (*notes, divination.ri_chen_zhang_sheng) for note in each]
        for line in divination.yao_info_list:
            assert line.relation_name.translate(table) == line.relation_name_hant
            assert line.spirit_name.translate(table) == line.spirit_name_hant
    for term in {*terms, "旬空", "六神", "本卦", "变卦", "时", "世", "应", "宫", "用神"}:
        assert term.translate(table) == spelling.traditional(term)


def test_what_to_do_is_said_of_every_code_that_there_is() -> None:
    """ERR-01: what happened and what to do, by kind, of problems, ends of runs and refused commands of workspaces."""
    kinds = dict(re.findall(r'^  (\w+): "(\w+)",$', SOURCES["problem.js"], re.MULTILINE))
    registered = {code.name for code in (*Code, *error_codes.find_all())}
    registered |= {reason.code for reason in OF_THE_HOST} | {NOTHING_DERIVED} | {error.code for error in ErrorCode}
    assert sorted(registered - kinds.keys()) == [], "codes without words"
    assert sorted(kinds.keys() - registered) == [], "words of codes that there are not"
    assert "other" not in kinds.values()
    for kind in {*kinds.values(), "offline", "login", "service", "other"}:
        assert {f"problem.{kind}.what", f"problem.{kind}.do"} <= WORDS["en"].keys(), kind


def test_why_there_is_no_fork_is_said_of_every_reason() -> None:
    """STP-09: but while the run goes on, when nobody looks for one."""
    words = {key.removeprefix("fork.not.") for key in WORDS["en"] if key.startswith("fork.not.")}
    assert words == {*get_args(ForkObstacle)} - {"active"}


def test_what_is_vendored_is_what_was_released() -> None:
    files = sorted(path for path in (CONSOLE / "vendor").glob("*.js"))
    assert {path.name: sha256(path.read_bytes()).hexdigest() for path in files} == VENDORED
    readme = (CONSOLE / "vendor/README.md").read_text(encoding="utf-8")
    assert re.findall(r"^\| `([\w.-]+)` \|", readme, re.MULTILINE) == sorted(VENDORED)
    for licence in re.findall(r"`([\w-]+\.LICENSE)`", readme):
        assert (CONSOLE / "vendor" / licence).stat().st_size > 500


def test_text_becomes_elements_and_never_markup() -> None:
    """What would make markup or code of a string is in no file; links that a text may have are https alone."""
    forbidden = re.compile(
        r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\b|new Function|srcdoc|createContextualFragment"
        r"|javascript:|document\.cookie"
    )
    assert {name: found for name, source in SOURCES.items() if (found := forbidden.findall(source))} == {}
    assert "(https:" in SOURCES["markdown.js"]


def test_the_page_has_no_code_or_style_of_its_own() -> None:
    assert not re.search(r"<script(?![^>]*\ssrc=)|<style|\son\w+=|\sstyle=", PAGE)
    for name, source in SOURCES.items():
        assert not re.search(r"\bstyle=", source), name


def test_the_page_asks_its_own_service_alone() -> None:
    """What is named besides is a link that an operator follows, to CloudWatch."""
    linked = ("www.w3.org", "console.aws.amazon.com/cloudwatch/home")
    for name, source in {**SOURCES, "index.html": PAGE}.items():
        addresses = re.findall(r"https?://[^\s\"'`)]+", source)
        assert [
            address
            for address in addresses
            if not any(service in address for service in linked) and not address.startswith("https://[")
        ] == [], name


def test_every_neighbour_that_is_named_is_there() -> None:
    for name, source in SOURCES.items():
        folder = (CONSOLE / name).resolve().parent
        for target in re.findall(r"""(?:from|import\() ?["'](\./|\.\./)([\w./-]+)["']""", source):
            assert (folder / "".join(target)).is_file(), (name, target)
    for target in re.findall(r'="\./([\w./-]+)"', PAGE):
        assert target == "config.json" or (CONSOLE / target).is_file(), target


def test_the_client_is_the_one_that_apps_use() -> None:
    """There is one source, `clients/js`."""
    assert (CONSOLE / "yarrow.js").resolve() == ROOT / "clients/js/yarrow.js"
