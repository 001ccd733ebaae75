"""Why the service refuses or a run fails, by code, in simplified and traditional Chinese; in English it says so itself.

The codes are those of `docs/errors.md` that a user of the command meets. Of others, the service's sentence is shown.
"""

from typing import Final

CODES: Final[dict[str, tuple[str, str]]] = {
    "AUTH_UNAUTHORIZED": ("凭证缺失或无效", "憑證缺少或無效"),
    "AGENT_FORBIDDEN": ("会话属于别人，或此凭证不能用于这里", "對話屬於別人，或此憑證不能用於這裡"),
    "AGENT_SESSION_NOT_FOUND": ("会话不存在或已删除", "對話不存在或已刪除"),
    "AGENT_RUN_NOT_FOUND": ("会话里没有这次运行", "對話裡沒有這次執行"),
    "AGENT_SESSION_ID_INVALID": ("会话 id 应为 UUID", "對話 id 應為 UUID"),
    "AGENT_INVALID_RUN_ID": ("运行 id 无效", "執行 id 無效"),
    "AGENT_INVALID_LAST_EVENT_ID": ("--after 不是这次运行的事件编号", "--after 不是這次執行的事件編號"),
    "AGENT_RUN_EVENTS_EXPIRED": ("这次运行的事件已过期，回答在历史里", "這次執行的事件已過期，回答在歷史裡"),
    "AGENT_SSE_CONNECTION_LIMIT": ("打开的事件流已达上限", "開啟的事件串流已達上限"),
    "AGENT_RUN_INPUT_INVALID": ("输入不符合规定", "輸入不符合規定"),
    "AGENT_RUN_MESSAGES_INVALID": ("消息不符合规定", "訊息不符合規定"),
    "AGENT_NAME_UNKNOWN": ("没有这个名字的智能体", "沒有這個名字的代理程式"),
    "AGENT_RUN_CONFLICT": ("这个运行 id 已用于另一个请求", "這個執行 id 已用於另一個請求"),
    "AGENT_RUN_IN_PROGRESS": ("会话里有一次运行还在进行", "對話裡有一次執行還在進行"),
    "AGENT_SESSION_RUN_LIMIT_EXCEEDED": ("会话的运行已达上限，请开始新会话", "對話的執行已達上限，請開始新對話"),
    "AGENT_INTERRUPT_OPEN": ("会话里有问题等待回答：yarrow inbox", "對話裡有問題等待回答：yarrow inbox"),
    "AGENT_INTERRUPT_NOT_FOUND": ("没有这个问题", "沒有這個問題"),
    "AGENT_INTERRUPT_ANSWERED": ("这个问题已有回答或已关闭", "這個問題已有回答或已關閉"),
    "AGENT_INTERRUPT_EXPIRED": ("这个问题已过期，只能取消", "這個問題已過期，只能取消"),
    "AGENT_INTERRUPT_ANSWER_INVALID": ("回答不符合问题的格式", "回答不符合問題的格式"),
    "AGENT_RUN_LIMIT": ("同时进行的运行已达上限", "同時進行的執行已達上限"),
    "AGENT_TOKEN_LIMIT": ("今天的模型用量已达上限（按 UTC 计日）", "今天的模型用量已達上限（按 UTC 計日）"),
    "AGENT_RATE_LIMIT": ("请求太频繁，请稍后再试", "請求太頻繁，請稍後再試"),
    "AGENT_STORAGE_LIMIT": ("附件的存储已达上限", "附件的儲存空間已達上限"),
    "AGENT_OUTCOME_INVALID": ("结果不符合规定", "結果不符合規定"),
    "AGENT_OUTCOME_NO_READING": ("这里没有解读：未给出、未结束或失败了", "這裡沒有解讀：未給出、未結束或失敗了"),
    "AGENT_ATTACHMENT_EMPTY": ("文件是空的", "檔案是空的"),
    "AGENT_ATTACHMENT_TOO_LARGE": ("文件太大", "檔案太大"),
    "AGENT_ATTACHMENT_TYPE_UNSUPPORTED": ("不是已知格式的图片", "不是已知格式的圖片"),
    "AUTOMATION_JOB_NOT_FOUND": ("任务不存在或已删除", "任務不存在或已刪除"),
    "AUTOMATION_JOB_CHANGED": ("任务刚被改动过，请再试一次", "任務剛被改動過，請再試一次"),
    "RUN_CANCELED": ("运行已被取消", "執行已被取消"),
}
