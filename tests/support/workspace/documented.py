"""The frames of the protocol document: the page's commands word for word, and what the module may send."""

import copy
import json
from collections.abc import Mapping
from typing import Any, Final

Json = dict[str, Any]

_COMMANDS: Final = r"""
{"type": "agent_init", "taskName": "求职AI助手", "payload": {"language": "en", "model": "gpt-4o-mini"}}
{"type": "agent_session_create", "taskName": "求职AI助手", "payload": {"name": "Backend Track", "language": "en"}}
{"type": "agent_session_delete", "taskName": "求职AI助手", "payload": {"sessionId": "session_xxx"}}
{"type": "agent_session_switch", "taskName": "求职AI助手", "payload": {"sessionId": "session_xxx"}}
{"type": "agent_session_context_update", "taskName": "求职AI助手", "payload": {"sessionId": "session_xxx",
 "runtimeContext": {"mode": "env", "envIds": ["env-1"], "walletIds": [], "model": "gpt-4o-mini"}}}
{"type": "agent_user_input", "taskName": "求职AI助手", "payload": {"sessionId": "session_xxx",
 "text": "Start resume search", "runtimeContext": {}}}
{"type": "agent_user_option", "taskName": "求职AI助手", "payload": {"sessionId": "session_xxx",
 "questionId": "q_track", "questionText": "Choose your primary job track", "optionId": "track_backend",
 "optionLabel": "Backend Engineer", "runtimeContext": {}}}
{"type": "agent_user_answer", "taskName": "求职AI助手", "payload": {"sessionId": "session_xxx",
 "questionId": "q_salary", "questionText": "Input target monthly salary (K)", "answer": "30", "runtimeContext": {}}}
{"type": "agent_user_attachment", "taskName": "求职AI助手", "payload": {"sessionId": "session_xxx",
 "runtimeContext": {},
 "attachments": [{"id": "att_001", "name": "resume.pdf", "mimeType": "application/pdf", "size": 58231,
  "source": "upload", "questionId": "q_upload_profile", "questionText": "Upload resume or portfolio (optional)",
  "contentBase64": "JVBERi0xLjcK..."}],
 "rejected": [{"name": "large.mov", "reason": "size", "size": 10500000, "source": "upload",
  "questionId": "q_upload_profile"}, {"name": "unknown.bin", "reason": "type", "kind": "file", "source": "paste"}]}}
{"type": "agent_execution_control", "taskName": "求职AI助手", "payload": {"sessionId": "session_xxx",
 "action": "pause"}}
"""

CONVERSATION_UPDATE: Final[Json] = json.loads(r"""
{"type": "agent_conversation_update", "data": {"sessionId": "session_xxx",
 "append": [{"id": "msg_1", "role": "assistant", "content": "Please choose an option", "createdAt": 1770000000000,
  "questionId": "q_execute_mode", "questionText": "Choose execution mode", "selectedOptionId": "",
  "options": [{"id": "exec_now", "label": "Run now"}, {"id": "exec_schedule", "label": "Schedule"}],
  "attachments": [{"name": "portfolio.pdf", "mimeType": "application/pdf", "size": 58231,
   "contentBase64": "JVBERi0xLjcK..."}]}],
 "prompt": {"text": "Select preset questions and answer",
  "questions": [{"id": "q_track", "text": "Choose your primary job track", "selectedOptionId": "",
    "options": [{"id": "track_frontend", "label": "Frontend Engineer"}]},
   {"id": "q_salary", "type": "input", "inputType": "number", "text": "Input target monthly salary (K)",
    "placeholder": "e.g. 30", "answerValue": ""}]}}}
""")

EXECUTION_UPDATE: Final[Json] = json.loads(r"""
{"type": "agent_execution_update", "data": {"sessionId": "session_xxx", "state": {"paused": false, "canceled": false}}}
""")

PROMPT: Final[Json] = json.loads(r"""
{"text": "Prompt text", "attachmentPolicy": {"maxSizeMB": 4, "allowedKinds": ["image", "pdf", "sheet", "text"]},
 "questions": []}
""")

UPDATES: Final[Mapping[str, tuple[str, ...]]] = {
    "agent_subtask_update": ("key", "status", "updatedAt"),
    "agent_artifact_update": ("id", "type", "title", "filePath", "relativePath"),
    "agent_runtime_log_update": ("id", "time", "text"),
}
"""By frame, the members that each of its elements has."""

SNAPSHOT: Final = (
    *("sessions", "activeSessionId", "conversations", "subtasks", "artifacts", "runtimeLogs"),
    *("prompts", "runtimeContexts"),
)

STATUSES: Final = ("pending", "running", "review", "done", "failed")


def _read() -> dict[str, Json]:
    decoder, text, found = json.JSONDecoder(), _COMMANDS.strip(), {}
    while text:
        frame, end = decoder.raw_decode(text)
        found[frame["type"]] = frame
        text = text[end:].strip()
    return found


COMMANDS: Final[Mapping[str, Json]] = _read()
"""The ten commands, by type."""


def command(kind: str, session: str | None = None, **payload: Any) -> str:
    """Return a documented command as a frame, for this session, with these members of its payload replaced."""
    frame = copy.deepcopy(COMMANDS[kind])
    if "sessionId" in frame["payload"] and session is not None:
        frame["payload"]["sessionId"] = session
    frame["payload"] |= payload
    return json.dumps(frame, ensure_ascii=False)
