"""Plugins in the layout they are published in, installed by their folders, asked about a picture.

They have the habits of published ones: each imports its own `pkg` from the top of its folder, reads pictures as base64
from attachments or contents, and sends them to a service or a model. The services are on loopback.
"""

import json
import re
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from tests.support.agui.app import App
from tests.support.agui.pictures import asking, base64_of, inline
from tests.support.uploads import PNG
from yarrow.agents import bindings
from yarrow.protocol.runner.models import InstalledRunner
from yarrow.runners.langbot import langbot_plugin
from yarrow.worker.invocation.isolation import IsolatedRunner
from yarrow.worker.invocation.registry import registry

pytest.importorskip("langbot_plugin", reason="the SDK langbot-plugin is not installed")
pytestmark = [
    pytest.mark.usefixtures("aws"),
    pytest.mark.filterwarnings("ignore:Support for class-based `config`"),
    pytest.mark.memory,
]
"""On moto alone: the stores are not what counts here."""

FOLDER = Path(__file__).with_name("langbot_plugins")
PICTURE = PNG + bytes(range(256)) * 5_000
"""More than one call of the runner's API may hold."""


class Service(ThreadingHTTPServer):
    """Takes files, and answers how many of them a message names."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.files: list[bytes] = []
        self.url = f"http://127.0.0.1:{self.server_port}"


class _Handler(BaseHTTPRequestHandler):
    server: Service

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        if self.path.endswith("/upload"):
            match = re.search(rb'filename="[^"]+".*?\r\n\r\n(.*?)\r\n--', body, re.DOTALL)
            assert match is not None
            self.server.files.append(match[1])
            self._answer(json.dumps({"id": "f-1", "data": {"id": "f-1"}}))
            return
        count = body.count(b"f-1")
        if self.path == "/chat-messages":
            pieces = ["I see ", f"{count} picture", "."]
            self._answer("".join(f"data: {json.dumps({'answer': piece})}\n\n" for piece in pieces))
        else:
            self._answer(json.dumps({"answer": f"I see {count} picture."}))

    def _answer(self, text: str) -> None:
        self.send_response(200)
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text.encode())

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 (the base's signature)
        pass


@pytest.fixture
def service(monkeypatch: pytest.MonkeyPatch) -> Iterator[Service]:
    """Yield the plugins' service, named by the agent's config."""
    with Service() as service:
        thread = threading.Thread(target=service.serve_forever)
        thread.start()
        bound = bindings.deployed()["assistant"]
        policy = bound.policy.model_copy(update={"config": {"base-url": service.url}})
        monkeypatch.setitem(bindings.deployed(), "assistant", bindings.Binding.of(bound.agent, policy))
        yield service
        service.shutdown()
        thread.join()


def install(monkeypatch: pytest.MonkeyPatch, name: str) -> InstalledRunner:
    """Have every run call the runner of a plugin, apart from the host as all that are installed."""
    installed = langbot_plugin(FOLDER / name)
    isolated = InstalledRunner(installed.manifest, lambda: IsolatedRunner(installed.create()))
    monkeypatch.setattr(registry, "find", lambda _: isolated)
    return installed


def text_of(events: list[dict[str, Any]]) -> str:
    return "".join(event["delta"] for event in events if event["type"] == "TEXT_MESSAGE_CONTENT")


@pytest.mark.parametrize(
    ("plugin", "answer"),
    [
        ("uploads_attachments", "I see 1 picture."),
        ("uploads_contents", "I see 1 picture."),
        ("asks_a_model", "对话中有 1 张图片。"),
    ],
)
def test_a_plugin_answers_about_a_picture(
    app: App, service: Service, monkeypatch: pytest.MonkeyPatch, plugin: str, answer: str
) -> None:
    """C50, CMP-02: its manifest asks for no artifacts, and cannot."""
    installed = install(monkeypatch, plugin)
    assert installed.manifest.id == f"plugin:acme/{plugin.replace('_', '-')}/default"
    assert installed.manifest.permissions.artifacts == ()
    events = app.post(asking({"type": "binary", "mimeType": "image/png", "data": base64_of(PICTURE)})).events
    assert events[-1]["type"] == "RUN_FINISHED", events[-1]
    assert answer in text_of(events)
    assert service.files == ([] if plugin == "asks_a_model" else [PICTURE])


def test_plugins_with_packages_of_one_name_take_turns(
    app: App, service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    """CMP-02: each has its own `pkg.client`, in one process."""
    for number, plugin in enumerate(("uploads_attachments", "uploads_contents", "uploads_attachments")):
        install(monkeypatch, plugin)
        sent = asking(inline(PNG), run=f"run_{number}", message=f"msg_{number}")
        assert text_of(app.post(sent).events) == "I see 1 picture."
    assert service.files == [PNG] * 3
