"""The samples for iOS and Android call only what there is, and have every text in three languages.

No test compiles their screens; `make android-chat` compiles the rest of the one for Android.
"""

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.support.paths import ROOT

IOS = ROOT / "examples/ios_chat"
ANDROID = ROOT / "examples/android_chat"
NOTIFICATIONS = {"yarrow_run_completed", "yarrow_run_failed", "yarrow_interrupt_opened"}
"""The keys that the service sends: `docs/push.md`."""


def source(folder: Path, suffix: str) -> str:
    return "\n".join(path.read_text(encoding="utf-8") for path in sorted(folder.rglob(f"*.{suffix}")))


def arguments(text: str, start: int) -> list[str]:
    """Return the arguments of a call or the parameters of a function, from behind its opening parenthesis."""
    depth, parts, part = 0, [], ""
    for character in text[start:]:
        if character in ")]}" and depth == 0:
            break
        depth += (character in "([{") - (character in ")]}")
        if character == "," and depth == 0:
            parts.append(part)
            part = ""
        else:
            part += character
    return [item.strip() for item in (*parts, part) if item.strip()]


def swift_label(argument: str) -> str:
    """Return the label of an argument or of a parameter; `_` where it has none."""
    found = re.match(r"(\w+)(?:\s+\w+)?\s*:(?!:)", argument)
    return found[1] if found else "_"


def swift_functions(text: str) -> dict[str, list[str]]:
    """Return the public functions with the labels of their parameters."""
    declared = re.finditer(r"public (?:nonisolated )?func (\w+)\(", text)
    return {found[1]: [swift_label(one) for one in arguments(text, found.end())] for found in declared}


def in_order(given: list[str], known: list[str]) -> bool:
    rest = iter(known)
    return all(label in rest for label in given)


def test_swift_calls_are_found_with_their_labels() -> None:
    """The tests below compare these."""
    text = "public func ask(_ text: String, of agent: String? = nil, kinds: [String: Int] = [:]) async {}"
    assert swift_functions(text) == {"ask": ["_", "of", "kinds"]}
    call = "ask(f(a, b), kinds: [x: 1])"
    assert [swift_label(one) for one in arguments(call, len("ask("))] == ["_", "kinds"]
    assert not in_order(["kinds", "of"], ["_", "of", "kinds"])


def test_the_sample_for_ios_calls_what_the_client_has() -> None:
    client = swift_functions((ROOT / "clients/swift/Yarrow.swift").read_text(encoding="utf-8"))
    sample = source(IOS, "swift")
    called = set()
    for receiver in ("yarrow", "file"):
        for found in re.finditer(rf"\b{receiver}\.(\w+)\(", sample):
            given = [swift_label(one) for one in arguments(sample, found.end())]
            assert in_order(given, client[found[1]]), (found[1], given)
            called.add(found[1])
    assert called == {"history", "run", "begin", "cancel", "registerDevice", "removeDevice"}


def test_the_app_for_ios_uses_what_its_package_offers() -> None:
    package = source(IOS / "Sources", "swift")
    public = {
        *swift_functions(package),
        *re.findall(r"public (?:private\(set\) |nonisolated )?(?:var|let) (\w+)", package),
    }
    app = source(IOS / "App", "swift")
    used = set(re.findall(r"\bchat\.(\w+)", app)) | set(re.findall(r"\bsignIn\.(\w+)", app))
    used -= {"messages"}
    assert {"follow", "readHistory", "send", "stop", "beginAnew", "tryAgain", "finish", "begin", "token"} <= used
    assert used <= public | {"chat"}


def test_ios_has_every_text_in_three_languages() -> None:
    app = source(IOS / "App", "swift")
    shown = set(re.findall(r'(?:Text|Button|TextField)\("([^"]+)"', app)) | set(re.findall(r'problem = "([^"]+)"', app))
    assert len(shown) > 8
    for language in ("en", "zh-Hans", "zh-Hant"):
        text = (IOS / f"App/{language}.lproj/Localizable.strings").read_text(encoding="utf-8")
        assert set(re.findall(r'^"([^"]+)" = "[^"]+";$', text, re.MULTILINE)) == shown | NOTIFICATIONS, language


def test_android_has_every_text_in_three_languages() -> None:
    app = source(ANDROID / "app/src/main/kotlin", "kt")
    manifest = (ANDROID / "app/src/main/AndroidManifest.xml").read_text(encoding="utf-8")
    shown = set(re.findall(r"R\.string\.(\w+)", app)) | set(re.findall(r"@string/(\w+)", manifest))
    for folder in ("values", "values-zh-rCN", "values-zh-rTW"):
        texts = ElementTree.parse(ANDROID / f"app/src/main/res/{folder}/strings.xml").getroot()  # noqa: S314
        named = {item.attrib["name"] for item in texts if item.text}
        ours = shown - {"channel"} if folder != "values" else shown
        assert named == ours | NOTIFICATIONS, folder


@pytest.mark.parametrize("receiver", ["chat", "signIn", "device"])
def test_the_app_for_android_uses_what_its_core_has(receiver: str) -> None:
    core = source(ANDROID / "core/src/main/kotlin", "kt")
    known = set(re.findall(r"^    (?:suspend )?(?:fun|val) (\w+)", core, re.MULTILINE))
    used = set(re.findall(rf"\b{receiver}\.(\w+)", source(ANDROID / "app/src/main/kotlin", "kt")))
    assert used
    assert used <= known


def test_what_the_manifest_names_is_there() -> None:
    manifest = (ANDROID / "app/src/main/AndroidManifest.xml").read_text(encoding="utf-8")
    app = source(ANDROID / "app/src/main/kotlin", "kt")
    named = re.findall(r'android:name="\.(\w+)"', manifest)
    assert sorted(named) == ["ChatActivity", "ChatApplication", "Messages"]
    assert all(re.search(rf"^class {name}\b", app, re.MULTILINE) for name in named)


def test_both_samples_sign_in_at_the_address_that_their_system_gives_them() -> None:
    """SEC-01: a redirect to a scheme that the app has not registered would never come back."""
    scheme = "com.example.chat"
    assert f'android:scheme="{scheme}"' in (ANDROID / "app/src/main/AndroidManifest.xml").read_text(encoding="utf-8")
    assert f'REDIRECT = "{scheme}:/signed-in"' in source(ANDROID / "app", "kt")
    assert f'scheme = "{scheme}"' in source(IOS / "App", "swift")
    assert "callbackURLScheme: Deployment.scheme" in source(IOS / "App", "swift")
