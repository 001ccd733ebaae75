"""What the words of a reading go by: the form of the question, who acts in it, and what acts for or against it.

The reasons told in plain words are those that fit who acts: how tired the asker is says nothing of a parcel, and a
question without another side has no other side that is against it.
"""

from functools import cached_property
from typing import Final

from liuyao.elements import combined, generates, opposite, overcomes
from liuyao.reading.acting import group, is_of_asker, is_of_other_side, role
from liuyao.reading.contributions import Contribution
from liuyao.reading.judgement import Judgement, Outcome
from liuyao.reading.outline import Outline, outline
from liuyao.reading.plate import Plate
from liuyao.reading.question.form import Agent, Form, form_of, options_of
from liuyao.reading.question.people.roles import Role
from liuyao.reading.question.polarity import Polarity
from liuyao.reading.question.text import Expression, Text
from liuyao.reading.question.unnamed import is_unnamed

_ASKER: Final = Expression(
    r"^(?:you|we|i|it|there|this|that|these|those|things|everything)\b|^(?:你|咱|我)(?!家|的|妈|爸)|"
    r"[你我]$|^(?:这|那|今|明|现在|目前|最近)[^，]{0,3}$"
)
"""The asker as the one who does it, or nobody at all."""
_TOGETHER: Final = Expression(r"\b(?:with|at|for)\b|[和跟同与去到]")
"""Who is only met with does nothing."""
_DOER: Final = Expression(
    r"^(?:he|she|they)$|[他她][们們]?(?:真的|到底|还|還|最近)*$|(?:师傅|師傅|邻居|鄰居|阿姨|客服|老板|"
    r"老闆|同事|同学|同學)$"
)
"""Who does something, where no table names them."""
_NAME: Final = Expression(r"^[A-Z][a-z]+$")
_PRONOUN: Final = Expression(r"[他她]|\b(?:he|she|they|him|her|them)\b")
_SOMEBODY: Final = Expression(
    r"[他她]|婆婆|岳母|公公|岳父|爸|妈|老公|老婆|男友|女友|男朋友|女朋友|孩子|儿子|女儿|老板|领导|主管|"
    r"同事|客户|房东|室友|邻居|"
    r"朋友|闺蜜|姐|妹|哥|弟|\b(?:he|she|they|him|her|them|(?:husband|wife|mother|father|mum|mom|dad|boss|"
    r"manager|landlord|"
    r"landlady|neighbou?r|flatmate|roommate|colleague|client|friend|sister|brother|son|daughter|partner|"
    r"boyfriend|girlfriend|"
    r"teenager|kid|parent)s?)\b|\bchildren\b"
)
_MADE: Final = Expression(
    r"(?:做|烤|种|养|煮|写|拍|织|酿|腌|炒|画)的|电脑|手机|网络|网速|汽车|车子|植物|盆栽|花|面包|蛋糕|菜园|"
    r"冷气|空调|洗衣机|机器|打印机|wifi|"
    r"\b(?:bread|dough|cakes?|plants?|car|bike|computer|laptop|phone|printer|garden|lawn|roses?|tomato\w*|"
    r"seeds?|seedlings|washing machine|"
    r"boiler|wifi|photos?|jam|cheese|sauce|orchid\w*|heating|radiator|engine|app|website)\b"
)
_PAST: Final = Expression(
    r"昨天|前天|上(?:个)?(?:周|星期|礼拜|月|次|回)|刚才|那次|做错|没做好|\b(?:yesterday|last (?:week|"
    r"month|night|time|\w+day)|went wrong)\b"
)
_THIRD: Final = Expression(
    r"\b(?:of|about) (?:her|him|them|my \w+|our \w+)\b|对(?:我们?家?的?)?(?:女儿|儿子|孩子|小孩|老公|老婆|"
    r"妈|爸|弟|妹|哥|姐|他|她)"
)
_TELLS: Final = Expression(
    r"\bhow (?:do|can|should|could|would|best) (?:i|we|to) (?:best )?(?:tell|say|explain|break|bring)|"
    r"(?:怎么|怎样|如何)(?:跟|和|对|向)[^，。]{1,8}(?:说|开口|提|讲|解释|交代)|(?:怎么|怎样|如何)(?:开口|说|提|拒绝)"
)
_SEEKS: Final = Expression(
    r"找(?:个|到)?(?:对象|女友|男友|女朋友|男朋友|朋友|老公|老婆)|脱单|姻缘|桃花|"
    r"\b(?:find(?:ing)? (?:a |love|someone|the right)|single|dating)\b"
)
"""Somebody is only looked for."""
_EVENT: Final = Expression(
    r"家长会|聚会|聚餐|吃饭|见面|约会|婚礼|面谈|气氛|旅行|活动|派对|会议|开会|"
    r"\b(?:meeting|dinner|party|lunch|visit|trip|reunion|wedding|evening|date|talk|weekend|holiday|"
    r"celebration|appointment)\b.*\bgo\b|"
    r"\bmood\b|\batmosphere\b"
)
"""An occasion that the asker takes part in."""
_ONE_IS_DEALT_WITH: Final = (Form.HOW, Form.WHY)
"""Forms in which anybody named is whom the asker has to deal with."""
_OF_ASKER: Final = (
    Form.SHOULD,
    Form.OBJECTION,
    Form.HEED,
    Form.WHEN_BEST,
    Form.WHICH,
    Form.WHICH_UNNAMED,
    Form.AMOUNT,
    Form.COUNT,
)
"""Forms whose deed is the asker's, whoever is named."""
_WORK: Final = Expression(
    r"业绩|业务|生意|收入|成绩|分数|论文|报告|比赛|面试|考试|作品|投稿|球?队|班|店$|公司|生意|进度|"
    r"\b(?:teams?|business|shop|results?|score|thesis|paper|exam|interview|presentation|project|team|band|"
    r"choir|entry)\b"
)
"""The asker's own doing as a subject."""
_TWO_SIDED: Final = frozenset({"love", "kin", "partner", "career", "debt", "lawsuit", "contest", "wealth"})
"""Matters that have another side, named or not."""
_OTHERS: Final = Expression(r"那家|这家|隔壁|楼下|对面|新开|巷口|街角|他|她|\b(?:his|her|their|that|the new)\b")
"""What is told of somebody else's."""
_IMPERSONAL: Final = (Form.TRUST, Form.COUNT, Form.AMOUNT, Form.COST, Form.WHO_DID, Form.WHERE)
"""Forms in which the asker's own state is no reason."""


class Situation:
    """What one judgement is told by."""

    def __init__(self, plate: Plate, judgement: Judgement, text: Text) -> None:
        self._plate = plate
        self._judgement = judgement
        self._text = text

    @cached_property
    def form(self) -> Form:
        return form_of(self._text, self._judgement.inquiry)

    @cached_property
    def agent(self) -> Agent:
        inquiry, form = self._judgement.inquiry, self.form
        if form in _OF_ASKER:
            return Agent.SELF
        if inquiry.role is Role.PET or inquiry.matter.key == "pets":
            return Agent.THING
        if form in _ONE_IS_DEALT_WITH:
            named = inquiry.party or inquiry.person or _SOMEBODY.search(self._text.folded)
            alone = inquiry.topic == "health" or _SEEKS.search(self._text.folded) is not None
            return Agent.OTHER if named and not alone else Agent.SELF
        if form in (Form.WHETHER, Form.COURSE) and _EVENT.search(self._text.folded):
            return Agent.SELF
        if inquiry.person or self.of_a_doer or (form is Form.MIND):
            return Agent.OTHER
        if inquiry.party and self._text.folded.startswith(inquiry.party.lower()):
            return Agent.OTHER
        return Agent.THING if self._is_of_another and not self._is_own_work else Agent.SELF

    @property
    def _is_own_work(self) -> bool:
        """Whether something is asked about that the asker does or has a hand in."""
        stated = self._judgement.inquiry.stated
        subject = self._text.folded[: len(stated[0])] if stated else ""
        return _WORK.search(subject) is not None and _OTHERS.search(subject) is None

    @property
    def _is_of_another(self) -> bool:
        """Whether the subject of the question is neither the asker nor nobody."""
        stated = self._judgement.inquiry.stated
        return stated is not None and stated[0] != "" and _ASKER.search(stated[0].lower()) is None

    @cached_property
    def of_a_doer(self) -> bool:
        """Whether it is asked what somebody else does."""
        inquiry = self._judgement.inquiry
        if inquiry.role is Role.PET or inquiry.stated is None:
            named = inquiry.party or _PRONOUN.search(self._text.folded)
            return inquiry.role is not Role.PET and inquiry.focus == "应爻" and bool(named)
        named = inquiry.horizon.words if inquiry.horizon else ""
        written = inquiry.stated[0].replace(named, "").strip()
        subject, party = written.lower(), (inquiry.party or "").lower()
        if _DOER.search(subject) is not None or _NAME.search(written) is not None:
            return True
        return bool(party) and subject.endswith(party) and _TOGETHER.search(subject) is None

    @cached_property
    def outline(self) -> Outline:
        """The reasons that are told: those of the judgement's outline, or the weightiest that fit."""
        found = outline(self._judgement)
        carries = self._fitting(found.carries, found.sign)
        return Outline(carries, self._objection(found, carries), found.sign)

    def _fitting(self, reason: Contribution | None, sign: int) -> Contribution | None:
        if reason is not None and self._fits(reason, sign):
            return reason
        others = [item for item in self._judgement.reasons if item.weight * sign > 0 and self._fits(item, sign)]
        return max(others, key=lambda item: item.prominence, default=None)

    def _objection(self, found: Outline, carries: Contribution | None) -> Contribution | None:
        against = found.against
        if against is None or not self._fits(against, -found.sign):
            return None
        # Two reasons of one kind would contradict each other.
        same = carries is not None and carries.term.aspect is against.term.aspect
        return None if same else against

    def _fits(self, reason: Contribution, sign: int) -> bool:
        told = role(reason, self._plate, sign)
        if is_of_other_side(told):
            return self._has_other_side
        if sign > 0 and self._judgement.outcome is Outcome.DELAYED and group(told) == "time":
            # Not yet, as this is the time for it.
            return False
        return not (is_of_asker(told) and (self.agent is not Agent.SELF or self.form in _IMPERSONAL))

    @property
    def _has_other_side(self) -> bool:
        inquiry = self._judgement.inquiry
        if self.form in (Form.TRUST, Form.STATE, Form.RESULT):
            return False
        return self.agent is Agent.OTHER or inquiry.party is not None or inquiry.matter.key in _TWO_SIDED

    @cached_property
    def group(self) -> str:
        """What acts, as advice goes by it: the obstacle where there is something to be done about one."""
        carries = self.outline.carries
        if carries is None:
            return "course"
        return group(role(carries, self._plate, self.outline.sign))

    @property
    def unwanted(self) -> bool:
        """Whether the question is after an event or a state that the asker does not wish for."""
        wished = self._judgement.inquiry.stance.polarity
        return wished is Polarity.UNWANTED and self.form is Form.WHETHER

    @property
    def is_open(self) -> bool:
        """Whether it is not known if the asker wishes for the event asked about."""
        inquiry = self._judgement.inquiry
        return (
            self.form is Form.WHETHER and inquiry.stance.polarity is Polarity.UNKNOWN and inquiry.role is not Role.PET
        )

    @property
    def side(self) -> str:
        """`well` or `ill`."""
        return "well" if self._judgement.favourable else "ill"

    @property
    def cause(self) -> str:
        """What acts most against the matter, of all that does."""
        worst = [reason for reason in self._judgement.reasons if reason.weight < 0 and self._fits(reason, -1)]
        if not worst:
            return self.group
        return group(role(min(worst, key=lambda item: item.weight), self._plate, -1))

    @cached_property
    def is_unnamed(self) -> bool:
        """Whether a decision is asked about that the question does not name."""
        return is_unnamed(self._text, self._judgement.inquiry)

    @property
    def is_of_past(self) -> bool:
        """Whether it is asked why something that is over did not go well."""
        return self.form is Form.WHY and _PAST.search(self._text.folded) is not None

    @property
    def is_of_third(self) -> bool:
        """Whether it is asked what somebody thinks of somebody else than the asker."""
        return self.form is Form.MIND and _THIRD.search(self._text.folded) is not None

    @property
    def is_of_telling(self) -> bool:
        """Whether it is asked how to tell somebody something."""
        return self.form is Form.HOW and _TELLS.search(self._text.folded) is not None

    @property
    def is_of_making(self) -> bool:
        """Whether it is asked why something made, grown or used does not turn out."""
        return self.form is Form.WHY and self.agent is Agent.SELF and _MADE.search(self._text.folded) is not None

    @property
    def is_near(self) -> bool:
        """Whether the other person is of the family, a friend or a partner."""
        inquiry = self._judgement.inquiry
        if inquiry.role in (Role.SUPERIOR, Role.STRANGER, Role.SERVANT, Role.HEALER):
            return False
        return inquiry.person is not None or inquiry.matter.key in ("love", "kin", "children")

    @cached_property
    def options(self) -> tuple[str, ...]:
        """The alternatives in the asker's own words."""
        return options_of(self._text, self._judgement.inquiry)

    @property
    def mind(self) -> str:
        """How the other side stands to the asker."""
        return others_mind(self._plate)


def others_mind(plate: Plate) -> str:
    """How 应 stands to 世 (世应章)."""
    world, response = plate.world, plate.response
    if response.time.void:
        return "unsettled"
    if well_disposed(plate):
        return "warm"
    if opposite(response.branch) == world.branch:
        return "cold"
    if overcomes(response.element, world.element):
        return "pressing"
    if generates(world.element, response.element):
        return "given"
    return "wary" if overcomes(world.element, response.element) else "alike"


def well_disposed(plate: Plate) -> bool:
    """应 combines with 世 or feeds it."""
    world, response = plate.world, plate.response
    return combined(response.branch) == world.branch or generates(response.element, world.element)
