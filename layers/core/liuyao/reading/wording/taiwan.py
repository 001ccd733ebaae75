"""Words of the Simplified catalogues for which Taiwan has another word, not only another spelling."""

from typing import Final

WORDS: Final = {
    "放松": "放鬆",
    "轻松": "輕鬆",
    "信息": "訊息",
    "质量": "品質",
    "视频": "影片",
    "网络": "網路",
    "软件": "軟體",
    "水平": "水準",
    "短信": "簡訊",
    "打印": "列印",
    "默认": "預設",
    "签证": "簽證",
    "签约": "簽約",
    "签字": "簽字",
    "咨询律师": "諮詢律師",
    "财务意见": "財務建議",
    "法律意见": "法律建議",
    "小范围": "小規模",
    "交出底牌": "亮出底牌",
    "靠谱": "可靠",
    "兽医": "獸醫",
    "复查": "複查",
    "复习": "複習",
    "落笔": "下筆",
    "账": "帳",
    "单位": "機構",
    "报失": "通報遺失",
    "尽快": "儘快",
    "尽早": "儘早",
    "递交": "送件",
    "核实": "查證",
    "材料": "文件",
    "隐患": "潛在的問題",
    "抵触": "牴觸",
    "扎实": "紮實",
    "理清": "釐清",
    "落到实处": "定下來",
    "上司": "主管",
    "遵医嘱": "遵照醫囑",
}


def localized(text: str) -> str:
    """A text with Taiwan's words; the rest keeps its spelling."""
    for word, local in WORDS.items():
        if word in text:
            text = text.replace(word, local)
    return text
