"""How a Chinese question asks: the kind of answer, and its words put into a clause to restate."""

import re
from dataclasses import dataclass
from typing import Final

from liuyao.reading.question.asks import Asks
from liuyao.reading.question.text import Expression, Text, listed, pattern
from liuyao.reading.question.vocabulary.asks_zh import KINDS


@dataclass(frozen=True, slots=True)
class Asked:
    """What a clause asks, in the user's own words."""

    asks: Asks
    predicate: str | None = None
    modal: str | None = None
    restated: str | None = None
    options: tuple[str, ...] = ()
    stated: tuple[str, str, str] | None = None
    """What comes before the modal or auxiliary, that word, and what comes after it."""


_PARTICLES: Final = Expression(r"[ 。！？!?~…\.]*(?:[吗么嘛呢吧啊呀哦啦哩])?[ 。！？!?~…\.]*$")
_MODAL: Final = Expression(
    r"(?P<ab>能不能够?|会不会|可不可以|要不要|该不该|应不应该|肯不肯|愿不愿意|想不想|值不值得|适不适合|"
    r"需不需要|敢不敢)|"
    r"(?P<a>(?<!可)(?<![技功智性才职机])能够?(?!力|量|源|干|耐)|"
    r"(?:(?<=[飞手司]机)|(?<![机社聚约开议商协误宴峰体乐唱览舞奏布酒])(?<!董事)"
    r"(?<!运动)(?<!家长)(?<!读书)(?<!生日)(?<!分享)(?<!见面)(?<!奥运)(?<!拍卖)(?<!座谈))"
    r"会(?!计|议|员|长|面|考|场|所|试|馆|谈)|可以|应该|"
    r"(?<![应活本])该(?!公司|校)|值得|适合|肯(?!定)|愿意|需要)"
)
_DOUBLED: Final = {
    "能": "能不能", "能够": "能不能", "会": "会不会", "可以": "可不可以", "应该": "应不应该", "该": "该不该",
    "值得": "值不值得", "适合": "适不适合", "肯": "肯不肯", "愿意": "愿不愿意", "需要": "需不需要",
    "能夠": "能不能", "會": "會不會", "應該": "應不應該", "該": "該不該", "適合": "適不適合", "願意": "願不願意",
}  # fmt: skip
_ALREADY: Final = Expression(
    r"什么|何|谁|哪|几|多久|多少|多长|多大|怎|如何|啥|咋|还是|是否|能否|可否|会否|(\w)不\1|有没有|吉凶|好坏|"
    r"应不应该|愿不愿|适不适|值不值|喜不喜|是.是.|生男生女"
)
_ADJECTIVE: Final = Expression(
    r"(?P<a>顺利|平安|合适|可靠|可信|靠谱|吉利|安全|严重|稳定|成功|真心|认真|值得|危险|要紧|健康|幸福|干净|"
    r"可以|吉祥|划算|可行|有效|适合|管用)$"
)
_OK: Final = Expression(r"(?P<a>好|行|成|妥|准|旺|吉)$")
_BE: Final = Expression(
    r"^(?P<s>[他她它您你我这那][^，。]{0,8}?)(?P<v>(?:还|真的?|已经|现在|最近)?(?:爱|喜欢|想|在|有|是|恨|讨厌|在乎|怀|欠))"
)
_OR: Final = Expression(
    r"^(?P<lead>.*?)(?P<a>[^，,、]{1,24}?)(?:好)?[，, ]?还是(?P<b>[^，,、]{1,24}?)"
    r"(?:会?(?:比较|更|最|较)(?:好|适合|合适|划算|稳|妥|顺|有利|靠谱|吉利|有前途)[^，,、]{0,8}|好一?些|"
    r"好一?点|好|合适|适合我?|呢|吗)?$"
)
_LEAD: Final = Expression(
    r"^(?:(?:我们?|你|他|她|今年|明年|现在|目前|到底|究竟|这次|下半年|以后|毕业后|大学)*(?:应该|该|适合|是|想|"
    r"要|考虑)*)"
)
_SHARED: Final = Expression(
    r"(?:[^，,]{0,8}?(?:考上|掉在|放在|落在|嫁给)|"
    r"(?:[你我他她]们?|孩子|小孩|儿子|女儿|弟弟|妹妹|哥哥|姐姐|老公|老婆)?(?:考(?![试虑研])|上(?![海班学午门级车])|"
    r"买(?!卖)|选(?!修)择?|去(?!世)|在(?!家)|学(?![校习费生院位期年区])|用(?!人)))(?=[^，,的]{2})"
)
"""A verb of both alternatives: 考清华还是北大, but not the 学 of 学校."""
_OWN_VERB: Final = Expression(r"[^，,]{0,3}?(?:考|掉在|放在|落在|嫁|上|买|选|去|在|学|用|留|住|回|待|换|继续|搬)")
"""How an alternative begins that has a verb of its own."""
_POTENTIAL: Final = Expression(r"[^我你他她的]得[上下回到起住了过成动着来去出掉赢完开][^，,得]{0,4}$")
_COMPOUND: Final = frozenset(listed("坚持 保持 承受 挽回 支撑 控制 忍受 应付 维持 负担 招架 等待 相处 坚守"))
_HAVING: Final = Expression(r"^(?P<head>[^，,]{0,16}?)(?P<v>(?<![没还只所拥享])有)[^，,有]{1,12}$")
_SWAP: Final = str.maketrans({"我": "你", "俺": "你", "咱": "你"})
_LONGEST_CHOICE, _LONGEST_CLAUSE, _LONGEST_PREDICATE = 80, 48, 24


def kind_in(text: Text, start: int, end: int) -> Asks:
    """Return the kind of answer that the words of a clause ask for."""
    spoken = _PARTICLES.sub("", text.folded[start:end])
    marked = f"{spoken}吗" if _is_polar(text, start + len(spoken)) else spoken
    return next((asks for asks, words in KINDS if pattern((words,)).search(marked)), Asks.HOW_IS)


def asked_in(text: Text, start: int, end: int, asks: Asks, topic: tuple[int, int] | None = None) -> Asked:
    """What a clause asks, which wants an answer of a kind. `topic` is the place of the person it is about."""
    spoken = _PARTICLES.sub("", text.folded[start:end])
    end = start + len(spoken)
    options = _options(text, start, end) if asks is Asks.WHICH and end - start <= _LONGEST_CHOICE else ()
    if not spoken or len(spoken) > _LONGEST_CLAUSE or not text.verbatim:
        return Asked(asks, options=options)
    clause = _Clause(text.words(start, end), spoken, _is_polar(text, end), _subject_end(start, end, topic))
    told = next((told for way in _WAYS if (told := way(clause)) is not None), Asked(asks))
    lead = _lead(text, start, topic) if told.restated else ""
    stated = (f"{lead}{told.stated[0]}", *told.stated[1:]) if told.stated else None
    return Asked(asks, told.predicate, told.modal, f"{lead}{told.restated}" if told.restated else None, options, stated)


def _is_polar(text: Text, at: int) -> bool:
    """Whether a particle behind a clause makes a yes-or-no question of it."""
    return re.match(r" *[吗么嘛]", text.folded[at:]) is not None


@dataclass(frozen=True, slots=True)
class _Clause:
    words: str
    folded: str
    polar: bool
    subject_end: int | None

    def head(self, at: int) -> str:
        return _swapped(self.words[:at])

    def tail(self, at: int) -> str:
        return _swapped(self.words[at:])


def _subject_end(start: int, end: int, topic: tuple[int, int] | None) -> int | None:
    """Where the person a clause begins with ends in it."""
    return topic[1] - start if topic and start <= topic[0] <= start + 8 and topic[1] < end else None


def _lead(text: Text, start: int, topic: tuple[int, int] | None) -> str:
    """Return the person that an earlier clause names: 我儿子明年高考，能考上吗."""
    if (
        not topic
        or topic[1] > start
        or text.folded[topic[1] : topic[1] + 1] == "的"
        or re.match("[他她它人这那]", text.folded[start : start + 1])
    ):
        return ""
    mine = topic[0] and text.folded[topic[0] - 1] == "我"
    return _swapped(text.words(topic[0] - 1 if mine else topic[0], topic[1]))


def _by_modal(clause: _Clause) -> Asked | None:
    modal = _MODAL.search(clause.folded)
    if not modal or (_ALREADY.search(clause.folded) and not modal["ab"]):
        return None
    tail = re.sub("(?:不|没有?|否)$", "", clause.words[modal.end() :]).strip()
    spoken = clause.words[modal.start() : modal.end()]
    doubled = spoken if modal["ab"] else _DOUBLED.get(spoken)
    if doubled is None or not 0 < len(tail) <= _LONGEST_PREDICATE:
        return None
    modal_word = spoken.partition("不")[2] if modal["ab"] else spoken
    head, tail = clause.head(modal.start()), _swapped(tail)
    return Asked(Asks.WHETHER, tail, modal_word, f"{head}{doubled}{tail}", stated=(head, modal_word, tail))


def _by_question_word(clause: _Clause) -> Asked | None:
    if not _ALREADY.search(clause.folded):
        return None
    modal = _MODAL.search(clause.folded)
    tail = clause.words[modal.end() :].strip() if modal and modal["a"] else ""
    if modal and 0 < len(tail) <= _LONGEST_PREDICATE and not _ALREADY.search(clause.folded[modal.end() :]):
        return Asked(Asks.WHETHER, _swapped(tail), clause.words[modal.start() : modal.end()], clause.tail(0))
    return Asked(Asks.WHETHER, None, None, clause.tail(0))


def _by_potential(clause: _Clause) -> Asked | None:
    # 找得回来吗: 找不找得回来
    found = _POTENTIAL.search(clause.folded) if clause.polar else None
    if not found or clause.folded[max(0, found.start() - 1) : found.start() + 1] in _COMPOUND:
        return None
    verb = clause.words[found.start()]
    return Asked(
        Asks.WHETHER,
        clause.tail(found.start()),
        None,
        f"{clause.head(found.start())}{verb}不{clause.tail(found.start())}",
        stated=(clause.head(found.start()), "得", clause.tail(found.start())),
    )


def _by_quality(clause: _Clause) -> Asked | None:
    if not clause.polar or len(clause.folded) < 2:
        return None
    found = _ADJECTIVE.search(clause.folded) or _OK.search(clause.folded)
    if not found or not found.start():
        return None
    quality = clause.tail(found.start())
    if clause.folded[found.start() - 1] == "不":
        return Asked(Asks.WHETHER, f"不{quality}", None, f"{clause.head(found.start() - 1)}是不是不{quality}")
    doubled = f"是否{quality}" if len(quality) > 1 else f"{quality}不{quality}"
    head = clause.head(found.start())
    return Asked(Asks.WHETHER, quality, None, f"{head}{doubled}", stated=(head, "", quality))


def _by_having(clause: _Clause) -> Asked | None:
    found = _HAVING.match(clause.folded) if clause.polar else None
    if not found:
        return None
    return Asked(
        Asks.WHETHER,
        clause.tail(found.end("head")),
        None,
        f"{clause.head(found.end('head'))}{clause.words[found.start('v')]}没{clause.tail(found.start('v'))}",
    )


def _by_subject(clause: _Clause) -> Asked | None:
    # 他还爱我吗: 他是不是还爱你; 我女儿听话吗: 你女儿是否听话
    if not clause.polar:
        return None
    be = _BE.match(clause.folded)
    at = clause.subject_end or (be.end("s") if be else None)
    if (
        at is None
        or at >= len(clause.folded)
        or clause.folded[at] == "的"
        or len(clause.folded) - at > _LONGEST_PREDICATE
    ):
        return None
    tail, copula = clause.tail(at), clause.folded.find("是", at)
    if copula >= 0:
        return Asked(Asks.WHETHER, tail, None, f"{clause.head(copula)}是不{clause.tail(copula)}")
    return Asked(Asks.WHETHER, tail, None, f"{clause.head(at)}是不是{tail}")


_WAYS: Final = (_by_modal, _by_question_word, _by_potential, _by_quality, _by_having, _by_subject)


def _swapped(words: str) -> str:
    """Return the user's words as told to them."""
    return words.translate(_SWAP).strip()


def _options(text: Text, start: int, end: int) -> tuple[str, ...]:
    folded = text.folded[start:end]
    found = _OR.match(folded)
    if not found:
        pair = re.search(
            r"(?:选|在)?([^，,和跟与或]{1,12})(?:和|跟|与|或者?|、)([^，,和跟与]{1,12}?)(?:之间|中|里|"
            r"两[个家所份])?[，, ]?(?:我?该?选|哪)",
            folded,
        )
        if not pair:
            return ()
        spans = [pair.span(1), pair.span(2)]
    else:
        lead = _LEAD.match(folded[found.start("a") : found.end("a")])
        spans = [
            (
                found.start("a") + (lead.end() if lead and lead.end() < found.end("a") - found.start("a") else 0),
                found.end("a"),
            ),
            found.span("b"),
        ]
    verb = _SHARED.match(folded[slice(*spans[0])])
    if verb and not _OWN_VERB.match(folded[slice(*spans[1])]):
        # 考上清华还是北大
        spans[0] = (spans[0][0] + verb.end(), spans[0][1])
    return tuple(
        _swapped(re.sub(r"^(?:选择?|[^是不]{0,8}是(?!否|不))", "", text.words(start + left, start + right)))
        for left, right in spans
    )
