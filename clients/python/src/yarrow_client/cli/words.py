"""The texts of the command in three languages. Terms of the plate stay Chinese in all of them."""

import os
from collections.abc import Mapping
from typing import Final

LANGUAGES: Final = ("en", "zh-CN", "zh-TW")

_WORDS: Final[dict[str, tuple[str, str, str]]] = {
    "ask": ("What do you want to know?", "所问何事？", "所問何事？"),
    "throw": (
        "Enter throws the coins, {count} of 6",
        "按回车掷币，第 {count} 次，共 6 次",
        "按 Enter 擲幣，第 {count} 次，共 6 次",
    ),
    "waiting": ("Waiting for an answer", "等待解读", "等待解讀"),
    "reading": ("The hexagram is being read", "正在解卦", "正在解卦"),
    "writing": ("Writing", "正在作答", "正在作答"),
    "keys": ("Ctrl-C to leave", "Ctrl-C 离开", "Ctrl-C 離開"),
    "event": ("event {number}", "事件 {number}", "事件 {number}"),
    "again": (
        "The connection was lost; resuming after event {after} in {seconds} s",
        "连接断开，{seconds} 秒后从事件 {after} 之后继续",
        "連線中斷，{seconds} 秒後從事件 {after} 之後繼續",
    ),
    "advice": ("Advice", "建议", "建議"),
    "reasons": ("Why", "依据", "依據"),
    "cancel?": ("Cancel the run? [y/N] ", "取消这次运行？[y/N] ", "取消這次執行？[y/N] "),
    "canceled": ("Canceled.", "已取消。", "已取消。"),
    "already_ended": ("The run had already ended.", "这次运行已经结束。", "這次執行已經結束。"),
    "goes_on": ("The run goes on. Watch it again with:", "运行仍在继续。再次查看：", "執行仍在繼續。再次查看："),
    "kept": ("Read it again with:", "再次查看：", "再次查看："),
    "turned_out": ("Say later how it turned out:", "日后记下结果：", "日後記下結果："),
    "came_true": ("Came true", "应验", "應驗"),
    "partly": ("Partly", "部分应验", "部分應驗"),
    "did_not": ("Did not come true", "没有应验", "沒有應驗"),
    "rate": (
        "{percent} % of {count} came true.",
        "共 {count} 次，应验 {percent} %。",
        "共 {count} 次，應驗 {percent} %。",
    ),
    "no_record": (
        "Nothing recorded yet. After a reading: yarrow outcome THREAD came-true",
        "还没有记录。占后可用：yarrow outcome THREAD came-true",
        "還沒有記錄。占後可用：yarrow outcome THREAD came-true",
    ),
    "no_questions": ("Nothing to answer.", "没有要回答的问题。", "沒有要回答的問題。"),
    "until": ("until", "有效期至", "有效期至"),
    "more_questions": ("More:", "更多：", "更多："),
    "asks": ("It asks you. Answer with:", "它在问你。回答：", "它在問你。回答："),
    "no_such_question": ("There is no such open question.", "没有这个待回答的问题。", "沒有這個待回答的問題。"),
    "which_question": (
        "Several questions are open: name one, of yarrow inbox.",
        "有多个问题：请指明一个，见 yarrow inbox",
        "有多個問題：請指明一個，見 yarrow inbox",
    ),
    "how_to_answer": ("Give the answer: {ways}", "请给出回答：{ways}", "請給出回答：{ways}"),
    "yes_or_no": ("Yes or no? [y/n] ", "是否同意？[y/n] ", "是否同意？[y/n] "),
    "why_not": ("Why not? (optional) ", "为什么不？（选填）", "為什麼不？（選填）"),
    "no_history": (
        "No sessions yet. Begin with: yarrow cast",
        "还没有会话。从 yarrow cast 开始",
        "還沒有對話。從 yarrow cast 開始",
    ),
    "more": (
        "More: yarrow history --after {after}",
        "更多：yarrow history --after {after}",
        "更多：yarrow history --after {after}",
    ),
    "no_jobs": ("No jobs yet.", "还没有任务。", "還沒有任務。"),
    "no_runs": ("It has not run yet.", "还没有运行过。", "還沒有執行過。"),
    "active": ("active", "启用", "啟用"),
    "paused": ("paused", "已暂停", "已暫停"),
    "job_paused": ("Paused.", "已暂停。", "已暫停。"),
    "job_resumed": ("Resumed.", "已恢复。", "已恢復。"),
    "delete?": (
        "Delete the session with all that belongs to it? [y/N]",
        "删除这个会话和其中的一切？[y/N]",
        "刪除這個對話和其中的一切？[y/N]",
    ),
    "delete_job?": ("Delete the job? [y/N]", "删除这个任务？[y/N]", "刪除這個任務？[y/N]"),
    "deleted": ("Deleted.", "已删除。", "已刪除。"),
    "say_yes": (
        "this cannot be undone, and nobody can be asked here: say --yes",
        "此操作无法撤销，而这里无法询问：请加 --yes",
        "此操作無法復原，而這裡無法詢問：請加 --yes",
    ),
    "chat": (
        "Ask anything. /new begins a new conversation, Ctrl-D ends.",
        "想问什么都可以。/new 开始新对话，Ctrl-D 结束。",
        "想問什麼都可以。/new 開始新對話，Ctrl-D 結束。",
    ),
    "ended": (
        "The run ended with an error: {message} ({code})",
        "运行出错结束：{message}（{code}）",
        "執行出錯結束：{message}（{code}）",
    ),
    "refused": ("Refused: {message} ({code})", "被拒绝：{message}（{code}）", "被拒絕：{message}（{code}）"),
    "dropped": ("No connection: {message}", "无法连接：{message}", "無法連線：{message}"),
    "no_local": (
        "there is no Yarrow at {url}. Start one with `make run`, or set YARROW_URL and YARROW_TOKEN",
        "{url} 没有 Yarrow。用 `make run` 启动，或设置 YARROW_URL 和 YARROW_TOKEN",
        "{url} 沒有 Yarrow。用 `make run` 啟動，或設定 YARROW_URL 和 YARROW_TOKEN",
    ),
    "no_token": (
        "YARROW_TOKEN is not set: it is your ID token or, to watch and cancel, an API key",
        "没有设置 YARROW_TOKEN：ID token；查看和取消也可用 API key",
        "沒有設定 YARROW_TOKEN：ID token；查看和取消也可用 API key",
    ),
    "written": ("{path} is an agent of {title}:", "{path} 已生成（{title}）：", "{path} 已產生（{title}）："),
    "next": (
        "Try it: cd {path} && {command}",
        "试一试：cd {path} && {command}",
        "試一試：cd {path} && {command}",
    ),
    "next_yarrow": (
        "Try it: cd {path} && {command} YARROW=/path/to/your/clone/of/yarrow",
        "试一试：cd {path} && {command} YARROW=/path/to/your/clone/of/yarrow",
        "試一試：cd {path} && {command} YARROW=/path/to/your/clone/of/yarrow",
    ),
    "no_name": (
        "{taken} cannot be the name of an agent: use lower-case letters, digits and _. Try {offered}",
        "{taken} 不能作智能体的名字：请用小写字母、数字和 _，且不与其他包同名。可用 {offered}",
        "{taken} 不能作代理的名字：請用小寫字母、數字和 _，且不與其他套件同名。可用 {offered}",
    ),
    "folder_exists": ("{path} is already there", "{path} 已经存在", "{path} 已經存在"),
    "no_folder": (
        "{path} cannot be written: {reason}",
        "无法写入 {path}：{reason}",
        "無法寫入 {path}：{reason}",
    ),
    "no_question": ("a question is needed", "需要一个问题", "需要一個問題"),
    "no_message": ("a message is needed", "需要一条消息", "需要一則訊息"),
    "no_file": ("the file cannot be read: {path}", "无法读取文件：{path}", "無法讀取檔案：{path}"),
    "no_terms": (
        "the service has no solar terms for a cast by time (its console is off)",
        "服务没有提供节气表，不能按时间起卦（控制台已关闭）",
        "服務沒有提供節氣表，不能按時間起卦（控制台已關閉）",
    ),
    "no_moment": (
        "not a date and time from 1900 to 2100: {text}",
        "不是 1900 至 2100 年的时间：{text}",
        "不是 1900 至 2100 年的時間：{text}",
    ),
    "no_longitude": (
        "not a longitude from -180 to 180, east positive: {text}",
        "不是 -180 至 180 的经度（东经为正）：{text}",
        "不是 -180 至 180 的經度（東經為正）：{text}",
    ),
    "no_lines": (
        "not six lines: {text}. Write 6 (old yin), 7 (young yang), 8 (young yin) or 9 (old yang), the lowest first",
        "不是六爻：{text}。自初爻起写 6（老阴）、7（少阳）、8（少阴）、9（老阳）",
        "不是六爻：{text}。自初爻起寫 6（老陰）、7（少陽）、8（少陰）、9（老陽）",
    ),
    "上上签": ("Excellent", "上上签", "上上籤"),
    "中上签": ("Good", "中上签", "中上籤"),
    "中下签": ("Difficult", "中下签", "中下籤"),
    "下下签": ("Poor", "下下签", "下下籤"),
}

_TRADITIONAL: Final = str.maketrans(
    "应静变动归临独发内外头进绝冲克时对后随带乱杂关龙陈孙财宫与绊签阳阴",
    "應靜變動歸臨獨發內外頭進絕沖剋時對後隨帶亂雜關龍陳孫財宮與絆籤陽陰",
)


class Words:
    """The texts of one language."""

    def __init__(self, language: str) -> None:
        self.language = language
        self._index = LANGUAGES.index(language)

    def __call__(self, name: str, **values: object) -> str:
        return _WORDS[name][self._index].format(**values)

    def spell(self, term: str) -> str:
        """Return a Chinese term in this language's characters."""
        return term.translate(_TRADITIONAL) if self.language == "zh-TW" else term


def language_of(environment: Mapping[str, str] = os.environ) -> str:
    """Return the language nearest to the locale."""
    names = (environment.get(name) for name in ("LC_ALL", "LC_MESSAGES", "LANG"))
    name = next(filter(None, names), "").replace("-", "_").lower()
    if not name.startswith("zh"):
        return "en"
    return "zh-TW" if name.startswith(("zh_tw", "zh_hk", "zh_mo", "zh_hant")) else "zh-CN"
