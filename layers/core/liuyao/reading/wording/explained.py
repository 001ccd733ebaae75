"""What the terms of a reading mean, for a follow-up that asks: by the words for a term, in Chinese and in English."""

import re
from typing import Final

EXPLAINED: Final[tuple[tuple[re.Pattern[str], str, str], ...]] = tuple(
    (re.compile(words), chinese, english)
    for words, chinese, english in (
        (
            r"世[爻应應]|\b(?:world|asker's|self) line\b",
            "世爻是卦中代表求问者自己的那一爻",
            "the <世爻> is the line that stands for the asker",
        ),
        (
            r"[应應]爻|\b(?:response|other side's|responding) line\b",
            "应爻是卦中代表对方或所问之事另一面的那一爻",
            "the <应爻> is the line that stands for the other side",
        ),
        (
            r"用神|\b(?:focus|useful|subject) (?:line|god|spirit)\b",
            "用神是代表所问的人或事的那一爻，吉凶主要看它强弱",
            "the <用神> is the line that stands for whom or what is asked about; the verdict rests on its strength",
        ),
        (
            r"元神|\bsource line\b",
            "元神是生用神的爻，它有力，用神便有源头",
            "the <元神> is the line that feeds the [用神]",
        ),
        (
            r"忌神|\bopposing line\b",
            "忌神是克用神的爻，它发动便是阻力",
            "the <忌神> is the line that overcomes the [用神]; when it moves it hinders",
        ),
        (
            r"伏神|\bhidden (?:line|spirit|god)\b",
            "伏神是卦面上没有、藏在别的爻下面的用神",
            "a <伏神> is a [用神] that no line bears, hidden under another line",
        ),
        (
            r"飞神|飛神|\bcovering line\b",
            "飞神是伏神上面的那一爻",
            "the <飞神> is the line that covers a hidden one",
        ),
        (
            r"持世",
            "一爻正落在代表你自己的世爻上，叫作持世，和你贴得最近",
            "a line that holds the <世爻> stands on the asker's own line, so it is closest to the asker",
        ),
        (
            r"(?<![六相])[冲沖](?![动動突])|\bclash(?:es|ing)?\b(?!es turning)",
            "冲是两个地支正相对，像两股力撞在一起，事情容易动、容易散",
            "a clash is two branches that stand opposite each other, so what they touch is stirred or comes apart",
        ),
        (
            r"(?<![六三])(?:相合|[日月]合|合[绊絆起]|逢合)|\bcombin(?:e|es|ation|ing)\b(?!s turning)",
            "合是两个地支牵在一起，好事聚得住，要走的也走不开",
            "a combination is two branches that hold each other: it keeps what is good and ties what would go",
        ),
        (
            r"回[头頭]生",
            "回头生是一爻变出来的爻反过来生它，越往后越有力",
            "a line that feeds back grows stronger by what it changes into",
        ),
        (
            r"回[头頭][克剋]",
            "回头克是一爻变出来的爻反过来克它，做了反而伤自己",
            "a line that overcomes in return is harmed by what it changes into",
        ),
        (
            r"[进進]神|\badvanc(?:e|es|ing)\b",
            "化进神是一爻往前变，势头越来越足",
            "an advancing change goes on to the next branch of its element, so it gains",
        ),
        (
            r"退神|化退|\bretreat(?:s|ing)?\b",
            "化退神是一爻往回变，势头一点点弱下去",
            "a retreating change goes back to the branch before, so it loses",
        ),
        (
            r"入墓|日墓|化墓|\btomb\b",
            "入墓是力量被收起来，像关了门，等门开了才用得上",
            "a line in its tomb is shut in, and counts once that is opened",
        ),
        (
            r"三刑|相刑",
            "刑是几个地支互相为难，主是非和不顺",
            "a punishment is branches that trouble each other",
        ),
        (
            r"青[龙龍]|\bazure dragon\b",
            "青龙是六神之一，性情温和，主喜事和正当",
            "the <青龙> is one of the six spirits: what is kind, glad and above board",
        ),
        (
            r"朱雀|\bvermilion bird\b",
            "朱雀是六神之一，主口舌、消息和文书",
            "the <朱雀> is one of the six spirits: talk, news and papers",
        ),
        (
            r"勾[陈陳]|\bcurved array\b",
            "勾陈是六神之一，主迟缓、牵连和田土",
            "the <勾陈> is one of the six spirits: what is slow, steady and entangled",
        ),
        (
            r"[螣腾騰]蛇|\bsoaring serpent\b",
            "螣蛇是六神之一，主虚惊、反复和怪事",
            "the <螣蛇> is one of the six spirits: alarms, doubts and what is odd",
        ),
        (
            r"白虎|\bwhite tiger\b",
            "白虎是六神之一，主急、硬、有压力，不等于坏事",
            "the <白虎> is one of the six spirits: what is hard, quick and pressing, which is no disaster by itself",
        ),
        (
            r"玄武|\bdark warrior\b",
            "玄武是六神之一，主暗处的事、藏着不说的话",
            "the <玄武> is one of the six spirits: what is hidden or left unsaid",
        ),
        (
            r"[驿驛][马馬]|\btravelling horse\b",
            "驿马主走动、出行和变动",
            "the <驿马> tells of moves and journeys",
        ),
        (
            r"贵人|貴人|\bnoble helper\b",
            "贵人是肯帮忙、说话管用的人",
            "the <贵人> is somebody who helps and whose word counts",
        ),
        (
            r"旬空|空亡|[爻位亲親财財官世應应]空|逢空|落空(?=[是什甚啥乜怎])|\bvoid\b",
            "旬空是这十天里暂时落空，出了这一旬才算数",
            "<旬空> is a line that is void for these ten days and counts once they have passed",
        ),
        (
            r"月破|\bmonth(?:ly)? break\b|\bbroken by the month\b",
            "月破是被当月的地支冲破，这个月里使不上力",
            "<月破> is a line that the month clashes with, so it has no strength this month",
        ),
        (
            r"[动動]爻|\b(?:moving|changing) lines?\b",
            "动爻是起卦时会变的爻，代表事情里正在变化的地方",
            "[动爻] are lines that change; they show where the matter is moving",
        ),
        (
            r"月建|\bmonth ruler\b",
            "月建是起卦那个月的地支，看大环境帮不帮忙",
            "the <月建> is the branch of the month of the cast; it shows the conditions of the time",
        ),
        (
            r"日辰|\bday ruler\b",
            "日辰是起卦那天的地支，看眼下的力量",
            "the <日辰> is the branch of the day of the cast; it shows what acts at present",
        ),
        (
            r"六[亲親]|\bsix relations\b",
            "六亲是父母、兄弟、子孙、妻财、官鬼，说明每一爻代表什么人和事",
            "the <六亲> are [父母], [兄弟], [子孙], [妻财] and [官鬼]; they tell whom or what each line stands for",
        ),
        (
            r"妻[财財]|\bwealth line\b|\bwealth (?:mean|stand)",
            "妻财是六亲之一，代表钱、财物，男子问时也代表妻子",
            "[妻财] is one of the six relations: money and goods, and a wife where a man asks",
        ),
        (
            r"官鬼|\bofficer\b",
            "官鬼是六亲之一，代表职位、规矩、压力，女子问时也代表丈夫",
            "[官鬼] is one of the six relations: office, rules and pressure, and a husband where a woman asks",
        ),
        (
            r"父母(?=爻|是什么|是什麼|什么意|什麼意|指|代表)|\bparents line\b",
            "父母是六亲之一，代表文书、房屋、车和长辈",
            "[父母] is one of the six relations: papers, houses, vehicles and elders",
        ),
        (
            r"兄弟(?=爻|是什么|是什麼|什么意|什麼意|指|代表)|\bsiblings line\b",
            "兄弟是六亲之一，代表同辈、朋友，也主分财",
            "[兄弟] is one of the six relations: peers and friends, who also share in money",
        ),
        (
            r"子[孙孫](?=爻|是什么|是什麼|什么意|什麼意|指|代表)|\boffspring line\b",
            "子孙是六亲之一，代表晚辈、医药、快乐，能制官鬼",
            "[子孙] is one of the six relations: the young, medicine and ease, which keep [官鬼] in check",
        ),
        (
            r"六冲|六沖|\bsix clashes\b",
            "六冲卦的六爻两两相冲，事情容易散",
            "in a hexagram of six clashes the lines clash in pairs, so things come apart",
        ),
        (
            r"六合|\bsix combinations\b",
            "六合卦的六爻两两相合，事情容易聚",
            "in a hexagram of six combinations the lines join in pairs, so things come together",
        ),
        (
            r"游魂|\bwandering soul\b",
            "游魂卦说明心和事都还不定",
            "a hexagram of the wandering soul tells that neither mind nor matter is settled",
        ),
        (
            r"反吟|伏吟|\b(?:reverses|repeats) itself\b",
            "反吟是来回反复，伏吟是停在原地",
            "[反吟] is a change that turns back on itself, [伏吟] one that stays where it is",
        ),
        (
            r"[应應]期",
            "应期是事情有结果的时间",
            "the <应期> is the time at which it comes about",
        ),
    )
)


def explained(question: str, *, chinese: bool) -> list[str]:
    """Return the meanings of the terms named in a question, as phrases in simplified Chinese or in English with marked
    terms."""
    lower = question.lower()
    return [in_chinese if chinese else in_english for words, in_chinese, in_english in EXPLAINED if words.search(lower)]
