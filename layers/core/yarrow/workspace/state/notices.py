"""The sentences of the workspace itself, in the page's language. All others are the agents' (WSP-33)."""

from collections.abc import Mapping
from typing import Final

Texts = Mapping[str, str]

_ENGLISH: Final[Texts] = {
    "session": "Session {number}",
    "paused": "Paused. Resume to continue; nothing you send is processed until then.",
    "resumed": "Resumed.",
    "retried": "Starting over.",
    "canceled": "Canceled. Resume or retry to continue.",
    "is_paused": "The session is paused. Resume it first.",
    "is_canceled": "The session was canceled. Resume or retry it first.",
    "failed": "The agent failed: {reason}",
    "failed_unexplained": "The agent failed.",
    "not_taken": "This could not be processed: {reason}",
    "context": "Runtime context bound.",
    "frame_lost": "What you sent last did not arrive: it was too large. Send smaller files, of about 20 KB, or a link.",
    "older": "Older messages are not shown here. They are in the history.",
    "too_large": "{name} was rejected: it is too large",
    "wrong_kind": "{name} was rejected: its type is not accepted",
    "model_unknown": "The model {name} is not available here; the default answers",
    "yes": "Yes",
    "no": "No",
}
_SIMPLIFIED: Final[Texts] = {
    "session": "会话 {number}",
    "paused": "已暂停。恢复之前，发送的内容不会被处理。",
    "resumed": "已恢复。",
    "retried": "重新开始。",
    "canceled": "已取消。可恢复或重试。",
    "is_paused": "会话已暂停，请先恢复。",
    "is_canceled": "会话已取消，请先恢复或重试。",
    "failed": "智能体出错：{reason}",
    "failed_unexplained": "智能体出错。",
    "not_taken": "无法处理：{reason}",
    "context": "运行环境已绑定。",
    "frame_lost": "刚才发送的内容过大，未能送达。请发送约 20 KB 以内的文件，或发送链接。",
    "older": "更早的消息不在此显示，可在历史记录中查看。",
    "too_large": "未接收 {name}：文件过大",
    "wrong_kind": "未接收 {name}：不支持的类型",
    "model_unknown": "模型 {name} 在此不可用，由默认模型回答",
    "yes": "是",
    "no": "否",
}
_TRADITIONAL: Final[Texts] = {
    "session": "對話 {number}",
    "paused": "已暫停。恢復之前，傳送的內容不會被處理。",
    "resumed": "已恢復。",
    "retried": "重新開始。",
    "canceled": "已取消。可恢復或重試。",
    "is_paused": "對話已暫停，請先恢復。",
    "is_canceled": "對話已取消，請先恢復或重試。",
    "failed": "代理程式出錯：{reason}",
    "failed_unexplained": "代理程式出錯。",
    "not_taken": "無法處理：{reason}",
    "context": "執行環境已綁定。",
    "frame_lost": "剛才傳送的內容過大，未能送達。請傳送約 20 KB 以內的檔案，或傳送連結。",
    "older": "更早的訊息不在此顯示，可在歷史記錄中查看。",
    "too_large": "未接收 {name}：檔案過大",
    "wrong_kind": "未接收 {name}：不支援的類型",
    "model_unknown": "模型 {name} 在此不可用，由預設模型回答",
    "yes": "是",
    "no": "否",
}


def notice(language: str, which: str, /, **values: object) -> str:
    """Return a sentence in a language; English for languages other than the three."""
    return _texts(language.lower())[which].format_map(values)


def _texts(language: str) -> Texts:
    if not language.startswith("zh"):
        return _ENGLISH
    is_traditional = any(part in language for part in ("tw", "hk", "mo", "hant"))
    return _TRADITIONAL if is_traditional else _SIMPLIFIED
