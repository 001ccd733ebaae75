"""The recipes: what they show runs, and what they name is there."""

import base64
import json
import re
import subprocess
import sys
import threading
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from hashlib import sha256
from http.server import ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.support.guides import SHELF, block, package
from tests.support.paths import ROOT
from tools import docs_reference
from yarrow.protocol.runner.api import AgentAPIException
from yarrow.protocol.runner.tools import TimeZones, ToolContext
from yarrow.services.knowledge import embedded
from yarrow.testing import run

PAGES = sorted(SHELF.glob("*.md"))
LINES = 110
"""A screen or two."""


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_a_recipe_is_short_and_on_the_shelf(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    assert len(text.splitlines()) <= LINES
    assert f"- docs/guides/{page.name}\n" in (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    if page.stem != "README":
        assert f"]({page.name})" in (SHELF / "README.md").read_text(encoding="utf-8")


def test_documents_become_passages_that_are_found(tmp_path: Path) -> None:
    script = package("retrieval", tmp_path) / "passages.py"
    wiki = tmp_path / "wiki"
    wiki.mkdir()
    (wiki / "shop.md").write_text(
        "# Shop\n\nAbout it.\n\n## Opening hours\n\nFrom nine to six.\n\n## Empty\n\n## 退货\n\n三十天内可退。\n",
        encoding="utf-8",
    )
    done = subprocess.run(
        [sys.executable, str(script), str(wiki)], capture_output=True, text=True, check=True, encoding="utf-8"
    )
    base = tmp_path / "base.jsonl"
    base.write_text(done.stdout, encoding="utf-8")
    passages = [json.loads(line) for line in done.stdout.splitlines()]
    assert [passage["title"] for passage in passages] == ["Shop", "Opening hours", "退货"]
    assert len({passage["id"] for passage in passages}) == len(passages)
    (found, *_) = embedded.retrieve(base, "opening hours", 3, {})
    assert found.content == "From nine to six."
    assert embedded.retrieve(base, "退货", 3, {"page": ("shop.md",)})
    assert not embedded.retrieve(base, "退货", 3, {"page": ("other.md",)})


def test_the_tool_is_tested_as_the_page_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(package("tool", tmp_path)))
    from shop import refund  # type: ignore[import-not-found]

    (call,) = re.findall(r"`(refund\(.*\))`", (SHELF / "tool.md").read_text(encoding="utf-8"))
    names = {"refund": refund, "ToolContext": ToolContext, "TimeZones": TimeZones}
    done = {"order": "A-7", "refunded": 20}
    assert eval(call, names) == done  # noqa: S307 (a page of this repository)
    again = ToolContext("alice", "t", "r", TimeZones(), key="k")
    assert refund(again, "A-7", 50) == done, "the same key is the same refund"
    with pytest.raises(AgentAPIException):
        refund(again, "B-1", 20)


def test_a_message_becomes_a_ticket(tmp_path: Path) -> None:
    folder = package("structured-output", tmp_path)
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_triage.py"],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout
    assert "1 passed" in done.stdout


def test_the_test_of_a_runner_passes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(ROOT / "examples/plain_agent"))
    names: dict[str, Any] = {}
    exec(block("test-and-debug", "test"), names)  # noqa: S102 (a page of this repository)
    names["test_it_passes_the_question_on"]()
    assert run(names["RUNNER"], "Other words", models=["Else."]).text == "Else."


def test_the_receiver_verifies_and_drops_what_it_has_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    library = pytest.importorskip("standardwebhooks", reason="needs the package standardwebhooks")
    secret = "whsec_" + base64.b64encode(b"k" * 32).decode()
    monkeypatch.setenv("WEBHOOK_SECRET", secret)
    names: dict[str, Any] = {"__name__": "receiver"}
    exec(block("webhooks", "receiver"), names)  # noqa: S102 (a page of this repository)
    body = json.dumps({"type": "run.completed", "data": {"runId": "run-1"}})
    now = datetime.now(UTC)

    def signed(message: str) -> dict[str, str]:
        return {
            "webhook-id": message,
            "webhook-timestamp": str(int(now.timestamp())),
            "webhook-signature": library.Webhook(secret).sign(message, now, body),
        }

    with listening(names["Receiver"]) as url:
        assert posted(url, signed("msg_1"), body) == 204
        assert posted(url, signed("msg_1"), body) == 204
        assert posted(url, signed("msg_1"), body.replace("run-1", "run-2")) == 401
        assert posted(url, {}, body) == 401
        assert names["work"].qsize() == 1
        assert posted(url, signed("msg_2"), body) == 204
        assert names["work"].qsize() == 2
    assert names["work"].get()["data"] == {"runId": "run-1"}


@contextmanager
def listening(handler: Any) -> Iterator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        monitor = threading.Thread(target=server.serve_forever)
        monitor.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}/"
        finally:
            server.shutdown()
            monitor.join()


def posted(url: str, headers: dict[str, str], body: str) -> int:
    request = urllib.request.Request(url, body.encode(), headers)  # noqa: S310 (loopback)
    try:
        with urllib.request.urlopen(request, timeout=10) as answer:  # noqa: S310
            return int(answer.status)
    except urllib.error.HTTPError as refused:
        return refused.code


def test_the_verifier_of_a_sign_in_is_that_of_pkce() -> None:
    """RFC 7636: 43 to 128 characters, and the challenge is the SHA-256 of it."""
    names: dict[str, Any] = {}
    exec(block("device-sign-in", "pkce"), names)  # noqa: S102 (a page of this repository)
    assert re.fullmatch(r"[A-Za-z0-9._~-]{43,128}", names["verifier"])
    digest = base64.urlsafe_b64encode(sha256(names["verifier"].encode()).digest()).decode()
    assert names["challenge"] == digest.rstrip("=")
    assert len({names["state"], names["nonce"], names["verifier"]}) == 3


def test_a_condition_of_the_approval_page_is_one_that_the_tool_has(tmp_path: Path) -> None:
    """Its block is also served in `tests/e2e/examples/test_guides.py`."""
    shown = yaml.safe_load(re.findall(r"^```yaml\n(.*?)^```", page_text("approval"), re.MULTILINE | re.DOTALL)[0])
    (tool,) = shown["resources"]["tools"]
    signature = (package("tool", tmp_path) / "shop.py").read_text(encoding="utf-8")
    assert tool["id"] == "refund"
    assert all(f"{name}:" in signature for name in tool["approval"]["when"])


def test_the_checklist_names_parameters_of_the_template() -> None:
    declared = docs_reference.template()["Parameters"].keys()
    named = set(re.findall(r"`([A-Z][A-Za-z]+)(?:=\w+)?`", page_text("launch-checklist")))
    assert len(named) > 15
    assert named <= declared


def page_text(name: str) -> str:
    return (SHELF / f"{name}.md").read_text(encoding="utf-8")
