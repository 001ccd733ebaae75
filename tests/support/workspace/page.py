"""A double of the workspace page: what it keeps of each frame, what it sends, and what breaks it.

Written from what the real page was seen to do. It is as forgiving as that page and no more: it does not de-duplicate,
a snapshot wipes what it lacks, and a null in the wrong place ends it.
"""

import json
from collections import deque
from collections.abc import Callable
from typing import Any

from tests.support.workspace.rendering import Kept, WhitePageError, faults_of, label_of, render, shown

Json = dict[str, Any]
Send = Callable[[str], object]

OFFLINE_COMMANDS = 100
"""The newest commands that are kept for the next connection."""

STOPS = "duplicate frontend connection"
"""A close reason that contains this ends reconnecting; with every other one the page retries for ever."""

ENDINGS = ("task_completed", "task_error", "terminate_process")


class Page:
    """One open page. `faults` has what the console would warn of, `alerts` what the user had to click away."""

    def __init__(self, task: str, tag: str = "renderer-1", language: str = "en") -> None:
        self.task, self.tag, self.language = task, tag, language
        self.model = self.provider = self.sub_provider = ""
        self.api_key_configured = False
        self.state = Kept()
        self.drafts: dict[str, dict[str, str]] = {}
        self.dialog_open = False
        self.alerts: list[str] = []
        self.faults: list[str] = []
        self.white = self.left = self.stopped = False
        self.frames: list[Json] = []
        """The frames it took, in order."""
        self._rejected: list[Json] = []
        self._queue: deque[str] = deque(maxlen=OFFLINE_COMMANDS)
        self._send: Send | None = None

    # ---- the socket

    @property
    def query(self) -> dict[str, str]:
        """What its URL has; the task is not in it."""
        return {"clientTag": self.tag}

    def opened(self, send: Send) -> None:
        """The socket is open: what was sent meanwhile goes out, and nothing else, not even agent_init."""
        self._send = send
        while self._queue and self._send is send:
            send(self._queue.popleft())

    def closed(self, reason: str = "") -> None:
        self._send = None
        self.stopped = self.stopped or STOPS in reason

    @property
    def is_open(self) -> bool:
        return self._send is not None

    def receive(self, frame: str | bytes) -> None:
        """Take a frame. Raises WhitePageError when React would unmount the page."""
        if self.white:
            raise WhitePageError("the page is white already")
        try:
            parsed = json.loads(frame)
        except ValueError:
            self.faults.append("a frame that is not JSON")
            return
        if not isinstance(parsed, dict) or not isinstance(parsed.get("type"), str):
            return
        if parsed.get("taskName") != self.task:
            self.faults.append(f"dropped a frame of {parsed.get('taskName')!r}")
            return
        self.frames.append(parsed)
        data = parsed.get("data")
        try:
            self._apply(parsed["type"], data if isinstance(data, dict) else {}, parsed)
            render(self.state)
        except WhitePageError:
            self.white = True
            raise
        self.faults += [fault for fault in faults_of(self.state) if fault not in self.faults]

    # ---- frames

    def _apply(self, kind: str, data: Json, frame: Json) -> None:
        session = data.get("sessionId")
        match kind:
            case "agent_state_snapshot":
                self._replace(data)
            case "agent_session_list":
                self._list(data)
            case "agent_error":
                self.alerts.append(str(data.get("message") or "Agent Error"))
            case "task_started":
                pass
            case _ if kind in ENDINGS:
                self.alerts.append(str(data.get("message") or frame.get("message") or kind))
                self.left = True
            case _ if isinstance(session, str) and session:
                self._update(kind, session, data)

    def _replace(self, data: Json) -> None:
        if not self._list(data):
            return
        state = self.state
        state.conversations = _object(data.get("conversations"))
        state.subtasks = _object(data.get("subtasks"))
        state.subtask_logs = _object(data.get("subtaskLogs"))
        state.artifacts = _object(data.get("artifacts"))
        state.runtime_logs = _object(data.get("runtimeLogs"))
        state.prompts = _object(data.get("prompts"))
        state.execution_states = _object(data.get("executionStates"))
        if isinstance(data.get("runtimeContexts"), dict):
            state.runtime_contexts = dict(data["runtimeContexts"])
        self._forget_drafts(*self.state.prompts)

    def _list(self, data: Json) -> bool:
        """Replace the sessions; a null among them loses the whole frame."""
        sessions = data.get("sessions")
        sessions = list(sessions) if isinstance(sessions, list) else []
        if None in sessions:
            self.faults.append("lost a frame with a null session")
            return False
        self.state.sessions = sessions
        self.state.active = data.get("activeSessionId") or (sessions[0].get("id") if sessions else "")
        return True

    def _update(self, kind: str, session: str, data: Json) -> None:
        state = self.state
        match kind:
            case "agent_conversation_update":
                _append(state.conversations, session, data.get("append"))
                if data.get("prompt"):
                    state.prompts = {**state.prompts, session: data["prompt"]}
                    self._forget_drafts(session)
            case "agent_subtask_update":
                state.subtasks = {**state.subtasks, session: data.get("items") or []}
            case "agent_artifact_update":
                _append(state.artifacts, session, data.get("append"))
            case "agent_artifact_replace":
                state.artifacts = {**state.artifacts, session: data.get("artifacts") or []}
            case "agent_runtime_log_update":
                _append(state.runtime_logs, session, data.get("append"))
            case "agent_execution_update":
                state.execution_states = {**state.execution_states, session: data.get("state") or {}}

    def _forget_drafts(self, *sessions: str) -> None:
        """A prompt that arrives while the dialog is open erases what was typed."""
        if self.dialog_open:
            for session in sessions:
                self.drafts.pop(session, None)

    # ---- what is on the screen

    def messages(self, session: str | None = None) -> list[Json]:
        """A session's conversation, the active one's by default, in the order in which it is shown."""
        return shown(self.state, self._session(session))

    def is_thinking(self, session: str | None = None) -> bool:
        return any(message.get("_thinking") is True for message in self.messages(session))

    def is_disabled(self, session: str | None = None) -> bool:
        """Whether a paused or cancelled session disables all of its controls."""
        execution = self.state.execution_states.get(self._session(session)) or {}
        return bool(execution.get("paused") or execution.get("canceled"))

    def label(self, session: str | None = None) -> str:
        return label_of(self.state.execution_states.get(self._session(session)))

    def prompt(self, session: str | None = None) -> Json:
        return self.state.prompts.get(self._session(session)) or {}

    def question(self, question: str, session: str | None = None) -> Json:
        """Return a question of the prompt by id."""
        found = next((item for item in self.prompt(session).get("questions", []) if item["id"] == question), None)
        assert found is not None, f"no question {question} in {self.prompt(session)}"
        return dict(found)

    def _session(self, session: str | None) -> str:
        return self.state.active if session is None else session

    # ---- what the user does

    def command(self, kind: str, payload: Json | None = None) -> None:
        """Send a command with the members that every payload has, or queue it."""
        settings = {
            "language": self.language,
            "apiKeyConfigured": self.api_key_configured,
            "model": self.model,
            "provider": self.provider,
            "subProvider": self.sub_provider,
        }
        self.send({"type": kind, "taskName": self.task, "payload": {**(payload or {}), **settings}})

    def send(self, frame: Json) -> None:
        text = json.dumps(frame, ensure_ascii=False)
        if self._send is None:
            self._queue.append(text)
        else:
            self._send(text)

    def start(self) -> None:
        """The page has loaded: it initialises twice, before and after it knows its model."""
        self.init()
        self.init(model="gpt-4o-mini")

    def init(self, **changes: str) -> None:
        """Record that language, model, provider or key changed."""
        for name, value in changes.items():
            assert hasattr(self, name), name
            setattr(self, name, value)
        self.command("agent_init")

    def beat(self) -> None:
        """Send a heartbeat every 5 s, on an open socket only."""
        if self._send is not None:
            self._send('{"type":"heart_beat"}')

    def create(self, name: str = "") -> None:
        self.command("agent_session_create", {"name": name})

    def delete(self, session: str) -> None:
        self.command("agent_session_delete", {"sessionId": session})

    def switch(self, session: str) -> None:
        """Shown at once; the answer then wins."""
        self.state.active = session
        self.command("agent_session_switch", {"sessionId": session})

    def bind(self, context: Json, session: str | None = None) -> None:
        """Keep the context at once and send it."""
        session = self._session(session)
        self.state.runtime_contexts = {**self.state.runtime_contexts, session: context}
        self.command("agent_session_context_update", {"sessionId": session, "runtimeContext": context})

    def say(self, text: str, session: str | None = None) -> None:
        """Type and send, which a thinking, paused or cancelled session does not allow."""
        assert not self.is_thinking(session), "the input is disabled while the agent thinks"
        assert not self.is_disabled(session), "the session is paused or cancelled"
        self._in(session, "agent_user_input", {"text": text})

    def choose(self, option: str, question: str = "", session: str | None = None) -> None:
        """Click an option of the prompt's question or, if there is none, of a message; the latter is marked at once."""
        requests = [item for item in self.prompt(session).get("questions", []) if item["id"] == question]
        inline = [
            message for message in self.messages(session) if question in (message.get("questionId"), message.get("id"))
        ]
        offering = [item for item in inline if item.get("options")]  # an answer names its question, too
        place = (requests or offering[-1:])[0]
        chosen = next(item for item in place["options"] if item["id"] == option)
        if not requests:
            place["selectedOptionId"] = option
        text = str(place.get("text" if requests else "questionText") or "")
        self._in(session, "agent_user_option", _choice(question, text, option, chosen["label"]))

    def answer(self, question: str, value: str, session: str | None = None) -> None:
        request = self.question(question, session)
        payload = {"questionId": question, "questionText": request.get("text", ""), "answer": value}
        self._in(session, "agent_user_answer", payload)

    def attach(
        self,
        *files: Json,
        question: str = "",
        text: str = "",
        session: str | None = None,
    ) -> None:
        """Send files, with everything that was rejected since the last Send of the general button."""
        payload = {"attachments": list(files), "rejected": list(self._rejected)}
        if not question:
            self._rejected.clear()
        self._in(session, "agent_user_attachment", {**payload, "questionId": question, "questionText": text})

    def reject(self, entry: Json) -> None:
        """A file that the page itself filtered out: it is told with the next Send."""
        self._rejected.append(entry)

    def control(self, action: str, session: str | None = None) -> None:
        """The buttons that older pages had."""
        self.command("agent_execution_control", {"sessionId": self._session(session), "action": action})

    def _in(self, session: str | None, kind: str, payload: Json) -> None:
        session = self._session(session)
        context = self.state.runtime_contexts.get(session)
        self.command(kind, {"sessionId": session, **payload, "runtimeContext": context})


def _choice(question: str, text: str, option: str, label: str) -> Json:
    chosen = {"optionId": option, "optionLabel": label}
    return {"questionId": question, "questionText": text, **chosen} if question else chosen


def _object(value: object) -> Json:
    return dict(value) if isinstance(value, dict) else {}


def _append(kept: Json, session: str, new: object) -> None:
    """Append without looking for what is there already; what is not an array is nothing."""
    present = kept.get(session)
    if present is None:
        present = []
    if not isinstance(present, list):
        raise WhitePageError(f"an append to what is no array: {present!r}")
    if isinstance(new, list):
        kept[session] = [*present, *new]
