"""The help of the command, and what is wrong with arguments, in the order of `LANGUAGES`."""

import re
from typing import Final

Texts = tuple[str, str, str]

EXAMPLES: Final = {
    "cast": 'yarrow cast "Will the move go well?" --time now',
    "watch": "yarrow watch THREAD RUN",
    "tail": "yarrow tail THREAD RUN --after 12",
    "history": "yarrow history --limit 5",
    "inbox": "yarrow inbox",
    "answer": "yarrow answer --yes",
    "outcome": 'yarrow outcome THREAD came-true --note "a week later"',
    "record": "yarrow record",
    "chat": 'yarrow chat "What time is it?"',
    "add": 'yarrow add THREAD RUN "And in Celsius, please."',
    "cancel": "yarrow cancel THREAD RUN",
    "delete": "yarrow delete THREAD",
    "jobs": "yarrow jobs JOB --start",
    "upload": "yarrow upload picture.png",
    "new": "yarrow new support --framework langgraph",
    "completion": "yarrow completion bash >> ~/.bashrc",
}
"""By command, in all languages."""

COMMANDS: Final[dict[str, Texts]] = {
    "": (
        "Cast and read hexagrams, talk with an agent or write one, watch runs.",
        "起卦和解卦，与智能体对话，编写智能体，查看运行。",
        "起卦和解卦，與代理程式對話，編寫代理程式，查看執行。",
    ),
    "cast": (
        "throw three coins six times and read the hexagram",
        "掷三枚铜钱六次，解读所得之卦",
        "擲三枚銅錢六次，解讀所得之卦",
    ),
    "watch": ("stream a run from its start", "从头查看一次运行", "從頭查看一次執行"),
    "tail": ("list the stored events of a run", "列出一次运行存下的事件", "列出一次執行存下的事件"),
    "history": ("list sessions, or read one", "列出会话，或阅读其中一个", "列出對話，或閱讀其中一個"),
    "inbox": ("list what agents ask you", "列出智能体问你的问题", "列出代理程式問你的問題"),
    "answer": (
        "answer what an agent asks, and watch it go on",
        "回答智能体的问题，看它继续",
        "回答代理程式的問題，看它繼續",
    ),
    "outcome": ("record how the reading of a session turned out", "记下一次解读后来的结果", "記下一次解讀後來的結果"),
    "record": ("count how readings turned out", "统计解读的结果", "統計解讀的結果"),
    "chat": ("talk with an agent", "与智能体对话", "與代理程式對話"),
    "add": ("add a message to a run that goes on", "给进行中的运行补充一条消息", "給進行中的執行補充一則訊息"),
    "cancel": ("end a run", "结束一次运行", "結束一次執行"),
    "delete": ("delete a session", "删除一个会话", "刪除一個對話"),
    "jobs": (
        "list automation jobs, or the runs of one",
        "列出自动任务，或一个任务的运行",
        "列出自動任務，或一個任務的執行",
    ),
    "upload": ("upload a file", "上传文件", "上傳檔案"),
    "new": ("write the project of an agent, with its test", "生成智能体项目和它的测试", "產生代理程式專案和它的測試"),
    "completion": (
        "print a script that completes commands and options in a shell",
        "打印 shell 的命令补全脚本",
        "列印 shell 的命令補全腳本",
    ),
}

_AFTER: Final[Texts] = ("after the event N", "从事件 N 之后开始", "從事件 N 之後開始")
_LIMIT: Final[Texts] = ("how many; default: 20", "条数，默认 20", "筆數，預設 20")

ARGUMENTS: Final[dict[str, Texts]] = {
    "--help": ("show this help and exit", "显示帮助", "顯示說明"),
    "--version": ("show the version and exit", "显示版本", "顯示版本"),
    "--lang": ("language; default: the locale's", "语言，默认随系统", "語言，預設隨系統"),
    "--json": (
        "print JSON: a document, or one event a line",
        "输出 JSON：一个文档，或每行一个事件",
        "輸出 JSON：一個文件，或每行一個事件",
    ),
    "--url": ("of the service (YARROW_URL)", "服务的地址（YARROW_URL）", "服務的位址（YARROW_URL）"),
    "--user": (
        "user on a local stack, instead of YARROW_TOKEN",
        "本地栈的用户，代替 YARROW_TOKEN",
        "本機堆疊的使用者，代替 YARROW_TOKEN",
    ),
    "thread": ("the id of the session", "会话的 id", "對話的 id"),
    "run": ("the id of the run", "运行的 id", "執行的 id"),
    "cast question": ("what you want to know", "所问之事", "所問之事"),
    "cast --lines": (
        "instead of coins: 6, 7, 8 or 9 for each line, the lowest first, such as 789687",
        "不掷币：自初爻起写 6、7、8、9，如 789687",
        "不擲幣：自初爻起寫 6、7、8、9，如 789687",
    ),
    "cast --time": (
        "instead of coins: `now`, or a time such as 2026-04-03T20:30",
        "不掷币：now，或时间如 2026-04-03T20:30",
        "不擲幣：now，或時間如 2026-04-03T20:30",
    ),
    "cast --longitude": (
        "by the true solar time there; east is positive, such as 87.6 or -74",
        "按当地真太阳时，东经为正，如 87.6、-74",
        "依當地真太陽時，東經為正，如 87.6、-74",
    ),
    "cast --matter": ("default: the one that the question implies", "默认由问题推断", "預設由問題推斷"),
    "cast --thread": ("the id of a new session; a UUID", "新会话的 id，为 UUID", "新對話的 id，為 UUID"),
    "watch --after": _AFTER,
    "tail --after": _AFTER,
    "history thread": ("the session to read", "要阅读的会话", "要閱讀的對話"),
    "history --after": ("list the sessions after this one", "列出这个会话之后的", "列出這個對話之後的"),
    "history --limit": _LIMIT,
    "inbox --after": ("list the questions after this one", "列出这个问题之后的", "列出這個問題之後的"),
    "inbox --limit": _LIMIT,
    "answer question": (
        "its id, of `yarrow inbox`; default: the newest one",
        "问题的 id，见 yarrow inbox，默认最新",
        "問題的 id，見 yarrow inbox，預設最新",
    ),
    "answer --yes": ("agree", "同意", "同意"),
    "answer --no": ("do not agree", "不同意", "不同意"),
    "answer --text": ("a text, or the value of a choice", "一段文字，或选项的值", "一段文字，或選項的值"),
    "answer --form": ("what a form asks for", "表单的内容", "表單的內容"),
    "add message": ("what the agent takes at its next step", "智能体下一步收到的内容", "代理程式下一步收到的內容"),
    "add --id": (
        "of the message: the same one again is added once",
        "消息的 id：重复发送只算一条",
        "訊息的 id：重複傳送只算一則",
    ),
    "answer --cancel": ("give no answer", "不作回答", "不作回答"),
    "answer --reason": ("with --no: why not", "与 --no 同用：理由", "與 --no 同用：理由"),
    "answer --arguments": (
        "with --yes: call the tool with these instead",
        "与 --yes 同用：改用这些参数调用工具",
        "與 --yes 同用：改用這些參數呼叫工具",
    ),
    "outcome outcome": ("how it turned out", "结果如何", "結果如何"),
    "outcome --note": ("at most 500 characters", "最多 500 字", "最多 500 字"),
    "outcome --run": (
        "the run of the reading; default: the latest",
        "解读的运行，默认最近一次",
        "解讀的執行，預設最近一次",
    ),
    "chat message": (
        "send this message and exit; without it, talk until Ctrl-D",
        "发送一条消息就退出；没有就对话到 Ctrl-D",
        "傳送一則訊息就結束；沒有就對話到 Ctrl-D",
    ),
    "chat --thread": (
        "continue this session with its agent, e.g. to ask about a cast",
        "继续这个会话，例如追问一卦",
        "繼續這個對話，例如追問一卦",
    ),
    "chat --agent": (
        "the agent of a new session; default: the assistant",
        "新会话的智能体，默认 assistant",
        "新對話的代理程式，預設 assistant",
    ),
    "delete --yes": ("do not ask", "不再询问", "不再詢問"),
    "jobs job": ("its id", "任务的 id", "任務的 id"),
    "jobs --start": ("run it now, and watch", "立即运行并查看", "立即執行並查看"),
    "jobs --pause": ("let it not run until it is resumed", "暂停", "暫停"),
    "jobs --resume": ("let it run again", "恢复", "恢復"),
    "jobs --delete": ("delete it; its session stays", "删除，保留它的会话", "刪除，保留它的對話"),
    "jobs --yes": ("do not ask before it is deleted", "删除前不再询问", "刪除前不再詢問"),
    "upload file": ("its path", "文件的路径", "檔案的路徑"),
    "upload --thread": (
        "the session of the attachment; default: a new one",
        "附件的会话，默认新建",
        "附件的對話，預設新建",
    ),
    "new name": ("of the agent, and of the new folder", "智能体和新文件夹的名字", "代理程式和新資料夾的名字"),
    "new --framework": ("{frameworks}", "{frameworks}", "{frameworks}"),
    "new --deploy": (
        "in a layer of the Yarrow stack, or as a function of its own; default: what suits the framework",
        "放进 Yarrow 栈的层，或作为单独的函数；默认随框架",
        "放進 Yarrow 堆疊的層，或作為單獨的函式；預設隨框架",
    ),
    "new --yarrow": (
        "the clone of Yarrow that runs it; default: this one",
        "运行它的 Yarrow 克隆，默认为此处",
        "執行它的 Yarrow 副本，預設為此處",
    ),
    "completion shell": ("its name", "shell 的名字", "shell 的名字"),
}
"""By command and argument; by argument alone where all commands share it."""

_VALUE: Final = "(?P<value>.*)"

MISTAKES: Final[tuple[tuple[re.Pattern[str], Texts], ...]] = (
    (
        re.compile("argument (?P<name>[^:]+): (?P<rest>.*)"),
        ("argument {name}: {rest}", "参数 {name}：{rest}", "參數 {name}：{rest}"),
    ),
    (
        re.compile(f"the following arguments are required: {_VALUE}"),
        ("the following arguments are required: {value}", "缺少参数：{value}", "缺少參數：{value}"),
    ),
    (
        re.compile(f"unrecognized arguments: {_VALUE}"),
        ("unrecognized arguments: {value}", "没有这样的参数：{value}", "沒有這樣的參數：{value}"),
    ),
    (
        re.compile(r"invalid choice: (?P<value>.*?)(?:, maybe you meant .*?)? \(choose from (?P<choices>.*)\)"),
        (
            "invalid choice: {value} (choose from {choices})",
            "不能是 {value}，可用：{choices}",
            "不能是 {value}，可用：{choices}",
        ),
    ),
    (
        re.compile(f"invalid int value: {_VALUE}"),
        ("invalid int value: {value}", "不是整数：{value}", "不是整數：{value}"),
    ),
    (re.compile("expected one argument"), ("expected one argument", "需要一个值", "需要一個值")),
    (
        re.compile(f"not allowed with argument {_VALUE}"),
        ("not allowed with argument {value}", "不能与 {value} 同用", "不能與 {value} 同用"),
    ),
    (
        re.compile("ambiguous option: (?P<value>.*) could match (?P<choices>.*)"),
        (
            "ambiguous option: {value} could match {choices}",
            "{value} 不明确，可以是 {choices}",
            "{value} 不明確，可以是 {choices}",
        ),
    ),
    (
        re.compile(f"ignored explicit argument {_VALUE}"),
        ("ignored explicit argument {value}", "不需要值：{value}", "不需要值：{value}"),
    ),
)
"""What argparse says, by its pattern."""
