"""An agent of a workspace, scripted: it greets, asks a choice, a number and a file, works on what it is told, and
answers in the language of the page. Its replies depend on nothing but its event, so that a page can expect them.
"""

import asyncio
from collections.abc import AsyncGenerator, Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Final

import pytest

from yarrow.agents import bindings
from yarrow.agents.bindings import Binding
from yarrow.agents.system_agents import SystemAgent
from yarrow.protocol.runner.manifest import AgentRunnerManifest
from yarrow.protocol.runner.models import AgentRunContext, AgentRunResult, InstalledRunner
from yarrow.protocol.runner.proxy import AgentRunAPIProxy
from yarrow.worker.invocation.registry import registry

_STORED: Final = 0.5
"""Seconds, of virtual time, in which results are stored."""

Json = dict[str, Any]
Result = tuple[str, Json]
Reply = Callable[[AgentRunContext], Iterator[Result]]

TASK: Final = "求职AI助手"
AGENT: Final = "careers"
RUNNER_ID: Final = "plugin:acme/careers/default"
EVENTS: Final = tuple(f"workspace.{name}" for name in ("init", "input", "option", "answer", "attachment", "control"))

WORDS: Final[Mapping[str, Mapping[str, str]]] = {
    "en": {"hello": "Hello", "track": "Choose your primary job track", "salary": "Target monthly salary (K)"},
    "zh": {"hello": "你好", "track": "请选择你的主要方向", "salary": "期望月薪（K）"},
}


def words(context: AgentRunContext) -> Mapping[str, str]:
    return WORDS["zh" if (context.runtime.locale or "en").lower().startswith("zh") else "en"]


def say(content: str, **parts: Any) -> Result:
    return "workspace.message", {"content": content, **parts}


def prompt(context: AgentRunContext) -> Result:
    output = words(context)
    return "workspace.prompt", {
        "text": output["hello"],
        "attachmentPolicy": {"maxSizeMB": 1, "allowedKinds": ["image", "pdf", "sheet", "text"]},
        "questions": [
            {
                "id": "q_track",
                "text": output["track"],
                "options": [
                    {"id": "track_backend", "label": "Backend Engineer"},
                    {"id": "track_frontend", "label": "Frontend Engineer"},
                ],
            },
            {
                "id": "q_salary",
                "type": "input",
                "inputType": "number",
                "text": output["salary"],
                "placeholder": "e.g. 30",
            },
            {
                "id": "q_upload_profile",
                "type": "upload",
                "text": "Upload resume or portfolio (optional)",
                "acceptKinds": ["pdf", "image"],
                "maxSizeMB": 1,
                "allowMultiple": True,
            },
        ],
    }


def greet(context: AgentRunContext) -> Iterator[Result]:
    """A session begins, or its language changed: the prompt in the page's language, and at first a greeting."""
    yield prompt(context)
    if context.event.data.get("reason") == "session_created":
        yield say(words(context)["hello"])


def work(context: AgentRunContext) -> Iterator[Result]:
    """Work on a text: two subtasks, a log line, an artifact and a question with inline options."""
    text = context.input.text or ""
    yield (
        "workspace.subtasks",
        {"items": [{"key": "search", "status": "running"}, {"key": "cover", "status": "pending"}]},
    )
    yield "workspace.log", {"text": f"searching {text}", "level": "debug", "source": "subtask", "key": "search"}
    yield (
        "artifact.created",
        {
            "artifact_type": "file",
            "name": "found.txt",
            "mime_type": "text/plain",
            "content_base64": "Zm91bmQ=",
        },
    )
    yield "workspace.subtasks", {"items": [{"key": "search", "status": "done"}, {"key": "cover", "status": "review"}]}
    options = [{"id": "exec_now", "label": "Run now"}, {"id": "exec_schedule", "label": "Schedule"}]
    yield say(f"found {text}", questionId="q_execute_mode", questionText="Choose execution mode", options=options)


def record(context: AgentRunContext) -> Iterator[Result]:
    """Yield an option or an answer."""
    data = context.event.data
    yield say(f"recorded {data['questionId']}: {data.get('optionId') or data.get('answer')}")


def attached(context: AgentRunContext) -> Iterator[Result]:
    """Files: one more question, as the reference module asks it."""
    data = context.event.data
    names = [attachment["name"] for attachment in data["attachments"]]
    yield say(f"got {', '.join(names)}")
    options = [{"id": "next_resume", "label": "Resume"}, {"id": "next_cover", "label": "Cover letter"}]
    yield "workspace.question", {"question": {"id": "q_attachment_action", "text": "What next?", "options": options}}


def controlled(context: AgentRunContext) -> Iterator[Result]:
    """A retry begins anew."""
    if context.event.data["action"] == "retry":
        yield prompt(context)
    yield say(f"goes on after {context.event.data['action']}")


REPLIES: Final[Mapping[str, Reply]] = {
    "workspace.init": greet,
    "workspace.input": work,
    "workspace.option": record,
    "workspace.answer": record,
    "workspace.attachment": attached,
    "workspace.control": controlled,
    "message.received": work,
}


class Agent:
    """The runner. `contexts` are what it received; `replies` may be replaced; `before_each` is called before every
    result and `during` before the last one, when those before are stored.
    """

    def __init__(self) -> None:
        self.contexts: list[AgentRunContext] = []
        self.replies = dict(REPLIES)
        self.before_each: Callable[[], object] | None = None
        self.during: Callable[[], object] | None = None

    @property
    def events(self) -> list[Json]:
        """The types and data of the events it got."""
        return [{"type": context.event.event_type, **context.event.data} for context in self.contexts]

    async def run(self, context: AgentRunContext, _api: AgentRunAPIProxy) -> AsyncGenerator[AgentRunResult]:
        self.contexts.append(context)
        results = list(self.replies[context.event.event_type](context))
        for left, (type_, data) in zip(range(len(results) - 1, -1, -1), results, strict=True):
            for look in (self.before_each, None if left else self.during):
                if look is not None:
                    await asyncio.sleep(_STORED)
                    look()
            yield AgentRunResult(run_id=context.run_id, type=type_, data=data)
        yield AgentRunResult(run_id=context.run_id, type="run.completed")


@contextmanager
def installed(*, events: tuple[str, ...] = EVENTS) -> Iterator[Agent]:
    """Yield the agent in the place of every deployed one."""
    agent = Agent()
    manifest = AgentRunnerManifest.model_validate(
        {
            "id": RUNNER_ID,
            "name": "careers",
            "label": {"en_US": "Careers"},
            "metadata": {"workspace": {"events": list(events)}},
        }
    )
    policy = SystemAgent.model_validate(
        {
            "runner": RUNNER_ID,
            "modes": {"chat": {}},
            "workspace": {"task_name": TASK, "events": list(events)},
        }
    )
    deployed = {AGENT: Binding.of(AGENT, policy)}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(bindings, "deployed", lambda: deployed)
        patch.setattr(registry, "find", lambda _: InstalledRunner(manifest, lambda: agent))
        yield agent
