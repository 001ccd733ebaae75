"""What becomes of a thing of one's own: that it sells, arrives, heals, ripens or is repaired is wished for.

The verb alone does not tell ("Will my brother sell?", "Will the shop next door sell?"), nor does the thing. That it is
the asker's own (我的, "the sofa I ordered") and the subject of what is asked makes the one the good and "break", 抛锚,
"go missing" the ill of it. Where Chinese leaves the owner out, the classifier decides; so it does where somebody is
named, or what one would be rid of: an illness, a debt, an enemy.
"""

from typing import Final

from liuyao.reading.question.asking import Asking
from liuyao.reading.question.people.mentions import mentions
from liuyao.reading.question.people.roles import Role
from liuyao.reading.question.polarity import words_en, words_zh
from liuyao.reading.question.polarity.governing import Governed
from liuyao.reading.question.text import Expression, Text, pattern

_DID_EN: Final = (
    "ordered|bought|sold|sent|posted|shipped|listed|planted|sowed|sewed|baked|booked|submitted|returned|dropped off|"
    "lost|left|lent"
)
_SUBJECT_EN: Final = Expression(
    r"(?:and |but |so )?(?:when |how soon )?"
    r"(?:will|would|is|are|was|were|can|could|does|do|did|has|have|might|may) "
    rf"(?:(?:my|our) |the (?=(?:[\w-]+ ){{1,4}}?(?:(?:that|which) )?(?:i|we)(?:'ve)? (?:have )?(?:{_DID_EN})\b))"
)
_DEED_EN: Final = Expression(
    r"\b(?:(?P<well>"
    r"(?:be|get|getting|being|been|going to be)(?: \w+ly)? (?:sold|delivered|repaired|fixed|mended|finished|completed|"
    r"built|ready|recovered|returned|found|published|printed|accepted|approved|shipped|restored|let|rented|cleared|"
    r"refunded|in time|here|there)|"
    r"get (?:here|there|through|home)|get (?:any|some|many|enough) (?:bids|views|offers|buyers|orders|readers)|"
    r"sells?|heals?|mends?|arrives?|comes?(?: (?:through|in time|by|on|before|tomorrow|today|this|next)|$)|"
    r"turns? up|shows? up|goes through|go through|catch(?:es)? up|survives?|pulls? through|holds? (?:out|up)|"
    r"lasts?(?= (?:another|the|until|till|through|a|one|two|\d)|$)|bloom\w*|flowers?|ripens?|fruit|germinates?|"
    r"sprouts?|(?:have|bring) a good (?:harvest|crop|yield|year)|clears? up|dry in time|recoverable|repairable|"
    r"salvageable|finds? (?:a|its) (?:\w+ )?(?:buyer|tenant|publisher|home|owner)|pays? off|"
    r"(?:works?|runs?|starts?) again)|"
    r"(?P<ill>die|dies|dying|freezes?|collapses?|"
    r"(?:go|goes|gone|be|gets?|got) (?:missing|lost|astray|mouldy|moldy|bad|off)|"
    r"wilts?|wither|rots?|rusts?|leaks?|bleeds?(?: out| dry)?|plummets?|plunges?|nosedives?|tanks?|"
    r"evaporates?|shrinks?|(?:go|goes) (?:to (?:zero|nothing)|south|belly up|down the drain)|"
    r"(?:be|get) (?:wiped out|liquidated)|floods?|bursts?|cracks?|"
    r"breaks?(?! even| through| the| records?)|snaps?|jams?|"
    r"overheats?|explodes?|spoils?|sinks?|packs? up))\b"
)
_WITHOUT_EN: Final = Expression(r"\b(?:not|never|no|nobody|without|before it|stop|from)\b|n't\b| or (?!so\b)")
_DID_ZH: Final = (
    "订|定|买|网购|团购|预订|预定|淘|寄|寄出|投|投给|投稿|递|递交|申请|种|养|晒|腌|烤|挂|挂在|送修|送去|拍卖|出售|租|"
    "托运|丢|落|写|画|织|做"
)
_SUBJECT_ZH: Final = Expression(
    r"(?:那|那么|请问)?(?:我们?|咱们?)(?:家|这|那)?"
    r"(?:(?:的|[这那]?[一两几]?[辆台部套间只盆株棵份件条双把本篇封个批])|"
    rf"(?:刚|新|前天|昨天|上周)?(?:{_DID_ZH})(?:出|去|了|过|给)?[^，。的我你他她]{{0,6}}的)(?=[^，。他她])|"
    r"(?:网购|网上买|预订|订购|送修|送洗|托运|寄出|寄出去)的(?=[^，。他她])"
)
_DEED_ZH: Final = Expression(
    r"(?P<well>[卖出脱][得的]?(?:出去|掉|出|了手|手)|成交|出手|脱手|出票|到货|到得了|[送寄收][得能]?到|送达|寄达|"
    r"赶得[上及]|修得?[好完了]|装得?[好完]|救得?[活回]|补得?好|长得?好|[会能就可以]+好(?!不好)(?=[利全起吗么得]|$)|"
    r"愈合|痊愈|康复|复原|收口|开花|结果(?![如怎])|发芽|成活|丰收|干得了|用得[久上]|开得了机|开机|恢复|刊登|登出来|"
    r"发表|出版|录用|采用|选中|被看[到见上]|有[人出版社]{1,3}要|租得出|回得来|送回)|"
    r"(?P<ill>归零|腰斩|[暴大狂]跌|崩盘?|爆仓|缩水|打水漂|坏掉?|抛锚|熄火|生锈|发霉|枯死|枯萎|死掉?|弄丢|丢失|寄丢|漏水|漏|裂开?|破掉?|塌|爆胎|爆|断掉?|烧掉?|"
    r"进水|碎|沉|延误|发不起来)"
)
_WITHOUT_ZH: Final = Expression(r"不(?!会|能|到货)|没(?!有)|别|未|免|避|还是")
_EITHER: Final = Expression(r"([会能])不\1")
"""会不会 asks as 会 does."""
_RID_OF: Final = Expression(
    r"癌|瘤|病|毒|菌|虫|蚊|鼠|痘|疤|斑|债|账|敌|咳|烧|痛|疼|"
    r"\b(?:tumou?r|cancer|fever|cold|cough|virus|bug|mole|wart|rash|debt|fine|sentence|ban|enemy|rival|mice|pests?)s?\b"
)


def becomes(text: Text, asked: Asking) -> Governed | None:
    """What the clause that asks says of a thing of the asker's own; None if it is of none, or nobody can tell."""
    start, end = asked.clause
    opens, done, denies, words = (
        (_SUBJECT_ZH, _DEED_ZH, _WITHOUT_ZH, words_zh)
        if text.chinese
        else (_SUBJECT_EN, _DEED_EN, _WITHOUT_EN, words_en)
    )
    subject = opens.match(text.folded, start, end)
    deed = done.search(text.folded, subject.end(), end) if subject else None
    if subject is None or deed is None:
        return None
    before = text.folded[start : deed.start()]
    if denies.search(_EITHER.sub(r"\1", before)) or _RID_OF.search(before) or pattern((words.ILLS,)).search(before):
        return None
    if any(start <= item.start < deed.start() and item.role is not Role.PET for item in mentions(text)):
        return None
    return Governed(is_ill=deed["ill"] is not None, denied=False)
